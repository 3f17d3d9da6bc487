/** What a command can still do once it has started, over real processes. */
import { assertEquals } from "@std/assert";
import { PROGRAM_PERMISSIONS } from "../../src/cli/spare_permissions.ts";
import { fakeClaude } from "../helpers/fake_claude.ts";
import { cleanEnv } from "./adapter.ts";

const ENTRY = decodeURIComponent(new URL("permission_entry.ts", import.meta.url).pathname);
const OK = `--executable=${fakeClaude("ok")}`;

async function leftAfter(flags: readonly string[], args: readonly string[]): Promise<string> {
  const { stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-prompt", "--no-check", ...flags, ENTRY, ...args],
    clearEnv: true,
    env: cleanEnv(),
    stdin: "null",
  }).output();
  const said = new TextDecoder().decode(stderr);
  return /^left: (.*)$/m.exec(said)?.[1] ?? `nothing was said of it: ${said}`;
}

const RUNS = "run env read";

const LEFT: readonly (readonly [readonly string[], string])[] = [
  [["serve", OK], RUNS],
  [["run", OK, "--json", "hi"], `${RUNS} write net`],
  [["print", OK, "--permission-mode=dontAsk", "hi"], RUNS],
  [["report", "/dev/null"], `${RUNS} write net`],
  [["config", "cursor"], RUNS],
  [["tree", "show"], RUNS],
  [["verify", "--executable=/nowhere/claude"], `${RUNS} write net`],
  [["doctor", OK], `${RUNS} write net`],
  [["supervise"], "run"],
];

for (const [args, expected] of LEFT) {
  Deno.test(`${args[0]} gives up what it does not need`, async () => {
    assertEquals(await leftAfter(PROGRAM_PERMISSIONS, args), expected);
    const all = await leftAfter(["-A"], args);
    const keepsAll = ["run", "report", "doctor"].includes(args[0]!);
    assertEquals(all, keepsAll ? `${expected} ffi` : expected, "with -A");
  });
}
