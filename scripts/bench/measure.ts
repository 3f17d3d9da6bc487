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

/**
 * Runs each by turns, after one round that does not count.
 *
 * @param rounds How many rounds count.
 * @param actions What is measured; each returns its own figure.
 * @returns A sample for each action.
 */
export async function byTurns<Name extends string>(
  rounds: number,
  actions: Readonly<Record<Name, () => Promise<number>>>,
): Promise<Record<Name, Sample>> {
  const names = Object.keys(actions) as Name[];
  const found = new Map<Name, number[]>(names.map((name) => [name, []]));
  for (let round = 0; round <= rounds; round++) {
    for (const name of names) {
      const value = await actions[name]();
      if (round > 0) found.get(name)?.push(value);
    }
  }
  const samples = names.map((name) => [name, sample(found.get(name) ?? [])] as const);
  return Object.fromEntries(samples) as Record<Name, Sample>;
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
