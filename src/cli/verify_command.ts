/**
 * The `verify` command: proves an installed CLI against the contract, without an account.
 *
 * @module
 */
import { toAdapterError } from "../base/errors.ts";
import { PROGRAM_NAME, VERSION } from "../base/version.ts";
import { contractSha256, type Verification } from "../contract/verification.ts";
import { identify, isSameFile, sha256File } from "../host/file_identity.ts";
import { locateExecutable } from "../host/locate.ts";
import { createLog } from "../host/log.ts";
import { makeScratchFolder, removeFolder } from "../host/scratch_folder.ts";
import { sha256 } from "../host/sha256.ts";
import { onEndingSignal } from "../host/signals.ts";
import { stateFolder } from "../host/state_folder.ts";
import { writeVerification } from "../host/verification_store.ts";
import { checkLines, summaryLines, type VerifyReport } from "../verify/report.ts";
import { verify } from "../verify/verify.ts";
import { USAGE_EXIT } from "./commands.ts";
import { EXECUTABLE_PATH, readFlags } from "./flags.ts";
import { checkPermissions } from "./permissions.ts";
import { say, sayUsage } from "./say.ts";

/** The text of `verify --help`. */
export const help: string = `${PROGRAM_NAME} verify [options]

Runs the installed Claude Code through everything this program relies on, against a scripted model
on this machine: no account, no token, no other host. Your HOME is left alone; only the receipt is
written to this program's state folder. With a passing receipt, runs admit exactly this file, also
when its version is not the one this program was made for.

Options:
  --executable ABSOLUTE_PATH  the claude to verify (else CLAUDE_CODE_EXECUTABLE, else from PATH)
  --json                      print one JSON report instead of a table
  --keep                      keep the temporary folder, and say where it is

Exit codes:
  0    every check passed, and the receipt is written
  1    a check failed, the file changed meanwhile, or the receipt could not be written
  2    wrong usage, configuration or permissions; nothing was started
  130  interrupted (Ctrl-C, SIGTERM or SIGHUP); no receipt is written
`;

const INTERRUPTED_EXIT = 130;

interface Settings {
  readonly executable: string;
  readonly state: string;
  readonly json: boolean;
  readonly keep: boolean;
  readonly env: { readonly [name: string]: string };
}

/** Verifies; resolves to the exit code. */
export async function run(args: readonly string[]): Promise<number> {
  const read = readFlags({
    "--executable": EXECUTABLE_PATH,
    "--json": { kind: "switch" },
    "--keep": { kind: "switch" },
  }, args);
  if (!read.ok) return sayUsage("verify", read.message);
  const configured = read.values.get("--executable");
  const fault = checkPermissions(configured ?? null, "verify");
  if (fault !== null) {
    say(Deno.stderr, `${fault.message}\n`);
    if (fault.fatal) return USAGE_EXIT;
  }
  const env = Deno.env.toObject();
  const state = stateFolder(env, Deno.build.os);
  if (state === null) {
    return refused(
      "there is no place for the receipt: set HOME or XDG_STATE_HOME to an absolute path",
    );
  }
  const missing = missingPermissions(state, env);
  if (missing.length > 0) {
    return refused(`it needs ${missing.join(" ")} as well; start it with them`);
  }
  let executable: string;
  try {
    executable = locateExecutable({ env, ...(configured !== undefined && { configured }) });
    await identify(executable);
  } catch (caught) {
    return refused(toAdapterError(caught).message);
  }
  const settings: Settings = {
    executable,
    state,
    env,
    json: read.values.has("--json"),
    keep: read.values.has("--keep"),
  };
  try {
    return await proved(settings);
  } catch (caught) {
    say(Deno.stderr, `${PROGRAM_NAME} verify: ${toAdapterError(caught).message}\n`);
    return 1;
  }
}

async function proved(settings: Settings): Promise<number> {
  const folder = await makeScratchFolder("claude-code-adapter-verify-");
  const ending = new AbortController();
  const release = onEndingSignal((signal) => ending.abort(signal));
  try {
    const report = await examine(settings, { folder, signal: ending.signal });
    if (report === null) {
      say(Deno.stderr, `${PROGRAM_NAME} verify: interrupted; no receipt was written\n`);
      return INTERRUPTED_EXIT;
    }
    if (settings.json) say(Deno.stdout, `${JSON.stringify(report, null, 2)}\n`);
    else say(Deno.stdout, summaryLines(report));
    return report.passed && report.receipt !== null ? 0 : 1;
  } finally {
    release();
    if (settings.keep) say(Deno.stderr, `The temporary folder is kept: ${folder}\n`);
    else if (!await removeFolder(folder)) {
      say(Deno.stderr, `The temporary folder could not be removed: ${folder}\n`);
    }
  }
}

/** Everything up to the receipt; `null` when it was interrupted. */
async function examine(
  { executable, state, env, json }: Settings,
  { folder, signal }: { readonly folder: string; readonly signal: AbortSignal },
): Promise<VerifyReport | null> {
  const from = performance.now();
  const before = await identify(executable);
  const hashing = sha256File(before.path);
  hashing.catch(() => {}); // it is awaited below
  if (!json) say(Deno.stdout, `Verifying ${executable}\n\n`);
  const { checks, versionText } = await verify({
    executable,
    folder,
    env,
    signal,
    log: createLog({ level: "error" }),
    onCheck: (check) => {
      if (!json && !signal.aborted) say(Deno.stdout, checkLines(check));
    },
  });
  if (signal.aborted) return null;
  const digest = await hashing;
  const after = await identify(executable).catch(() => null);
  const verification: Verification = {
    format_version: 1,
    contract_sha256: contractSha256(sha256),
    adapter_version: VERSION,
    executable: { ...before, sha256: digest },
    version_text: versionText,
    checks: checks.map(({ id, passed }) => ({ id, passed })),
    passed: checks.every(({ passed }) => passed),
    at: new Date().toISOString(),
  };
  const receipt = after === null || !isSameFile(before, after)
    ? { path: null, fault: `'${executable}' was changed meanwhile; verify it again` }
    : await written(state, verification);
  return {
    ...verification,
    checks,
    seconds: Math.round(performance.now() - from) / 1000,
    receipt: receipt.path,
    no_receipt: receipt.fault,
  };
}

async function written(
  state: string,
  verification: Verification,
): Promise<{ readonly path: string | null; readonly fault: string | null }> {
  try {
    return { path: await writeVerification(state, verification), fault: null };
  } catch (caught) {
    return { path: null, fault: toAdapterError(caught).message };
  }
}

/** What `verify` needs beyond what every command needs. */
function missingPermissions(
  state: string,
  env: { readonly [name: string]: string },
): readonly string[] {
  const places = [state, env["TMPDIR"] ?? "/tmp"].filter((path) =>
    !isGranted({ name: "write", path })
  );
  return [
    ...(places.length === 0 ? [] : [`--allow-write=${places.join(",")}`]),
    ...(isGranted({ name: "net", host: "127.0.0.1" }) ? [] : ["--allow-net=127.0.0.1"]),
  ];
}

function isGranted(permission: Deno.PermissionDescriptor): boolean {
  return Deno.permissions.querySync(permission).state === "granted";
}

function refused(message: string): number {
  say(Deno.stderr, `${PROGRAM_NAME} cannot verify: ${message}\n`);
  return USAGE_EXIT;
}
