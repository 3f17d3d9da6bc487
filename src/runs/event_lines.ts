/**
 * The file form of a run: one JSON value a line, each line ended by a newline, UTF-8.
 *
 * - Every line but the last is one native event, whole. A frame above 1 MiB, of which nothing was kept, is the marker
 *   `{"omitted":true,"reason":"frame_byte_bound","type":…,"bytes":…}`. Line N is the event with the cursor N.
 * - The last line is the settled value with `"type":"claude-code-adapter/settled"` in front, without the members that
 *   repeat the events (`events`, `event_page`, `events_truncated`). No native event has that type.
 *
 * A file without that last line is of a run whose writer ended first; a last line without its newline is half a line.
 *
 * @module
 */
import { isObject, jsonText, type JsonValue } from "../base/json.ts";
import type { FrameItem } from "../frames/frame_stream.ts";
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

/**
 * One event as a line, newline included.
 *
 * @param item As it was read.
 * @param kept As the run's store keeps it, where an event above 128 KiB is a marker.
 */
export function eventLine(item: FrameItem, kept: JsonValue): string {
  return `${jsonText(item.kind === "frame" ? item.frame : kept)}\n`;
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
