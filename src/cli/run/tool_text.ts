/**
 * A tool call in a few words. Pure.
 *
 * @module
 */
import { arrayMember, isObject, jsonText, type JsonValue, stringMember } from "../../base/json.ts";
import { visibleSentence } from "../../base/visible.ts";

/** What of an input says best what the call does, the first one that is there. */
const TELLING: readonly string[] = [
  "command",
  "file_path",
  "notebook_path",
  "path",
  "pattern",
  "url",
  "query",
  "description",
  "skill",
  "prompt",
];
/** A line of a transcript is not longer in any terminal. */
const MAX_CHARS = 400;

/** The input of a call, on one line. */
export function describeInput(input: JsonValue): string {
  if (!isObject(input)) return input === null ? "" : oneLine(jsonText(input));
  for (const name of TELLING) {
    const value = stringMember(input, name);
    if (value !== null && value !== "") return oneLine(value);
  }
  return Object.keys(input).length === 0 ? "" : oneLine(jsonText(input));
}

/** The name of a tool, on one line. */
export function toolName(name: string): string {
  return visibleSentence(name.slice(0, 80)) || "unknown";
}

/** The first line that says something of what a failed call answered. */
export function firstLineOf(content: JsonValue): string {
  const texts = typeof content === "string"
    ? [content]
    : arrayMember({ content }, "content").map((block) => stringMember(block, "text") ?? "");
  for (const text of texts) {
    const line = text.slice(0, 4 * MAX_CHARS).replace(/<\/?tool_use_error>/g, "").trim()
      .split("\n")[0];
    if (line !== undefined && line !== "") return oneLine(line);
  }
  return "";
}

/** Foreign text on one line, not too long. */
export function oneLine(text: string): string {
  const start = text.slice(0, 4 * MAX_CHARS);
  const line = visibleSentence(start);
  return line.length <= MAX_CHARS && start.length === text.length
    ? line
    : `${line.slice(0, MAX_CHARS).replace(/[\ud800-\udbff]$/, "")}…`;
}
