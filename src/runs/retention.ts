/**
 * Which runs may start, which one makes room, and which may be forgotten. Pure.
 *
 * @module
 */
import { AdapterError } from "../base/errors.ts";
import { MAX_ACTIVE_RUNS, MAX_RETAINED_RUNS } from "../base/limits.ts";

/** What retention needs to know of a run. */
export interface RetainedRun {
  readonly id: string;
  readonly settled: boolean;
  /** Only meaningful once settled. */
  readonly cleanupConfirmed: boolean;
}

/** Bounds of retention. */
export interface RetentionLimits {
  /** Runs that are active or unconfirmed. Default: 4. */
  readonly active: number;
  /** All runs. Default: 32. */
  readonly retained: number;
}

const DEFAULT_LIMITS: RetentionLimits = { active: MAX_ACTIVE_RUNS, retained: MAX_RETAINED_RUNS };

/**
 * Makes sure that one more run may start, given the retained ones oldest first.
 *
 * Returns the id of the run that makes room, or `null` when none has to. Throws `AdapterError` `capacity`.
 */
export function admit(
  runs: readonly RetainedRun[],
  limits: RetentionLimits = DEFAULT_LIMITS,
): string | null {
  const busy = runs.filter((run) => !isForgettable(run));
  if (busy.length >= limits.active) {
    const unconfirmed = busy.filter((run) => run.settled).length;
    const hint = unconfirmed === 0
      ? "wait for one to settle, or cancel one"
      : `${unconfirmed} of them settled without confirmed clean-up and are looked at again now; try again in some seconds, or end the processes that 'cleanup.survivors' of their results names`;
    throw new AdapterError(
      "capacity",
      `${busy.length} runs are active or have unconfirmed clean-up, and the bound is ${limits.active}: ${hint}`,
    );
  }
  if (runs.length < limits.retained) return null;
  const oldest = runs.find(isForgettable);
  if (oldest === undefined) {
    throw new AdapterError(
      "capacity",
      `${runs.length} runs are retained, which is the bound, and none of them can make room: release one`,
    );
  }
  return oldest.id;
}

/** Throws `run_active` or `cleanup_unconfirmed` unless the run may be forgotten. */
export function assertReleasable(run: RetainedRun): void {
  if (!run.settled) {
    throw new AdapterError(
      "run_active",
      `Run '${run.id}' has not settled: cancel it or wait for its result, then release it`,
    );
  }
  if (!run.cleanupConfirmed) {
    throw new AdapterError(
      "cleanup_unconfirmed",
      `Run '${run.id}' stays retained: it is not confirmed that its processes are gone. They are looked at again now; try again in some seconds, or end those that 'cleanup.survivors' of its result names`,
    );
  }
}

function isForgettable(run: RetainedRun): boolean {
  return run.settled && run.cleanupConfirmed;
}
