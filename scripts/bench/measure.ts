/** Measuring things side by side: A B C, B C A, C A B, so that a busy moment of the machine hits all of them. */

/** Numbers of one kind. */
export interface Sample {
  readonly median: number;
  readonly min: number;
  readonly max: number;
  /** How many there were. */
  readonly count: number;
}

/** What one action found, by name: milliseconds, bytes and the like. */
export type Figures = { readonly [metric: string]: number };

/** The median and the spread. */
export function sample(values: readonly number[]): Sample {
  const sorted = values.toSorted((a, b) => a - b);
  if (sorted.length === 0 || sorted.some((value) => !Number.isFinite(value))) {
    throw new Error(`There is no median of ${JSON.stringify(values)}`);
  }
  const at = (index: number) => sorted[index]!;
  const middle = (sorted.length - 1) / 2;
  return {
    median: (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2,
    min: at(0),
    max: at(sorted.length - 1),
    count: sorted.length,
  };
}

/** The smallest value that so large a share of all values do not pass. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const value = sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)];
  if (value === undefined) throw new Error("There is no percentile of nothing");
  return value;
}

/** What was measured by turns. */
export class Rounds<Who extends string> {
  readonly #rounds: readonly Readonly<Record<Who, Figures>>[];

  /** Takes one record a round. */
  constructor(rounds: readonly Readonly<Record<Who, Figures>>[]) {
    this.#rounds = rounds;
  }

  /** One figure of one of them. */
  of(who: Who, metric = "ms"): Sample {
    return this.#each((round) => figure(round[who], metric));
  }

  /** One over the other, round by round: what slows a whole round down cancels out. */
  ratio(who: Who, over: Who, metric = "ms"): Sample {
    return this.#each((round) => figure(round[who], metric) / figure(round[over], metric));
  }

  /** One less the other, round by round. */
  difference(who: Who, less: Who, metric = "ms"): Sample {
    return this.#each((round) => figure(round[who], metric) - figure(round[less], metric));
  }

  #each(value: (round: Readonly<Record<Who, Figures>>) => number): Sample {
    return sample(this.#rounds.map(value));
  }
}

/**
 * Measures all of them in each round, in an order that changes from round to round, after one round that does not
 * count: files are in the cache then, and code is compiled.
 *
 * @param rounds How many rounds count.
 * @param actions What is measured; each returns its own figures.
 * @param restMs How long everybody rests before each: what one starts behind its answer must not slow down the next.
 */
export async function byTurns<Who extends string>(
  rounds: number,
  actions: Readonly<Record<Who, () => Promise<Figures>>>,
  restMs: number = 0,
): Promise<Rounds<Who>> {
  const names = Object.keys(actions) as Who[];
  const found: Record<Who, Figures>[] = [];
  for (let round = 0; round <= rounds; round++) {
    const first = round % names.length;
    const record = {} as Record<Who, Figures>;
    for (const name of [...names.slice(first), ...names.slice(0, first)]) {
      if (restMs > 0) await sleep(restMs);
      record[name] = await actions[name]();
    }
    if (round > 0) found.push(record);
  }
  return new Rounds(found);
}

/** Milliseconds that `work` takes. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const before = performance.now();
  await work();
  return performance.now() - before;
}

/** Resolves after so many milliseconds. */
export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function figure(figures: Figures, metric: string): number {
  const value = figures[metric];
  if (value === undefined) throw new Error(`Nobody measured '${metric}'`);
  return value;
}
