/**
 * One line of native output as data.
 *
 * @module
 */
import { cutText, isObject, type JsonObject } from "../base/json.ts";
import { QUOTED_LINE_BYTES } from "../base/limits.ts";
import { visible } from "../base/visible.ts";

/** What a line is. */
export type ParsedLine =
  | {
    readonly kind: "frame";
    readonly frame: JsonObject;
    /** Its `type` when that is text. */
    readonly type: string | null;
  }
  /** Nothing but white space. */
  | { readonly kind: "blank" }
  | {
    readonly kind: "malformed";
    readonly reason: "not_json" | "not_object";
    /** The line's first 200 bytes, cut marked, with everything invisible written as an escape. */
    readonly quote: string;
  };

const BLANK: ParsedLine = { kind: "blank" };

/**
 * Reads one line, its newline removed. Never throws, and knows no frame from another.
 *
 * @example
 * ```ts
 * import { parseFrame } from "./parse_frame.ts";
 *
 * console.assert(parseFrame('{"type":"user"}').kind === "frame");
 * console.assert(parseFrame("Debugger attached.").kind === "malformed");
 * ```
 */
export function parseFrame(line: string): ParsedLine {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    if (line.trim() === "") return BLANK;
    return { kind: "malformed", reason: "not_json", quote: quoteLine(line) };
  }
  if (!isObject(value)) return { kind: "malformed", reason: "not_object", quote: quoteLine(line) };
  const type = value.type;
  return { kind: "frame", frame: value, type: typeof type === "string" ? type : null };
}

/** The beginning of a line for a message: at most 200 bytes of it, safe to print. */
export function quoteLine(line: string): string {
  // So many UTF-16 units are at least as many bytes: the rest cannot be shown and is not looked at.
  const start = cutText(line.slice(0, QUOTED_LINE_BYTES + 1), QUOTED_LINE_BYTES);
  return visible(start);
}
