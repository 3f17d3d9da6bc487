/**
 * The file form of a run: one JSON value a line, each line ended by a newline, UTF-8.
 *
 * - The first line is `{"type":"claude-code-adapter/started","run_id":…,"created_at":…,"prompt":…}`: no native event has
 *   the prompt (measured).
 * - Every line between it and the last one is one native event, whole. A frame above 1 MiB, of which nothing was kept, is
 *   the marker `{"omitted":true,"reason":"frame_byte_bound","type":…,"bytes":…}`. Line N + 1 is the event with cursor N.
 * - The last line is the settled value with `"type":"claude-code-adapter/settled"` in front, without the members that
 *   repeat the events (`events`, `event_page`, `events_truncated`). No native event has one of these types.
 *
 * A file without that last line is of a run whose writer ended first; a last line without its newline is half a line.
 *
 * @module
 */
import { isObject, jsonText, type JsonValue } from "../base/json.ts";
import type { FrameItem } from "../frames/frame_stream.ts";
import type { RunInfo, SettledRun } from "./values.ts";

/** The type of the first line. */
export const STARTED_LINE_TYPE = "claude-code-adapter/started";

/** What was asked, and when. */
export interface StartedLine {
  readonly type: typeof STARTED_LINE_TYPE;
  readonly run_id: string;
  /** Unix seconds. */
  readonly created_at: number;
  readonly prompt: string;
}

/** The type of the last line. */
export const SETTLED_LINE_TYPE = "claude-code-adapter/settled";

/** The settled value as a file has it: its events are the lines before. */
export type SettledLine =
  & { readonly type: typeof SETTLED_LINE_TYPE }
  & Omit<
    SettledRun,
    "events" | "event_page" | "events_truncated"
  >;

/** The first line, newline included. */
export function startedLine({ run_id, created_at }: RunInfo, prompt: string): string {
  const line: StartedLine = { type: STARTED_LINE_TYPE, run_id, created_at, prompt };
  return `${jsonText({ ...line })}\n`;
}

/** Whether a parsed line is the first one. */
export function isStartedLine(value: unknown): value is StartedLine {
  return isObject(value) && value.type === STARTED_LINE_TYPE && typeof value.prompt === "string";
}

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
