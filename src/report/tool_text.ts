/**
 * What goes into a tool and comes out of it, as text for reading.
 *
 * @module
 */
import {
  isObject,
  type JsonObject,
  jsonText,
  type JsonValue,
  objectMember,
  stringMember,
} from "../base/json.ts";
import { copyText, shortName } from "./names.ts";

/** What a tool printed: its text, and a line for everything that is not text. */
export function contentText(content: JsonValue | undefined): string {
  if (content === undefined || content === null) return "";
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return valueText(content);
  return content.map((block: JsonValue) =>
    isObject(block)
      ? block.type === "text" ? stringMember(block, "text") ?? "" : describeBlock(block)
      : valueText(block)
  ).join("\n");
}

/** A line for a block that is not shown: what it is and how large. */
export function describeBlock(block: JsonObject): string {
  const source = objectMember(block, "source");
  const data = stringMember(source, "data") ?? stringMember(block, "data");
  const kind = stringMember(source, "media_type") ?? stringMember(block, "mimeType");
  if (data !== null || kind !== null) {
    const size = data === null ? "" : `, ${Math.ceil(data.length * 3 / 4)} bytes`;
    return `[${shortName(stringMember(block, "type") ?? "media")}: ${
      shortName(kind ?? "unknown kind")
    }${size}; not shown]`;
  }
  return valueText(block);
}

/** A value for reading. Deep or long ones are written compactly: indentation would multiply them. */
function valueText(value: JsonValue): string {
  if (typeof value === "string") return value;
  const compact = jsonText(value);
  if (compact.length > 20_000) return compact;
  try {
    return JSON.stringify(value, null, 2);
  } catch (caught) {
    if (caught instanceof RangeError) return compact; // too deep for the stack
    throw caught;
  }
}

/**
 * A tool's input: a member a line, texts as they are and not as JSON, since commands and files are written in lines.
 */
export function inputText(input: JsonValue): string {
  if (!isObject(input)) return valueText(input);
  return Object.entries(input).map(([key, value]) => {
    const text = typeof value === "string" ? value : jsonText(value);
    return text.includes("\n") ? `${key}:\n${text.replace(/^/gm, "  ")}` : `${key}: ${text}`;
  }).join("\n");
}

/** The member of a tool's input that says best what it is about. */
const TELLING = [
  "description",
  "file_path",
  "path",
  "pattern",
  "query",
  "url",
  "command",
  "prompt",
];

/** What a call is about, in a line; may be empty. */
export function aboutOf(input: JsonValue): string {
  for (const key of TELLING) {
    const value = stringMember(input, key)?.trim();
    if (value !== undefined && value !== "") {
      return shortName(copyText(value.slice(0, 400).split("\n")[0] ?? ""));
    }
  }
  return "";
}
