/**
 * The checks of an executable that come before its job.
 *
 * @module
 */
import { cutText } from "../base/json.ts";
import { MAX_VERSION_OUTPUT_BYTES, VERSION_CHECK_MS } from "../base/limits.ts";
import type { AdmittedBy, ExecutableCheck, Job } from "../supervision/job.ts";
import { createTailBuffer } from "../supervision/tail_buffer.ts";
import { systemClock, within } from "./clock.ts";
import { drain } from "./native_process.ts";

/** What a version receipt shows of an output. */
const SHOWN_OUTPUT_BYTES = 1_024;
/** After the probe ended, its stdout is read until it is closed, but not longer than this. */
const STDOUT_DRAIN_MS = 500;

/** What the checks said; `started` tells whether anything was started that may have left something. */
export interface CheckOutcome {
  readonly ok: boolean;
  /** The last check's standard output, bounded, for messages. */
  readonly stdout: string;
  readonly detail: string;
  /** Why it passed. */
  readonly by?: AdmittedBy;
}

/**
 * Runs every check in turn, all within one budget; the first that fails ends it. Throws what Deno throws when it cannot
 * start.
 */
export async function runChecks(job: Job, stopped: Promise<unknown>): Promise<CheckOutcome> {
  const until = systemClock.monotonic() + VERSION_CHECK_MS;
  let passed: CheckOutcome = { ok: true, stdout: "", detail: "" };
  for (const check of job.checks) {
    const outcome = await runCheck({ job, check, stopped, until });
    if (!outcome.ok) return outcome;
    const by = passed.by === undefined ? outcome.by : weaker(passed.by, outcome.by);
    passed = { ...outcome, ...(by !== undefined && { by }) };
  }
  return passed;
}

/** From strong to weak. */
const STRENGTH: readonly AdmittedBy[] = ["tree", "receipt", "override"];

function weaker(one: AdmittedBy, other: AdmittedBy | undefined): AdmittedBy {
  return other !== undefined && STRENGTH.indexOf(other) > STRENGTH.indexOf(one) ? other : one;
}

interface OneCheck {
  readonly job: Job;
  readonly check: ExecutableCheck;
  readonly stopped: Promise<unknown>;
  /** When the budget ends, on the monotonic clock. */
  readonly until: number;
}

async function runCheck({ job, check, stopped, until }: OneCheck): Promise<CheckOutcome> {
  const child = new Deno.Command(job.executable, {
    args: [...check.args],
    clearEnv: true,
    env: { ...job.env },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const output = createTailBuffer(MAX_VERSION_OUTPUT_BYTES);
  const errors = createTailBuffer(SHOWN_OUTPUT_BYTES);
  let bytes = 0;
  const flooded = Promise.withResolvers<"flooded">();
  const read = drain(child.stdout, (chunk) => {
    bytes += chunk.length;
    output.push(chunk);
    if (bytes > MAX_VERSION_OUTPUT_BYTES) flooded.resolve("flooded");
  });
  void drain(child.stderr, (chunk) => errors.push(chunk));

  const ended = await within(
    systemClock,
    Math.max(0, until - systemClock.monotonic()),
    Promise.race([child.status, flooded.promise, stopped.then(() => "stopped" as const)]),
  );
  if (ended === null || ended === "flooded" || ended === "stopped") {
    // It is still this process's unreaped child, so the pid is its own. What it started is retired later.
    kill(child);
    return { ok: false, stdout: shown(output.text().text), detail: FAULTS[ended ?? "late"] };
  }
  await within(systemClock, STDOUT_DRAIN_MS, read);
  const { text, truncated } = output.text();
  const accepted = truncated ? undefined : check.accepts.find((one) => one.stdout === text);
  const detail = ended.signal !== null
    ? `it was ended by ${ended.signal}`
    : ended.code !== 0
    ? `it ended with code ${ended.code}`
    : accepted === undefined
    ? "its output differs"
    : "";
  const said = detail === "" ? "" : errors.text().text.trim();
  return {
    ok: detail === "",
    ...(detail === "" && accepted !== undefined && { by: accepted.by }),
    stdout: shown(text),
    detail: said === "" ? detail : `${detail}: ${cutText(said, SHOWN_OUTPUT_BYTES)}`,
  };
}

const FAULTS = {
  late: `it did not end within ${VERSION_CHECK_MS / 1000} s`,
  flooded: `it printed more than ${MAX_VERSION_OUTPUT_BYTES} bytes`,
  stopped: "the run was stopped meanwhile",
} as const;

function shown(text: string): string {
  return cutText(text, SHOWN_OUTPUT_BYTES);
}

function kill(child: Deno.ChildProcess): void {
  try {
    child.kill("SIGKILL");
  } catch {
    // It has just ended.
  }
}
