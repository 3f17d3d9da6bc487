/**
 * What a run of chaos found, in words.
 *
 * @module
 */
import type { CycleResult } from "./lane.ts";
import { describePlan } from "./plan.ts";

/** What was found. */
export interface Report {
  readonly seed: number;
  readonly results: readonly CycleResult[];
}

/** How many processes were left, and how many claims were false. Both must be 0. */
export function faultsOf(
  { results }: Report,
): { readonly leftOvers: number; readonly falseClaims: number } {
  return {
    leftOvers: results.reduce((sum, one) => sum + one.leftOvers.length, 0),
    falseClaims: results.reduce((sum, one) => sum + one.falseClaims.length, 0),
  };
}

/** Totals, and the times by kind of end; {@linkcode describeFaults} has the faults. */
export function describeReport(report: Report): string {
  const { seed, results } = report;
  const { leftOvers, falseClaims } = faultsOf(report);
  const unconfirmed = results.filter((one) => one.unconfirmed).length;
  const escalated = results.filter((one) => one.escalated).length;
  const swept = results.reduce((sum, one) => sum + one.swept, 0);
  return [
    `cycles ${results.length}, left-overs ${leftOvers}, false claims ${falseClaims} (seed ${seed})`,
    `unconfirmed answers ${unconfirmed}, runs that needed SIGKILL ${escalated}, processes swept by a next start ${swept}`,
    "",
    ...table(results),
  ].join("\n");
}

/** One line for each thing that was wrong with a cycle. */
export function describeFaults(result: CycleResult): string[] {
  const where = describePlan(result.plan);
  return [
    ...result.falseClaims.map((claim) => `  false claim, ${where}: ${claim}`),
    ...result.leftOvers.map((process) => `  left over, ${where}: ${process}`),
    ...(result.unconfirmed ? [`  unconfirmed, ${where}`] : []),
  ];
}

/** From the end's first act until the answer, or until nothing is left where nobody answers. */
function table(results: readonly CycleResult[]): string[] {
  const ends = new Map<string, number[]>();
  for (const { end, ms } of results) {
    // A run that nobody ended has no time that means anything.
    if (end === "its own end" || end === "nothing to strike") continue;
    ends.set(end, [...ends.get(end) ?? [], ms]);
  }
  const rows = [...ends].toSorted(([a], [b]) => a < b ? -1 : 1).map(([end, times]) => {
    const sorted = times.toSorted((a, b) => a - b);
    const at = (share: number) => sorted[Math.round((sorted.length - 1) * share)]!.toFixed(0);
    return [end, String(times.length), at(0), at(0.5), at(0.9), at(1)];
  });
  const quiet =
    results.filter(({ end }) => end === "its own end" || end === "nothing to strike").length;
  const all = [["clean-up time in ms", "cycles", "min", "p50", "p90", "max"], ...rows];
  const width = (column: number) => Math.max(...all.map((row) => row[column]!.length));
  return [
    ...all.map((row) =>
      row.map((cell, column) => column === 0 ? cell.padEnd(width(0)) : cell.padStart(width(column)))
        .join("  ")
    ),
    `and ${quiet} runs that ended by themselves, or had nothing to strike`,
  ];
}
