/**
 * One at a time by name, in the order of arrival, within this process.
 *
 * @module
 */

/** Lets one through at a time for each name. */
export class Turnstile {
  readonly #last = new Map<string, Promise<void>>();

  /** Whether somebody is inside or waits. */
  isBusy(name: string): boolean {
    return this.#last.has(name);
  }

  /** Resolves when everybody before has left; the returned function leaves, and may be called twice. */
  async enter(name: string): Promise<() => void> {
    const before = this.#last.get(name);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#last.set(name, promise);
    await before;
    return () => {
      if (this.#last.get(name) === promise) this.#last.delete(name);
      resolve();
    };
  }
}
