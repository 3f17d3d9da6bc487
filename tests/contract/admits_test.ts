import { assertEquals } from "@std/assert";
import { admits } from "../../src/contract/admits.ts";
import { isSettled, SETTLING_MS, type Verification } from "../../src/contract/verification.ts";

const READ_AT = Date.parse("2026-01-31T08:00:00.000Z");
const FILE = {
  path: "/opt/claude",
  size: 4,
  mtime_ms: READ_AT - 9_000.5,
  ctime_ms: READ_AT - SETTLING_MS,
  inode: 3,
  device: 5,
};

/** What a receipt says that was written when the file's time of change was `ctime_ms`. */
function says(
  { file = FILE, ctime_ms = FILE.ctime_ms, contract = "a" }: {
    readonly file?: typeof FILE;
    readonly ctime_ms?: number;
    readonly contract?: string;
  } = {},
  over: Partial<Verification> = {},
) {
  const receipt: Verification = {
    format_version: 1,
    contract_sha256: "a",
    adapter_version: "0",
    executable: { ...FILE, ctime_ms, sha256: "b" },
    version_text: "x",
    checks: [],
    passed: true,
    at: new Date(READ_AT).toISOString(),
    ...over,
  };
  return admits(receipt, { file, contractSha256: contract });
}

Deno.test("a receipt speaks for an untouched file, and for a touched one if its content is the same", () => {
  assertEquals(says(), "yes");
  for (const change of [{ mtime_ms: 1 }, { ctime_ms: 1 }, { inode: 1 }, { device: 1 }]) {
    assertEquals(says({ file: { ...FILE, ...change } }), "if_sha256", JSON.stringify(change));
  }
  for (const change of [{ path: "/opt/other" }, { size: 5 }]) {
    assertEquals(says({ file: { ...FILE, ...change } }), "no", JSON.stringify(change));
  }
  assertEquals([says({ contract: "c" }), says({}, { passed: false })], ["no", "no"]);
});

Deno.test("a file that had just been changed when it was read counts by its content alone", () => {
  const times = [FILE.ctime_ms + 1, READ_AT - 1_000, READ_AT, READ_AT + 60_000];
  for (const ctime_ms of times) {
    assertEquals(says({ file: { ...FILE, ctime_ms }, ctime_ms }), "if_sha256");
    assertEquals(isSettled({ ctime_ms }, READ_AT), false);
    assertEquals(isSettled({ ctime_ms }, ctime_ms + SETTLING_MS), true);
  }
});
