/**
 * The entries of a conversation as they are made: numbered, bounded, in their lists.
 *
 * @module
 */
import { MAX_REPORT_ENTRIES } from "../base/limits.ts";
import type { Entry } from "./report.ts";
import type { RunClock } from "./run_clock.ts";
import { TextBudget } from "./text_budget.ts";

/** An entry without what the book adds. */
export type NewEntry<T extends Entry> = Omit<T, "id" | "at">;

/** Makes the entries of one report. */
export class EntryBook {
  /** The run's own list. */
  readonly root: Entry[] = [];
  /** Room for text. */
  readonly budget: TextBudget = new TextBudget();
  readonly #clock: RunClock;
  readonly #max: number;
  #count = 0;
  #leftOut = 0;

  /** @param max How many entries there may be. */
  constructor(clock: RunClock, max: number = MAX_REPORT_ENTRIES) {
    this.#clock = clock;
    this.#max = max;
  }

  /** Entries that found no room. */
  get leftOut(): number {
    return this.#leftOut;
  }

  /** Whether one more is still added; what is not is counted as left out. Ask before keeping an entry's text. */
  hasRoom(): boolean {
    if (this.#count < this.#max) return true;
    this.#leftOut += 1;
    return false;
  }

  /** Adds an entry of the present moment to a list. */
  add<T extends Entry>(list: Entry[], fresh: NewEntry<T>): T {
    this.#count += 1;
    const entry = { ...fresh, id: this.#count, at: this.#clock.now } as T;
    list.push(entry);
    return entry;
  }
}
