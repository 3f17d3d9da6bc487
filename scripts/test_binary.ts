/**
 * Runs the tests of the protocol, the commands and the clean-up against a binary, or against the launcher of a bundle.
 *
 * `deno task test:binary BINARY [--smoke]`; the smoke part takes a few seconds and needs no Claude Code.
 *
 * The tests are those of the source; {@linkcode BINARY_VARIABLE} makes their helpers start the binary. What only the
 * source has (other permissions, another entry) is counted as ignored.
 *
 * @module
 */
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { PROGRAM_NAME, VERSION } from "../src/base/version.ts";
import { installNative } from "./native/install.ts";
import { BINARY_VARIABLE } from "./support/mcp_client.ts";

/** The handshake and a run by the official client, ends of supervisors, and what `config` says to start. */
const SMOKE: readonly string[] = [
  "tests/cli/main_test.ts",
  "tests/cli/official_client_test.ts",
  "tests/cli/config_command_test.ts",
  "tests/cleanup/supervisor_death_test.ts",
];

/** Everything that starts the program as a process. */
const ALL: readonly string[] = [
  "tests/cli/main_test.ts",
  "tests/cli/serve_test.ts",
  "tests/cli/descriptors_test.ts",
  "tests/cli/official_client_test.ts",
  "tests/cli/official_client_calls_test.ts",
  "tests/cli/inspector_test.ts",
  "tests/cli/output_test.ts",
  "tests/cli/config_command_test.ts",
  "tests/cli/doctor_command_test.ts",
  "tests/cli/print_command_test.ts",
  "tests/cli/report_command_test.ts",
  "tests/cli/tree_command_test.ts",
  "tests/cli/verify_command_test.ts",
  "tests/cleanup",
  "tests/native/run_test.ts",
  "tests/native/run_terminal_test.ts",
  "tests/native/print_test.ts",
  "tests/native/answers_test.ts",
  "tests/native/failures_test.ts",
  "tests/native/sessions_test.ts",
  "tests/native/stopping_test.ts",
  "tests/native/claude_as_host_test.ts",
  "tests/native_cleanup/ends_test.ts",
];

const { values: { smoke }, positionals } = parseArgs({
  args: [...Deno.args],
  options: { smoke: { type: "boolean", default: false } },
  allowPositionals: true,
});
const [named] = positionals;
if (named === undefined || positionals.length > 1) {
  console.error("usage: deno task test:binary BINARY [--smoke]");
  Deno.exit(2);
}
const binary = resolve(named);
const fault = await faultOf(binary);
if (fault !== null) {
  console.error(`${binary} ${fault}`);
  Deno.exit(1);
}
if (!smoke) await installNative();
const { code } = await new Deno.Command(Deno.execPath(), {
  args: ["test", "-A", "--no-check", ...(smoke ? SMOKE : ALL)],
  cwd: decodeURIComponent(new URL("..", import.meta.url).pathname),
  env: { [BINARY_VARIABLE]: binary },
  stdin: "null",
  stdout: "inherit",
  stderr: "inherit",
}).spawn().status;
Deno.exit(code);

/** Why it is not the program of this version; `null` when it is. */
async function faultOf(path: string): Promise<string | null> {
  try {
    const { stdout } = await new Deno.Command(path, { args: ["--version"], stdin: "null" })
      .output();
    const said = new TextDecoder().decode(stdout).trim();
    const expected = `${PROGRAM_NAME} ${VERSION}`;
    return said === expected ? null : `says '${said}' to --version, not '${expected}'`;
  } catch (caught) {
    return `cannot be started: ${caught instanceof Error ? caught.message : String(caught)}`;
  }
}
