/**
 * One at a time by name, in the order of arrival, within this process.
 *
 * @module
 */

interface Visit {
  /** When the one who is inside has entered; `null` while it waits itself. */
  since: number | null;
  readonly left: Promise<void>;
}

/** Lets one through at a time for each name. */
export class Turnstile {
  /** Everybody inside or waiting, in order. */
  readonly #visits = new Map<string, Visit[]>();
  readonly #now: () => number;

  /** Takes a clock of Unix milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Since when somebody is inside, Unix milliseconds; `null` when nobody is there. */
  busySince(name: string): number | null {
    const first = this.#visits.get(name)?.[0];
    return first === undefined ? null : first.since ?? this.#now();
  }

  /**
   * Resolves when everybody before has left; the returned function leaves, and may be called twice. Resolves to `null`
   * when `signal` aborts before.
   */
  async enter(name: string, signal?: AbortSignal): Promise<(() => void) | null> {
    const { promise: left, resolve } = Promise.withResolvers<void>();
    const visit: Visit = { since: null, left };
    const visits = this.#visits.get(name) ?? [];
    this.#visits.set(name, visits);
    visits.push(visit);
    const leave = () => {
      const at = visits.indexOf(visit);
      if (at !== -1) visits.splice(at, 1);
      if (visits.length === 0 && this.#visits.get(name) === visits) this.#visits.delete(name);
      resolve();
    };
    // Whoever waited before may give up, so it is looked again who is before.
    while (visits[0] !== visit && signal?.aborted !== true) {
      await orAborted(visits[visits.indexOf(visit) - 1]!.left, signal);
    }
    if (signal?.aborted === true) {
      leave();
      return null;
    }
    visit.since = this.#now();
    return leave;
  }
}

/** Resolves with `work`, or earlier when `signal` aborts. */
async function orAborted(work: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const abort = () => resolve();
  signal?.addEventListener("abort", abort);
  await Promise.race([work, promise]);
  signal?.removeEventListener("abort", abort);
}
