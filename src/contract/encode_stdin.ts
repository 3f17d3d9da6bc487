/**
 * Encodes the parameter that a command reads from its standard input.
 *
 * @module
 */
import { AdapterError } from "../base/errors.ts";
import { isObject, type JsonValue, utf8Length } from "../base/json.ts";
import { quoteName } from "./argument_error.ts";
import { type StdinMapping, TREE_LIMITS } from "./cli_tree.ts";
import { isTooDeep } from "./nesting.ts";

/**
 * What is written to standard input for `value`: text for `utf8` and `json`, bytes for `base64`. Equal values give equal
 * bytes: JSON is compact, members by name.
 *
 * @throws {AdapterError} `invalid_arguments` when the base64 text is none, a JSON value is nested deeper than 512 levels,
 * or past 4 MiB.
 */
export function encodeStdin(
  { parameter, encoding }: StdinMapping,
  value: JsonValue,
): string | Uint8Array<ArrayBuffer> {
  const content = encoding === "base64"
    ? decodeBase64(parameter, String(value))
    : encoding === "json"
    ? encodeJson(parameter, value)
    : String(value);
  checkSize(parameter, typeof content === "string" ? utf8Length(content) : content.byteLength);
  return content;
}

function encodeJson(parameter: string, value: JsonValue): string {
  if (isTooDeep(value, TREE_LIMITS.stdinDepth)) {
    refuse(parameter, `it is nested deeper than ${TREE_LIMITS.stdinDepth} levels; flatten it`);
  }
  return jsonByName(value);
}

/** As JSON, members in the order of their names: an object's own order puts numbers first. */
function jsonByName(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(jsonByName).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).sort(([one], [other]) => one < other ? -1 : 1);
  return `{${
    members.map(([name, member]) => `${JSON.stringify(name)}:${jsonByName(member)}`).join(",")
  }}`;
}

/** Strict: complete groups of four, padding at the end, no white space. */
function decodeBase64(parameter: string, text: string): Uint8Array<ArrayBuffer> {
  const bare = text.replace(/={1,2}$/, "");
  if (text.length % 4 !== 0 || /[^A-Za-z0-9+/]/.test(bare)) {
    refuse(parameter, "it must be base64 text with its padding; encode the bytes as base64");
  }
  checkSize(parameter, Math.floor(bare.length * 3 / 4));
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

function checkSize(parameter: string, bytes: number): void {
  if (bytes <= TREE_LIMITS.stdinBytes) return;
  const bound = `at most ${TREE_LIMITS.stdinBytes} can be written`;
  refuse(parameter, `it is ${bytes} bytes on standard input, but ${bound}; shorten it`);
}

function refuse(parameter: string, reason: string): never {
  throw new AdapterError(
    "invalid_arguments",
    `Invalid argument ${quoteName(parameter)}: ${reason}`,
  );
}
