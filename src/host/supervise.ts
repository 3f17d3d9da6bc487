/**
 * The supervisor: one process per run, leader of the native group, alive until nothing of the run is left.
 *
 * It needs `--allow-run` and nothing else. Its stdin is the lifeline: the job line, commands, and an end that
 * means the adapter is gone. Its stdout is the native process's. Its stderr carries receipts.
 *
 * @module
 */
import type { Job } from "../supervision/job.ts";
import { parseToken } from "../supervision/marker.ts";
import type { Ownership } from "../supervision/ownership.ts";
import type { Identity } from "../supervision/process_row.ts";
import { MAX_SEEN } from "../supervision/receipts.ts";
import { pause, systemClock, within } from "./clock.ts";
import { openLifeline } from "./lifeline.ts";
import { spawnFault, startNative } from "./native_process.ts";
import type { NativeProcess } from "./native_process.ts";
import { createProcessTable } from "./process_table.ts";
import { createReceiptWriter } from "./receipt_writer.ts";
import type { ReceiptWriter } from "./receipt_writer.ts";
import { retire } from "./retire.ts";
import type { Retired, RetirePorts } from "./retire.ts";
import { openEyes } from "./run_eyes.ts";
import { onEndingSignal, sendSignal } from "./signals.ts";
import { systemPath } from "./system_path.ts";
import { runChecks } from "./version_check.ts";

/** A job that is there comes at once. */
const WARM_UP_AFTER_MS = 100;
/** The first look of a run: tools start within the first second. */
const FIRST_LOOK_MS = 500;
/** Between later looks: at most one per this time ... */
const LOOK_INTERVAL_MS = 2_000;
/** ... and looking takes at most this share of the time: a machine with many processes is looked at less ... */
const LOOK_SHARE = 0.02;
/** ... but not less than once per this time, however slow it is. */
const MAX_LOOK_INTERVAL_MS = 10_000;

/** The role. Resolves when everything is over; the caller then ends the process. Never rejects. */
export async function supervise(): Promise<void> {
  const writer = createReceiptWriter(Deno.stderr);
  const lifeline = openLifeline(Deno.stdin.readable);
  onEndingSignal((signal) => lifeline.stop(signal));
  // A fault of our own must not end the process before the clean-up.
  globalThis.addEventListener("unhandledrejection", (event) => event.preventDefault());

  const warm = warmUp(lifeline.job);
  const first = await lifeline.job;
  await warm; // the shell of its look would be taken for a process of the run
  if (first === null) return; // The adapter went before it said anything: nothing was started.
  writer.write({ receipt: "accepted" });
  await writer.flush(); // before anything is started: a supervisor that never said it can be replaced
  if (!first.ok) {
    writer.write({ receipt: "spawn_failed", fault: "other", detail: first.detail });
  } else if (first.job.supervisor_pid !== Deno.pid) {
    const detail = "The supervisor does not have the pid its adapter knows, so it leads no group";
    writer.write({ receipt: "spawn_failed", fault: "other", detail });
  } else {
    const { stopped, killed } = lifeline;
    await superviseJob({ job: first.job, writer, stopped, killed });
  }
  await writer.flush();
}

/**
 * Who has to wait for its job is kept ready for a later run: it takes a look that nobody needs, after which starting and
 * reading a process is compiled. A version check then takes 14 ms instead of 26, where it takes 12 by itself (measured).
 */
async function warmUp(job: Promise<unknown>): Promise<void> {
  const came = await within(systemClock, WARM_UP_AFTER_MS, job.then(() => true));
  if (came !== null) return;
  await createProcessTable({ path: systemPath(undefined) }).look().catch(() => {});
}

interface Supervision {
  readonly job: Job;
  readonly writer: ReceiptWriter;
  readonly stopped: Promise<unknown>;
  /** A stop has to spare nobody any time. */
  readonly killed: Promise<void>;
}

async function superviseJob(supervision: Supervision): Promise<void> {
  const { job, writer, stopped, killed } = supervision;
  const { eyes, hasNews } = openPorts(job);
  let native: NativeProcess | null = null;
  let isStopped = false;
  void stopped.then(() => isStopped = true);
  try {
    const checks = await runChecks(job, stopped);
    writer.write({ receipt: "version", ...checks });
    if (checks.ok && !isStopped) {
      const forward = (text: string) => writer.write({ receipt: "stderr", text });
      native = startNative(job, job.forward_stderr === true ? forward : undefined);
      writer.write({ receipt: "started", pid: native.pid });
    }
  } catch (caught) {
    writer.write({ receipt: "spawn_failed", ...spawnFault(caught) });
  }

  const exited = native?.exit.then((exit) => writer.write({ receipt: "exit", ...exit }));
  if (exited !== undefined) {
    const over = Promise.race([exited.then(() => "exit" as const), stopped.then(() => "stop")]);
    await watch({ eyes, hasNews, writer, token: job.marker.value }, over);
  }
  const { cleanup, rung } = await cleanUp({
    eyes,
    native,
    exited,
    killed,
    isStopped: () => isStopped,
  });
  if (native !== null) {
    // Reaping follows the last signal by a moment; an exit that never comes is a survivor.
    await within(systemClock, 1_000, Promise.resolve(exited));
    writer.write({ receipt: "stderr_tail", ...await native.stderrTail() });
  }
  writer.write({ receipt: "cleanup", cleanup, rung });
}

function openPorts(job: Job): Pick<Watch, "eyes" | "hasNews"> {
  const table = createProcessTable({ path: systemPath(job.env["PATH"]) });
  const adapter = parseToken(job.marker.value)?.adapter;
  const { look } = openEyes({
    ports: table,
    token: job.marker.value,
    supervisor: Deno.pid,
    supervisorAlive: () => true,
    // By its start time too: when it is dead, a process of the run may get its pid.
    excluded: ({ rows }) =>
      rows.filter((row) => row.pid === adapter?.pid && row.start === adapter.start)
        .map((row) => row.pid),
  });
  return { eyes: { clock: systemClock, kill: sendSignal, look }, hasNews: table.hasNews };
}

interface Watch {
  readonly eyes: RetirePorts;
  /** Whether a process may have been born since the last look: else there is nothing to see. */
  readonly hasNews: () => Promise<boolean>;
  readonly writer: ReceiptWriter;
  readonly token: string;
}

/** Looks now and then until `over`, so that a parent that ends does not hide its children. */
async function watch(
  { eyes, hasNews, writer, token }: Watch,
  over: Promise<unknown>,
): Promise<void> {
  let watching = true;
  const end = over.then(() => watching = false);
  let wait = FIRST_LOOK_MS;
  let told = "[]";
  while (watching) {
    await pause(systemClock, wait, end);
    if (!watching) return;
    const before = systemClock.monotonic();
    const look = async () => await hasNews() ? await eyes.look().catch(() => null) : null;
    const seen = await Promise.race([look(), end]);
    if (seen !== null && typeof seen === "object") {
      const unmarked = unmarkedOf(seen.found, token);
      const text = JSON.stringify(unmarked);
      if (text !== told) writer.write({ receipt: "seen", unmarked });
      told = text;
    }
    const share = (systemClock.monotonic() - before) / LOOK_SHARE;
    wait = Math.min(MAX_LOOK_INTERVAL_MS, Math.max(LOOK_INTERVAL_MS, share));
  }
}

/** Processes of the run that do not carry its marker; none, for nearly every run. */
function unmarkedOf(found: Ownership, token: string): readonly Identity[] {
  const rows = [...found.owned, ...found.foreign];
  return rows.filter((row) => !row.tokens.includes(token) && row.start >= 0).slice(-MAX_SEEN)
    .map(({ pid, start }) => ({ pid, start }));
}

interface CleanUp {
  readonly eyes: RetirePorts;
  readonly native: NativeProcess | null;
  readonly exited: Promise<void> | undefined;
  readonly killed: Promise<void>;
  readonly isStopped: () => boolean;
}

function cleanUp({ eyes, native, exited, killed, isStopped }: CleanUp): Promise<Retired> {
  return retire(eyes, {
    from: isStopped() ? "term_group" : "settle",
    group: Deno.pid,
    native: native?.pid ?? 0,
    leaders: [Deno.pid],
    hurry: killed,
    ...(exited === undefined ? {} : { wake: exited }),
  });
}
