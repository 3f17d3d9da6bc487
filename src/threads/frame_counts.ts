/**
 * What of a stream was left out, counted by type in bounded memory.
 *
 * @module
 */
import { visible } from "../base/visible.ts";

/** Types counted apart; the rest is counted together. */
const MAX_LABELS = 64;
const MAX_LABEL_CHARS = 80;
/** Where the rest is counted. No type has this name: a type is text without brackets around it. */
const REST = "(other)";

/** Counts by type, such as `system/status`. */
export type Counts = { readonly [label: string]: number };

/** Counts labels that a stranger chose. */
export class BoundedCounts {
  readonly #counts = new Map<string, number>();

  /** Counts one. */
  add(label: string): void {
    const short = visible(label.slice(0, MAX_LABEL_CHARS));
    const key = this.#counts.has(short) || this.#counts.size < MAX_LABELS ? short : REST;
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  /** All of them together. */
  get total(): number {
    let sum = 0;
    for (const count of this.#counts.values()) sum += count;
    return sum;
  }

  /** A copy; without a prototype, so that a type called `__proto__` is a type. */
  get value(): Counts {
    return Object.assign(Object.create(null), Object.fromEntries(this.#counts));
  }
}
