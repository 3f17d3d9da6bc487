/**
 * How findings are made.
 *
 * @module
 */
import { cutText, jsonText } from "../base/json.ts";
import { visible } from "../base/visible.ts";
import type { Finding } from "./check.ts";

const SHOWN_BYTES = 160;

/** A value as a finding shows it: bounded, on one line. */
export function shown(value: unknown): string {
  if (value === undefined || value === null) return "missing";
  return visible(cutText(jsonText(value), SHOWN_BYTES));
}

/** A finding when `actual` is not `wanted`, compared as JSON. */
export function expectSame(what: string, actual: unknown, wanted: unknown): Finding {
  return jsonText(actual) === jsonText(wanted)
    ? null
    : `${what} is ${shown(actual)} instead of ${shown(wanted)}`;
}

/** A finding when `holds` is false. */
export function expectThat(holds: boolean, otherwise: string): Finding {
  return holds ? null : otherwise;
}

/** The first finding of several, each made only when those before it were none. */
export function firstFinding(...findings: readonly (() => Finding)[]): Finding {
  for (const find of findings) {
    const finding = find();
    if (finding !== null) return finding;
  }
  return null;
}
