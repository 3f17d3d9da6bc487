/** Measuring two things side by side: A B A B, so that a busy moment of the machine hits both. */

/** Numbers of one kind, sorted. */
export interface Sample {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** What one benchmark found, as a row of the table. */
export interface Row {
  /** What was measured. */
  readonly what: string;
  /** The adapter's figure, with its unit. */
  readonly ours: string;
  /** What it is compared with, and that figure. */
  readonly base: string;
  /** Ours over the base, or a plain figure. */
  readonly ratio: string;
}

/** The median and the spread. */
export function sample(values: readonly number[]): Sample {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (index: number) => sorted[index] ?? NaN;
  const middle = (sorted.length - 1) / 2;
  return {
    median: (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2,
    min: at(0),
    max: at(sorted.length - 1),
  };
}

/** Two things that were measured by turns. */
export interface Comparison {
  readonly ours: Sample;
  readonly base: Sample;
  /** The median of ours over base, round by round: what slows a whole round down cancels out. */
  readonly ratio: number;
}

/**
 * Measures both in each round, in changing order, after one round that does not count.
 *
 * @param rounds How many rounds count.
 * @param actions What is measured; each returns its own figure.
 */
export async function byTurns(
  rounds: number,
  actions: { readonly ours: () => Promise<number>; readonly base: () => Promise<number> },
): Promise<Comparison> {
  const found: { readonly ours: number; readonly base: number }[] = [];
  for (let round = 0; round <= rounds; round++) {
    const first = round % 2 === 0 ? await actions.ours() : null;
    const base = await actions.base();
    const pair = { ours: first ?? await actions.ours(), base };
    if (round > 0) found.push(pair);
  }
  return {
    ours: sample(found.map((pair) => pair.ours)),
    base: sample(found.map((pair) => pair.base)),
    ratio: sample(found.map((pair) => pair.ours / pair.base)).median,
  };
}

/** Milliseconds that `work` takes. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const before = performance.now();
  await work();
  return performance.now() - before;
}

/** `12 ms (11–15)`. */
export function shown({ median, min, max }: Sample, unit: string): string {
  const digits = median < 10 ? 1 : 0;
  return `${median.toFixed(digits)} ${unit} (${min.toFixed(digits)}–${max.toFixed(digits)})`;
}

/** Prints rows as a table. */
export function printTable(rows: readonly Row[]): void {
  const head: Row = { what: "", ours: "adapter", base: "compared with", ratio: "ratio" };
  const keys = ["what", "ours", "base", "ratio"] as const;
  const width = (key: keyof Row) => Math.max(...[head, ...rows].map((row) => row[key].length));
  for (const row of [head, ...rows]) {
    // deno-lint-ignore no-console -- printing is what a benchmark is for
    console.log(keys.map((key) => row[key].padEnd(width(key))).join("  ").trimEnd());
  }
}
