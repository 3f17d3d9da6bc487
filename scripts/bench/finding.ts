/** What a benchmark found: a figure of the adapter, what it is held against, and whether that is what is aimed at. */

import type { Sample } from "./measure.ts";

/** A number with its spread and unit. */
export interface Figure {
  /** `ms`, `MB/s`, `MB`, `%`, or `x` for a ratio. */
  readonly unit: string;
  readonly sample: Sample;
}

/** Something else, measured in the same rounds. */
export interface Base {
  readonly what: string;
  readonly figure: Figure;
}

/** What is wanted of a finding. */
export interface Aim {
  /** Whether the adapter's own figure is meant, or the comparison. */
  readonly of: "figure" | "comparison";
  readonly atMost?: number;
  readonly atLeast?: number;
}

/** One row of the table. */
export interface Finding {
  readonly what: string;
  /** The adapter's figure. */
  readonly figure: Figure;
  readonly base?: Base;
  /** Ours over the base (`x`), or ours less the base (`ms more`), round by round. */
  readonly comparison?: Figure;
  readonly aim?: Aim;
  /** What has to be known to read it. */
  readonly note?: string;
}

/** Shorthand for a {@linkcode Figure}. */
export function figure(unit: string, sample: Sample): Figure {
  return { unit, sample };
}

/** Whether the median is what is aimed at; `null` when nothing is. */
export function isMet({ aim, figure, comparison }: Finding): boolean | null {
  if (aim === undefined) return null;
  const judged = aim.of === "figure" ? figure : comparison;
  if (judged === undefined) throw new Error("The aim is about a comparison that was not made");
  const { median } = judged.sample;
  return median <= (aim.atMost ?? Infinity) && median >= (aim.atLeast ?? -Infinity);
}

/** `12 ms (11–15)`. */
export function figureText({ unit, sample: { median, min, max, count } }: Figure): string {
  const digits = digitsOf(unit, median);
  const text = (value: number) => value.toFixed(digits);
  const spread = count > 1 ? ` (${text(min)}–${text(max)})` : "";
  return `${text(median)} ${unit}${spread}`;
}

/** `≤ 4 x: met`, or empty. */
export function aimText(finding: Finding): string {
  const { aim, figure, comparison } = finding;
  if (aim === undefined) return "";
  const unit = (aim.of === "figure" ? figure : comparison)?.unit ?? "";
  const bound = aim.atMost === undefined ? `≥ ${aim.atLeast}` : `≤ ${aim.atMost}`;
  return `${bound} ${unit}: ${isMet(finding) ? "met" : "missed"}`;
}

function digitsOf(unit: string, value: number): number {
  if (unit === "x") return 2;
  if (unit === "%") return 3;
  return Math.abs(value) < 10 ? 1 : 0;
}
