/**
 * Runs the checks that a tree declares on an executable: does it say what the tree says it says?
 *
 * @module
 */
import { createHash } from "node:crypto";
import { VERSION_CHECK_MS } from "../base/limits.ts";
import type { Clock } from "../supervision/ports.ts";
import { CheckedFile } from "./checked_file.ts";
import { systemClock, whenAborted, within } from "./clock.ts";
import { systemWords } from "./file_fault.ts";
import { sendSignal } from "./signals.ts";
import { CANNOT_START_CODES, startWatched, type WatchedChild } from "./watched_child.ts";

/** What a check may print on each of its two outputs. */
const MAX_OUTPUT_BYTES = 4 * 1024 * 1024;

/** How long a killed process may take to be gone. */
const REAP_MS = 2_000;

/** One declared check: fixed arguments, and the exact output or its digest. */
export interface DeclaredCheck {
  readonly args: readonly string[];
  readonly stdout?: string;
  /** Lower-case hexadecimal. */
  readonly stdout_sha256?: string;
}

/** How to run checks. */
export interface RunChecksOptions {
  /** A path with a slash in it; a relative one starts from the current directory. */
  readonly executable: string;
  /** Ends the checks. */
  readonly stop?: AbortSignal;
  /**
   * Times the budget.
   *
   * @default {the system's}
   */
  readonly clock?: Clock;
}

/** Why checks failed. */
export type CheckFaultKind =
  | "unavailable"
  | "mismatch"
  | "timeout"
  | "identity_changed"
  | "cancelled";

/** What the checks said. */
export interface ChecksOutcome {
  /** How many passed before the first that did not. */
  readonly passed: number;
  /** `null` when all passed. */
  readonly fault: {
    readonly kind: CheckFaultKind;
    /** The check's place in the list, `null` when it is none's in particular. */
    readonly index: number | null;
    /** Says what was wrong, without what was printed. */
    readonly message: string;
  } | null;
}

/**
 * Runs the checks in turn, the first that fails being the last: in the current directory and environment, with nothing
 * on standard input, all within one budget of 5 s. A check passes when it exits with 0, prints exactly what it has to,
 * and the file is still the same afterwards. Whatever a failed check started in its process group is ended.
 *
 * The comparison of the file notices an update in between; it is no protection against somebody who replaces the file
 * and puts it back. The content of a file that was changed just now is compared as well, since its times do not tell.
 * Never rejects.
 */
export async function runDeclaredChecks(
  checks: readonly DeclaredCheck[],
  options: RunChecksOptions,
): Promise<ChecksOutcome> {
  const { executable, clock = systemClock } = options;
  const file = new CheckedFile(executable, clock);
  const problem = await file.open();
  if (problem !== null) {
    return { passed: 0, fault: { kind: "unavailable", index: null, message: problem } };
  }
  const until = clock.monotonic() + VERSION_CHECK_MS;
  for (const [index, check] of checks.entries()) {
    const left = until - clock.monotonic();
    const problem = await runCheck(check, { clock, ...options, left });
    // First of all: a file that was replaced explains every other problem.
    if (!await file.isSame()) {
      const message = "the executable's file changed while it was checked; check it again";
      return { passed: index, fault: { kind: "identity_changed", index, message } };
    }
    if (problem !== null) return { passed: index, fault: { ...problem, index } };
  }
  return { passed: checks.length, fault: null };
}

interface OneRun extends RunChecksOptions {
  readonly clock: Clock;
  /** Milliseconds that are left of the budget. */
  readonly left: number;
}

interface CheckProblem {
  readonly kind: CheckFaultKind;
  readonly message: string;
}

async function runCheck(check: DeclaredCheck, run: OneRun): Promise<CheckProblem | null> {
  if (run.left <= 0) return TIMEOUT;
  if (run.stop?.aborted) return CANCELLED;
  const started = start(run.executable, check.args);
  if ("kind" in started) return started;
  try {
    return await judge(check, started.child, run);
  } finally {
    await started.release();
  }
}

async function judge(
  check: DeclaredCheck,
  child: Deno.ChildProcess,
  { clock, left, stop }: OneRun,
): Promise<CheckProblem | null> {
  const giveUp = new AbortController();
  const stdout = watch(child.stdout, giveUp.signal);
  const stderr = watch(child.stderr, giveUp.signal);
  const ended = await within(
    clock,
    left,
    Promise.race([
      Promise.all([child.status, stdout.ended, stderr.ended]).then(([status]) => status),
      Promise.race([stdout.flooded, stderr.flooded]).then(() => FLOODED),
      ...(stop === undefined ? [] : [whenAborted(stop)!.then(() => CANCELLED)]),
    ]),
  );
  if (ended === null || "kind" in ended) {
    // The leader of the group is there still, or a member of it that holds the output open.
    sendSignal(-child.pid, "SIGKILL");
    await within(systemClock, REAP_MS, child.status);
    giveUp.abort();
    await Promise.all([stdout.ended, stderr.ended]);
    return ended ?? TIMEOUT;
  }
  if (ended.signal !== null) return mismatch(`was ended by ${ended.signal}`);
  if (CANNOT_START_CODES.includes(ended.code)) {
    const why = "it, or a program that it needs, does not exist or may not be run";
    return unavailable(`${why} (code ${ended.code})`);
  }
  if (ended.code !== 0) return mismatch(`ended with code ${ended.code} instead of 0`);
  const expected = check.stdout_sha256 ??
    createHash("sha256").update(check.stdout ?? "").digest("hex");
  return stdout.digest() === expected
    ? null
    : mismatch(`printed ${stdout.bytes()} bytes that are not the expected output`);
}

const TIMEOUT: CheckProblem = {
  kind: "timeout",
  message: `the checks did not end within ${VERSION_CHECK_MS / 1_000} s, all of them together`,
};
const CANCELLED: CheckProblem = { kind: "cancelled", message: "the checks were interrupted" };
const FLOODED: CheckProblem = mismatch(`printed more than ${MAX_OUTPUT_BYTES} bytes`);

function mismatch(what: string): CheckProblem {
  return { kind: "mismatch", message: `the executable ${what}` };
}

/** In a group of its own, so that all of it can be ended; or why it could not be started. */
function start(executable: string, args: readonly string[]): WatchedChild | CheckProblem {
  // Neither looked for in PATH nor taken for an option.
  const isPlain = executable.includes("/") && !executable.startsWith("-");
  try {
    return startWatched(isPlain ? executable : `./${executable}`, { args });
  } catch (caught) {
    return unavailable(
      caught instanceof Deno.errors.NotCapable
        ? "allow running it, through /bin/sh, with --allow-run"
        : systemWords(caught),
    );
  }
}

function unavailable(why: string): CheckProblem {
  return { kind: "unavailable", message: `the executable cannot be started: ${why}` };
}

/** Reads an output to its end, or until it is given up, in constant memory. */
function watch(stream: ReadableStream<Uint8Array>, signal: AbortSignal) {
  const hash = createHash("sha256");
  const flood = Promise.withResolvers<void>();
  let bytes = 0;
  const sink = new WritableStream<Uint8Array>({
    write(chunk) {
      bytes += chunk.length;
      hash.update(chunk);
      if (bytes > MAX_OUTPUT_BYTES) flood.resolve();
    },
  });
  // A pipe that fails has ended.
  const ended = stream.pipeTo(sink, { signal }).catch(() => {});
  return { ended, flooded: flood.promise, bytes: () => bytes, digest: () => hash.digest("hex") };
}
