/**
 * The `verify` command: proves an installed CLI against the contract, without an account.
 *
 * @module
 */
import { AdapterError, toAdapterError } from "../base/errors.ts";
import { PROGRAM_NAME, VERSION } from "../base/version.ts";
import { contractSha256, type Verification } from "../contract/verification.ts";
import { CheckedFile } from "../host/checked_file.ts";
import { systemClock } from "../host/clock.ts";
import { systemWords } from "../host/file_fault.ts";
import { identify, sha256File } from "../host/file_identity.ts";
import { locateExecutable } from "../host/locate.ts";
import { createLog } from "../host/log.ts";
import { makePrivateFolder, sweepPrivateFolders } from "../host/private_folder.ts";
import { createProcessTable } from "../host/process_table.ts";
import { makeScratchFolder, removeFolder } from "../host/scratch_folder.ts";
import { sha256 } from "../host/sha256.ts";
import { onEndingSignal } from "../host/signals.ts";
import { stateFolder } from "../host/state_folder.ts";
import { systemPath } from "../host/system_path.ts";
import { writeVerification } from "../host/verification_store.ts";
import { checkLines, summaryLines, type VerifyReport } from "../verify/report.ts";
import { verify } from "../verify/verify.ts";
import { USAGE_EXIT } from "./commands.ts";
import { EXECUTABLE_PATH, readFlags } from "./flags.ts";
import { checkPermissions } from "./permissions.ts";
import { answer, OUTPUT_EXITS_HELP, say, sayUsage } from "./say.ts";

/** The text of `verify --help`. */
export const help: string = `${PROGRAM_NAME} verify [options]

Runs the installed Claude Code through everything this program relies on, against a scripted model
on this machine: no account, no token, no other host. Your HOME is left alone; only the receipt is
written to this program's state folder. With a passing receipt, runs admit exactly this file, also
when its version is not the one this program was made for. Of a wrapper script the receipt covers
the script, and not what it starts.

Options:
  --executable ABSOLUTE_PATH  the claude to verify (else CLAUDE_CODE_EXECUTABLE, else from PATH)
  --json                      print one JSON report instead of a table
  --keep                      keep the temporary folder, and say where it is

Exit codes:
  0    every check passed, and the receipt is written
  1    a check failed, the file changed meanwhile, or the receipt could not be written
  2    wrong usage, configuration or permissions, or no claude that can be read and started; nothing
       was started
  130  interrupted (Ctrl-C, SIGTERM or SIGHUP); no receipt is written
${OUTPUT_EXITS_HELP}`;

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
    const { code, message } = toAdapterError(caught);
    say(Deno.stderr, `${PROGRAM_NAME} verify: ${message}\n`);
    return code === "dependency_unavailable" ? USAGE_EXIT : 1;
  }
}

async function proved(settings: Settings): Promise<number> {
  let folder: string;
  try {
    folder = await makeFolder(settings);
  } catch (caught) {
    const place = settings.env["TMPDIR"] ?? "/tmp";
    return refused(
      caught instanceof AdapterError
        ? caught.message
        : `no folder can be made in '${place}': ${
          systemWords(caught)
        }; set TMPDIR to one that can be used`,
    );
  }
  const ending = new AbortController();
  const release = onEndingSignal((signal) => ending.abort(signal));
  let lost: number | null = null;
  // Nobody gets the verdict any more: then it is over, as if SIGPIPE had ended it.
  const show = (text: string): void => {
    lost ??= answer("verify", text);
    if (lost !== null) ending.abort();
  };
  try {
    const report = await examine(settings, { folder, signal: ending.signal, show });
    if (report === null) {
      if (lost !== null) return lost;
      say(Deno.stderr, `${PROGRAM_NAME} verify: interrupted; no receipt was written\n`);
      return INTERRUPTED_EXIT;
    }
    show(settings.json ? `${JSON.stringify(report, null, 2)}\n` : summaryLines(report));
    return lost ?? (report.passed && report.receipt !== null ? 0 : 1);
  } finally {
    release();
    if (settings.keep) say(Deno.stderr, `The temporary folder is kept: ${folder}\n`);
    else if (!await removeFolder(folder)) {
      say(Deno.stderr, `The temporary folder could not be removed: ${folder}\n`);
    }
  }
}

/** The folder for everything that the CLI writes. What a killed `verify` left is removed; what is kept stays. */
async function makeFolder({ keep, env }: Settings): Promise<string> {
  if (keep) return await makeScratchFolder(`${PROGRAM_NAME}-verify-`);
  const table = createProcessTable({ path: systemPath(env["PATH"]) });
  const { path } = await makePrivateFolder({ table, id: "verify" });
  await sweepPrivateFolders(path, { table, log: createLog({ level: "error" }) });
  return path;
}

interface Showing {
  readonly folder: string;
  readonly signal: AbortSignal;
  /** Shows text to whoever called. */
  readonly show: (text: string) => void;
}

/** Everything up to the receipt; `null` when it was interrupted. */
async function examine(
  { executable, state, env, json }: Settings,
  { folder, signal, show }: Showing,
): Promise<VerifyReport | null> {
  const from = performance.now();
  // Before anything is started: a file that cannot be read gets no receipt.
  const file = new CheckedFile(executable, systemClock);
  const fault = await file.open();
  if (fault !== null) throw new AdapterError("dependency_unavailable", fault);
  const before = await identify(executable);
  const digest = await sha256File(before.path);
  if (!json) show(`Verifying ${executable}\n\n`);
  const { checks, versionText } = await verify({
    executable,
    folder,
    env,
    signal,
    log: createLog({ level: "error" }),
    onCheck: (check) => {
      if (!json && !signal.aborted) show(checkLines(check));
    },
  });
  if (signal.aborted) return null;
  const at = new Date(); // before the content is read again, if it has to be
  const isSame = await file.isSame();
  const verification: Verification = {
    format_version: 1,
    contract_sha256: contractSha256(sha256),
    adapter_version: VERSION,
    executable: { ...before, sha256: digest },
    version_text: versionText,
    checks: checks.map(({ id, passed }) => ({ id, passed })),
    passed: checks.every(({ passed }) => passed),
    at: at.toISOString(),
  };
  const receipt = !isSame
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
