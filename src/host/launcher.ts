/**
 * Starts supervisors, and looks after the runs of those that died.
 *
 * @module
 */
import { AdapterError, isMissingPermission, messageOf, toAdapterError } from "../base/errors.ts";
import { encodeUtf8 } from "../base/json.ts";
import { MAX_JOB_BYTES, WIRE_VERSION } from "../base/limits.ts";
import type { Job, StopCommand } from "../supervision/job.ts";
import { encodeToken, MARKER_NAME, SUPERVISOR_NAME } from "../supervision/marker.ts";
import { nativeEnv } from "../supervision/native_env.ts";
import type { Launcher, LaunchRequest, Log, Supervised } from "../supervision/ports.ts";
import { systemClock, within } from "./clock.ts";
import { SUPERVISOR_START } from "./supervisor_start.ts";
import { locateExecutable } from "./locate.ts";
import { createProcessTable } from "./process_table.ts";
import type { ProcessTable } from "./process_table.ts";
import { readReceipts } from "./receipt_reader.ts";
import { createRecovery } from "./recover.ts";
import { sendSignal } from "./signals.ts";
import { type Keepable, Spare } from "./spare.ts";
import { supervisorCommand } from "./supervisor_command.ts";
import type { SupervisorCommand } from "./supervisor_command.ts";
import { systemPath } from "./system_path.ts";

/** A supervisor that was kept ready accepts its job within milliseconds (measured: 1 to 3), or has died meanwhile. */
const ACCEPT_MS = 1_000;
/** A supervisor that is not needed ends within milliseconds of its lifeline; then it is ended. */
const DISMISS_MS = 1_000;

/** How to launch. */
export interface LauncherOptions {
  readonly log: Log;
  /** The configured executable; must be absolute. Default: `CLAUDE_CODE_EXECUTABLE`, else PATH. */
  readonly executable?: string;
  /** The environment runs inherit. Default: this process's. */
  readonly env?: { readonly [name: string]: string };
  /** How the supervisor is started. Default: this program in its other role. */
  readonly supervisor?: SupervisorCommand;
  /** The process table. Default: this machine's. */
  readonly table?: ProcessTable;
  /**
   * Keeps a supervisor ready for the next run. Only for a program whose working directory, mask and limits do not
   * change, since a supervisor has those of its start. Default: false.
   */
  readonly keepsSpare?: boolean;
}

/** Makes the launcher of this process. Needs --allow-run, --allow-env and --allow-read. */
export function createLauncher(options: LauncherOptions): Launcher {
  const { log } = options;
  const env = options.env ?? Deno.env.toObject();
  const command = options.supervisor ?? supervisorCommand(env);
  const table = options.table ??
    createProcessTable({ path: systemPath(env["PATH"]) });
  const start = (runId: string) => startSupervisor({ command, table, runId });
  const spare = options.keepsSpare !== true
    ? null
    // Its run is not known yet: the marker has to be unique, and logs say which run it is.
    : new Spare({ start: () => start(crypto.randomUUID()), clock: systemClock });

  return {
    locate: () =>
      locateExecutable({
        env,
        ...(options.executable === undefined ? {} : { configured: options.executable }),
      }),
    async launch(request) {
      const { runId } = request;
      const give = (started: StartedSupervisor) => {
        const { child, token } = started;
        const line = encodeJob({ request, token, env, pid: child.pid });
        return superviseChild({ started, line, runId, table, log });
      };
      const ready = spare?.take() ?? null;
      if (ready !== null) {
        const { supervised, accepted } = give(ready);
        // Killed while it waited, or in this moment. Before it accepts nothing is started, so the run loses nothing.
        if (await within(systemClock, ACCEPT_MS, accepted) !== false) return supervised;
        log.write("warn", "The supervisor kept ready had died; the run gets another", {
          run: runId,
        });
        await ready.dismiss();
      }
      return give(await start(runId)).supervised;
    },
    close: () => spare?.close() ?? Promise.resolve(),
  };
}

/** A supervisor that waits for its job. When this program ends, however it does, the lifeline is cut and it ends too. */
interface StartedSupervisor extends Keepable {
  readonly child: Deno.ChildProcess;
  /** The marker of the run that it will get. */
  readonly token: string;
}

interface StartInput {
  readonly command: SupervisorCommand;
  readonly table: ProcessTable;
  readonly runId: string;
}

async function startSupervisor(
  { command, table, runId }: StartInput,
): Promise<StartedSupervisor> {
  const owner = await table.self().catch((caught) => {
    throw notStarted(
      caught,
      `this program cannot see itself in the process table (${caught.message})`,
    );
  });
  const token = encodeToken({ namespace: owner.namespace, adapter: owner.identity, runId });
  if (token === null) throw new AdapterError("internal_error", "The run id cannot be a marker");
  const child = spawnSupervisor(command, token);
  const ended = child.status.then(() => {}, () => {});
  return {
    child,
    token,
    ended,
    async dismiss() {
      await Promise.allSettled([child.stdin.close(), child.stdout.cancel(), child.stderr.cancel()]);
      if (await within(systemClock, DISMISS_MS, ended.then(() => true)) === null) endChild(child);
      await ended;
    },
  };
}

function spawnSupervisor(command: SupervisorCommand, token: string): Deno.ChildProcess {
  try {
    return new Deno.Command("/bin/sh", {
      args: ["-c", SUPERVISOR_START, "sh", command.program, ...command.args],
      clearEnv: true,
      env: { ...command.env, [SUPERVISOR_NAME]: token },
      detached: true,
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
  } catch (caught) {
    throw notStarted(caught, messageOf(caught));
  }
}

interface JobInput {
  readonly request: LaunchRequest;
  readonly token: string;
  readonly env: { readonly [name: string]: string };
  readonly pid: number;
}

function encodeJob({ request, token, env, pid }: JobInput): Uint8Array {
  const job: Job = {
    wire: WIRE_VERSION,
    supervisor_pid: pid,
    executable: request.executable,
    argv: request.argv,
    stdin: request.stdin,
    env: nativeEnv({
      inherited: env,
      added: request.env,
      token,
      ...(request.removeEnv !== undefined && { removed: request.removeEnv }),
    }),
    ...(request.cwd !== undefined && { cwd: request.cwd }),
    checks: request.checks,
    marker: { name: MARKER_NAME, value: token },
    ...(request.forwardStderr === true && { forward_stderr: true }),
  };
  return encodeUtf8(JSON.stringify(job) + "\n");
}

interface Child {
  readonly started: StartedSupervisor;
  readonly line: Uint8Array;
  readonly runId: string;
  readonly table: ProcessTable;
  readonly log: Log;
}

interface Given {
  readonly supervised: Supervised;
  /** Resolves to `false` when it ended without a word, so before anything was started. Never rejects. */
  readonly accepted: Promise<boolean>;
}

function superviseChild({ started, line, runId, table, log }: Child): Given {
  const { child, token, ended } = started;
  const reader = readReceipts(child.stderr, log);
  let native = 0;
  const recovery = createRecovery({
    ports: { clock: systemClock, look: table.look, kill: sendSignal },
    log,
    runId,
    token,
    self: Deno.pid,
    supervisor: child.pid,
    endSupervisor: () => endChild(child),
    ended,
    native: () => native,
  });
  reader.onReceipt((receipt) => {
    if (receipt.receipt === "started") native = receipt.pid;
    if (receipt.receipt === "seen") recovery.saw(receipt.unmarked);
    if (receipt.receipt !== "cleanup") return;
    const { confirmed, retired, survivors } = receipt.cleanup;
    if (retired > 0) {
      const { cleanup, rung } = receipt;
      log.write("info", "Clean-up had to end processes", { rung, ...cleanup });
    }
    if (!confirmed) recovery.survived(survivors);
  });
  const lifeline = child.stdin.getWriter();
  const send = (bytes: Uint8Array) => {
    // A supervisor that is gone cannot be told anything; its end says so.
    lifeline.write(bytes).catch(() => {});
  };
  if (line.length > MAX_JOB_BYTES) {
    // The supervisor never hears of the run: the cut lifeline ends it.
    lifeline.close().catch(() => {});
    void child.stdout.cancel().catch(() => {});
    throw startupFailed(`the job is ${line.length} bytes, over the bound of ${MAX_JOB_BYTES}`);
  }
  send(line);
  void ended.then(() => lifeline.close().catch(() => {}));
  const supervised: Supervised = {
    pid: child.pid,
    stdout: child.stdout,
    receipts: reader.receipts,
    ended,
    stop: (how) => {
      const command: StopCommand = { command: how ?? "stop" };
      send(encodeUtf8(`${JSON.stringify(command)}\n`));
    },
    recover: recovery.recover,
  };
  return { supervised, accepted: reader.began };
}

function endChild(child: Deno.ChildProcess): void {
  try {
    child.kill("SIGKILL");
  } catch {
    // It ended meanwhile.
  }
}

/** A missing permission is a matter of this program's own flags. */
function notStarted(caught: unknown, detail: string): AdapterError {
  return isMissingPermission(caught) ? toAdapterError(caught) : startupFailed(detail);
}

function startupFailed(detail: string): AdapterError {
  return new AdapterError("startup_failed", `The supervisor could not be started: ${detail}`);
}
