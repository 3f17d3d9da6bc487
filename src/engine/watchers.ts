/**
 * Waiting for something to become true, with a bound and without leaks.
 *
 * @module
 */
import type { Clock } from "../supervision/ports.ts";

/** Callers that wait for a change. */
export class Watchers {
  readonly #waiting = new Set<() => void>();

  /** Tells every waiter to look again. */
  notify(): void {
    for (const look of [...this.#waiting]) look();
  }

  /**
   * Resolves when `done()` is true (looked at now and after each {@linkcode notify}), after `ms`, or when
   * `signal` aborts, whichever is first. Never rejects.
   */
  until(
    done: () => boolean,
    options: { clock: Clock; ms: number; signal?: AbortSignal },
  ): Promise<void> {
    if (done() || options.ms <= 0 || options.signal?.aborted === true) return Promise.resolve();
    return new Promise((resolve) => {
      const finish = () => {
        this.#waiting.delete(look);
        takeBack();
        options.signal?.removeEventListener("abort", finish);
        resolve();
      };
      const look = () => {
        if (done()) finish();
      };
      const takeBack = options.clock.after(options.ms, finish);
      options.signal?.addEventListener("abort", finish);
      this.#waiting.add(look);
    });
  }

  /** How many callers wait; for tests and diagnostics. */
  get size(): number {
    return this.#waiting.size;
  }
}
