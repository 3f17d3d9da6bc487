/**
 * A set that remembers the last so many texts.
 *
 * @module
 */

/** Longer texts are no ids, and are not kept. */
export const MAX_ID_CHARS = 256;

/** Ids that were seen lately. */
export class RecentSet {
  readonly #ids = new Set<string>();
  readonly #bound: number;

  /** Remembers at most `bound` ids; the oldest go first. */
  constructor(bound: number) {
    this.#bound = bound;
  }

  /** How many are remembered. */
  get size(): number {
    return this.#ids.size;
  }

  /** Whether the id is remembered. */
  has(id: string): boolean {
    return this.#ids.has(id);
  }

  /** Remembers an id; returns whether it is new. */
  add(id: string): boolean {
    if (this.#ids.has(id)) return false;
    if (id.length > MAX_ID_CHARS) return true;
    this.#ids.add(id);
    if (this.#ids.size > this.#bound) {
      for (const oldest of this.#ids) {
        this.#ids.delete(oldest);
        break;
      }
    }
    return true;
  }

  /** Forgets an id. */
  delete(id: string): void {
    this.#ids.delete(id);
  }

  /** Forgets all. */
  clear(): void {
    this.#ids.clear();
  }
}
