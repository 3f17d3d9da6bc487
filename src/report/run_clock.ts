/**
 * When things happened in a run, as far as its events tell.
 *
 * Measured: of the native events only `assistant` and `user` carry a `timestamp`, the end of a task carries one in its
 * patch, and a retry says how long the CLI waits. Everything else is placed between its neighbours.
 *
 * @module
 */

/** A moment of a run. */
export interface Mark {
  /** Unix milliseconds; `null` before the first event that has a time. */
  readonly ms: number | null;
  /** Milliseconds known to have passed since `ms`, or since the start when that is `null`. */
  readonly since: number;
  /** The number of the event, from 1. */
  readonly step: number;
}

/** Times outside of these are mistakes, or jokes: 2001 and 2286. */
const EARLIEST_MS = 1e12;
const LATEST_MS = 1e13 - 1;
/** A wait is believed up to an hour. */
const MAX_WAIT_MS = 3_600_000;

/** Follows the events of one run. */
export class RunClock {
  #ms: number | null = null;
  #since = 0;
  #lead = 0;
  #step = 0;
  #first: number | null = null;
  #last: number | null = null;

  /** Goes on to the next event; `time` is what it says of its time, whatever that is. */
  next(time: unknown): void {
    this.#step += 1;
    this.observe(readTime(time));
  }

  /** Takes note of a time that is known to have come. Time never goes back: what says so counts as the same moment. */
  observe(ms: number | null): void {
    if (ms === null) return;
    if (this.#ms === null) {
      this.#lead = this.#since;
      this.#first = ms;
    }
    this.#ms = Math.max(ms, this.#ms ?? ms);
    this.#since = 0;
    this.#last = this.#ms;
  }

  /** Whether no event had a time yet. */
  get isUnset(): boolean {
    return this.#ms === null;
  }

  /** Takes note that so many milliseconds pass. */
  wait(ms: number | null): void {
    if (ms !== null && ms > 0) this.#since += Math.min(ms, MAX_WAIT_MS);
  }

  /** The present moment. */
  get now(): Mark {
    return { ms: this.#ms, since: this.#since, step: this.#step };
  }

  /** The first and the last moment; `null` when no event had a time. */
  get bounds(): { readonly from: number; readonly to: number } | null {
    if (this.#first === null || this.#last === null) return null;
    return { from: this.#first - this.#lead, to: this.#last + this.#since };
  }
}

/**
 * Milliseconds from the start of the run to a mark.
 *
 * @param from The first moment, as {@linkcode RunClock.bounds} has it.
 */
export function elapsed({ ms, since }: Mark, from: number): number {
  return ms === null ? since : Math.max(0, ms + since - from);
}

/** A time as ISO 8601 text or Unix milliseconds; `null` when it is neither, or out of this age. */
export function readTime(value: unknown): number | null {
  const ms = typeof value === "number"
    ? value
    : typeof value === "string" && /^\d{4}-\d\d-\d\dT[\d:.]{5,15}(?:Z|[+-]\d\d:?\d\d)$/.test(value)
    ? Date.parse(value)
    : NaN;
  return ms >= EARLIEST_MS && ms <= LATEST_MS ? ms : null;
}
