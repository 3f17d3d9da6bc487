import { assertEquals, assertStringIncludes } from "@std/assert";
import { VERSION } from "../../src/base/version.ts";
import { contractSha256, SETTLING_MS, type Verification } from "../../src/contract/verification.ts";
import { identify, sha256File } from "../../src/host/file_identity.ts";
import { sha256 } from "../../src/host/sha256.ts";
import { writeVerification } from "../../src/host/verification_store.ts";
import { verifiedVersions } from "../../src/library/verified_versions.ts";
import { cleanEnv, connect } from "../cli/adapter.ts";
import { McpClient } from "../helpers/mcp_client.ts";
import { runProgram } from "../helpers/program.ts";
import { withinOneSecond } from "../helpers/same_second.ts";

const TEXT = "2.1.999 (Claude Code)";

/** A stand-in of another version that answers, its state folder, and what admission says of it. */
interface Bench extends AsyncDisposable {
  readonly executable: string;
  readonly folder: string;
  readonly env: { readonly [name: string]: string };
  readonly logs: string[];
  /** A receipt that speaks for the stand-in as it is now. */
  receipt(over?: Partial<Verification>): Promise<Verification>;
  /** Writes it. */
  write(over?: Partial<Verification>): Promise<string>;
  /** Asks as a program that has just started. */
  admitted(): Promise<readonly string[]>;
}

function program(word: string): string {
  const frame = {
    type: "result",
    subtype: "success",
    is_error: false,
    result: word,
    session_id: "s",
  };
  return `#!/bin/sh\n[ "$1" = --version ] && { echo "${TEXT}"; exit 0; }\n` +
    `cat <<'END'\n${JSON.stringify(frame)}\nEND\n`;
}

async function bench(): Promise<Bench> {
  const root = await Deno.makeTempDir({ prefix: "adapter-admission-" });
  const executable = `${root}/claude`;
  await Deno.writeTextFile(executable, program("one"), { mode: 0o755 });
  const folder = `${root}/state/claude-code-adapter`;
  const env = cleanEnv({ XDG_STATE_HOME: `${root}/state` });
  const logs: string[] = [];
  const log = {
    write: (level: string, message: string, fields?: { readonly [key: string]: unknown }) =>
      void logs.push(`${level}: ${message} ${JSON.stringify(fields)}`),
  };
  const receipt = async (over: Partial<Verification> = {}): Promise<Verification> => ({
    format_version: 1,
    contract_sha256: contractSha256(sha256),
    adapter_version: VERSION,
    executable: { ...await identify(executable), sha256: await sha256File(executable) },
    version_text: TEXT,
    checks: [{ id: "all", passed: true }],
    passed: true,
    at: "2026-01-31T08:00:00.000Z",
    ...over,
  });
  return {
    executable,
    folder,
    env,
    logs,
    receipt,
    write: async (over) => await writeVerification(folder, await receipt(over)),
    admitted: () => verifiedVersions({ env, log })(executable),
    [Symbol.asyncDispose]: () => Deno.remove(root, { recursive: true }),
  };
}

Deno.test("a passing receipt for exactly this file admits its version", async () => {
  await using b = await bench();
  assertEquals(await b.admitted(), [], "no folder, no receipt");
  await b.write();
  assertEquals([await b.admitted(), b.logs], [[TEXT], []]);
});

Deno.test("a file that was touched but is the same is still admitted", async () => {
  await using b = await bench();
  await b.write();
  await Deno.utime(b.executable, 1, 1);
  assertEquals(await b.admitted(), [TEXT]);
});

Deno.test("a swapped file is not, even with the size and the time of the other", async () => {
  await using b = await bench();
  await b.write();
  const { mtime } = await Deno.stat(b.executable);
  const other = `${b.executable}.new`;
  await Deno.writeTextFile(other, program("two"), { mode: 0o755 });
  await Deno.rename(other, b.executable);
  await Deno.utime(b.executable, mtime!, mtime!);
  assertEquals(await b.admitted(), []);
  await Deno.writeTextFile(b.executable, program("longer"));
  assertEquals(await b.admitted(), []);
});

Deno.test("a file that is rewritten within the second of its change is not, though it looks the same", async () => {
  await using b = await bench();
  const now = () => new Date().toISOString();
  await withinOneSecond(b.executable, {
    write: () => Deno.writeTextFile(b.executable, program("one")),
    between: () => b.write({ at: now() }),
    rewrite: () => Deno.writeTextFile(b.executable, program("two")),
  });
  assertEquals(await b.admitted(), []);
  await Deno.writeTextFile(b.executable, program("one"));
  assertEquals(await b.admitted(), [TEXT]);
});

Deno.test("the identity of a settled file is believed, and that of another is not", async () => {
  await using b = await bench();
  const { ctime_ms } = await identify(b.executable);
  const executable = { ...await identify(b.executable), sha256: "0".repeat(64) };
  const at = (ms: number) => ({ executable, at: new Date(ctime_ms + ms).toISOString() });
  await b.write(at(SETTLING_MS - 1));
  assertEquals(await b.admitted(), []);
  await b.write(at(SETTLING_MS));
  assertEquals(await b.admitted(), [TEXT], "its digest is not computed");
});

Deno.test("a digest is remembered only of a settled file", async () => {
  for (const settled of [false, true]) {
    await using b = await bench();
    const log = { write: () => {} };
    let now = 0;
    const admitted = verifiedVersions({ env: b.env, log, now: () => now });
    const first = await withinOneSecond(b.executable, {
      write: () => Deno.writeTextFile(b.executable, program("one")),
      async between() {
        now = (await identify(b.executable)).ctime_ms + (settled ? SETTLING_MS : 0);
        await b.write();
        return await admitted(b.executable);
      },
      rewrite: () => Deno.writeTextFile(b.executable, program("two")),
    });
    // Such a change of a settled file cannot be: its time of change would be another.
    const second = await admitted(b.executable);
    assertEquals([first, second], [[TEXT], settled ? [TEXT] : []]);
  }
});

Deno.test("a receipt of another contract, of a failure, or of another file says nothing", async () => {
  const zeros = "0".repeat(64);
  const cases: readonly ((receipt: Verification) => Partial<Verification>)[] = [
    () => ({ contract_sha256: zeros }),
    () => ({ passed: false, checks: [{ id: "all", passed: false }] }),
    ({ executable }) => ({ executable: { ...executable, path: "/opt/other" } }),
    ({ executable }) => ({ executable: { ...executable, size: executable.size + 1 } }),
    ({ executable }) => ({ executable: { ...executable, ctime_ms: 1, sha256: zeros } }),
  ];
  for (const change of cases) {
    await using b = await bench();
    const over = change(await b.receipt());
    await b.write(over);
    assertEquals([await b.admitted(), b.logs], [[], []], JSON.stringify(over));
  }
});

Deno.test("a receipt that others could have made is ignored, and that is said once", async () => {
  const doctored: readonly (readonly [string, (b: Bench, path: string) => Promise<void>])[] = [
    ["others can write", (_b, path) => Deno.chmod(path, 0o666)],
    ["not JSON", (_b, path) => Deno.writeTextFile(path, "{")],
    ["not a receipt of this format", (_b, path) => Deno.writeTextFile(path, '{"passed":true}')],
    ["symbolic link", async (_b, path) => {
      await Deno.rename(path, `${path}.real`);
      await Deno.symlink(`${path}.real`, path);
    }],
    ["symbolic link", async ({ folder }) => {
      await Deno.rename(folder, `${folder}.real`);
      await Deno.symlink(`${folder}.real`, folder);
    }],
    ["not a folder", async ({ folder }) => {
      await Deno.remove(folder, { recursive: true });
      await Deno.writeTextFile(folder, "");
    }],
    ["others can write", ({ folder }) => Deno.chmod(folder, 0o777)],
  ];
  for (const [reason, doctor] of doctored) {
    await using b = await bench();
    await doctor(b, await b.write());
    assertEquals(await b.admitted(), [], reason);
    assertEquals(b.logs.length, 1, reason);
    assertStringIncludes(b.logs[0]!, reason);
  }
});

Deno.test("what admitted a run is in its value, and no argument of a call can change it", async () => {
  await using b = await bench();
  const args = ["serve", `--executable=${b.executable}`];
  await using client = await McpClient.connect({ cwd: Deno.cwd(), env: b.env, args });
  const run = async () => (await client.callTool("claude.run", { prompt: "hello" })).value;
  const refused = await run();
  assertEquals([refused.error.code, refused.native.admitted_by], ["incompatible_vendor", null]);
  for (const part of ["2.1.332", "2.1.999", `verify --executable ${b.executable}`]) {
    assertStringIncludes(refused.error.message, part);
  }
  for (const name of ["accept_native_version", "executable", "admitted_by"]) {
    const answer = await client.callTool("claude.run", { prompt: "hello", [name]: TEXT });
    assertEquals([answer.isError, answer.value.error.code], [true, "invalid_arguments"]);
  }
  await b.write();
  const admitted = await run();
  assertEquals([admitted.is_error, admitted.result], [false, "one"], "without a restart");
  assertEquals(admitted.native, {
    version: "2.1.999",
    executable: b.executable,
    admitted_by: "receipt",
  });
  assertEquals(await client.close(), 0);
});

Deno.test("the operator's word admits, and the tree's own version needs none", async () => {
  await using b = await bench();
  const accept = `--accept-native-version=${TEXT}`;
  const args = ["serve", `--executable=${b.executable}`, accept];
  await using client = await McpClient.connect({ cwd: Deno.cwd(), env: b.env, args });
  const { value } = await client.callTool("claude.run", { prompt: "hello" });
  assertEquals([value.is_error, value.native.admitted_by], [false, "override"]);
  assertEquals(await client.close(), 0);

  await using pinned = await connect("ok", accept);
  const own = (await pinned.callTool("claude.run", { prompt: "hello" })).value;
  assertEquals([own.is_error, own.native.admitted_by], [false, "tree"]);
  assertEquals(await pinned.close(), 0);

  const print = ["print", `--executable=${b.executable}`, "--permission-mode=plan", "hello"];
  assertEquals((await runProgram(print, { env: b.env })).code, 1);
  await b.write();
  assertEquals((await runProgram(print, { env: b.env })).code, 0);
});
