/**
 * The file form of a run: one JSON value a line, each line ended by a newline, UTF-8.
 *
 * - Every line but the last is one native event, as the run's store keeps it: the event itself, or the marker
 *   `{"omitted":true,"reason":…,"type":…,"bytes":…}` that stands for one that is too large (above 128 KiB, see
 *   `event_ring.ts`). Line N is the event with the cursor N.
 * - The last line is the settled value with `"type":"claude-code-adapter/settled"` in front, without the members that
 *   repeat the events (`events`, `event_page`, `events_truncated`). No native event has that type.
 *
 * A file without that last line is of a run whose writer ended first; a last line without its newline is half a line.
 *
 * @module
 */
import { isObject, jsonText, type JsonValue } from "../base/json.ts";
import type { SettledRun } from "./values.ts";

/** The type of the last line. */
export const SETTLED_LINE_TYPE = "claude-code-adapter/settled";

/** The settled value as a file has it: its events are the lines before. */
export type SettledLine =
  & { readonly type: typeof SETTLED_LINE_TYPE }
  & Omit<
    SettledRun,
    "events" | "event_page" | "events_truncated"
  >;

/** One event as a line, newline included. */
export function eventLine(event: JsonValue): string {
  return `${jsonText(event)}\n`;
}

/** The last line, newline included. */
export function settledLine(value: SettledRun): string {
  const { events: _, event_page: _page, events_truncated: _cut, ...rest } = value;
  const line: SettledLine = { type: SETTLED_LINE_TYPE, ...rest };
  return `${jsonText(line)}\n`;
}

/** Whether a parsed line is the last one. */
export function isSettledLine(value: unknown): value is SettledLine {
  return isObject(value) && value.type === SETTLED_LINE_TYPE;
}
