/** What a benchmark is. */

import type { Finding } from "./finding.ts";

/** How much is measured: for the document; in a minute or two; just enough to show that it works. */
export type Size = "full" | "quick" | "smallest";

/** One benchmark. */
export interface BenchCase {
  /** What it measures, in a few words. */
  readonly title: string;
  /** Measures it. */
  readonly measure: (size: Size) => Promise<readonly Finding[]>;
}

/** A number for each size. */
export type Sizes = { readonly [size in Size]: number };

/** Rounds of what takes less than a second. */
export const ROUNDS: Sizes = { full: 15, quick: 5, smallest: 1 };
