/**
 * Encodes the parameter that a command reads from its standard input.
 *
 * @module
 */
import { AdapterError } from "../base/errors.ts";
import { type JsonValue, utf8Length } from "../base/json.ts";
import { quoteName } from "./argument_error.ts";
import { type StdinMapping, TREE_LIMITS } from "./cli_tree.ts";

/**
 * What is written to standard input for `value`: text for `utf8` and `json`, bytes for `base64`.
 *
 * @throws {AdapterError} `invalid_arguments` when the base64 text is none, or past 4 MiB.
 */
export function encodeStdin(
  { parameter, encoding }: StdinMapping,
  value: JsonValue,
): string | Uint8Array<ArrayBuffer> {
  const content = encoding === "base64"
    ? decodeBase64(parameter, String(value))
    : encoding === "json"
    ? JSON.stringify(value)
    : String(value);
  const bytes = typeof content === "string" ? utf8Length(content) : content.byteLength;
  if (bytes <= TREE_LIMITS.stdinBytes) return content;
  throw new AdapterError(
    "invalid_arguments",
    `Invalid argument ${
      quoteName(parameter)
    }: it is ${bytes} bytes on standard input, but at most ` +
      `${TREE_LIMITS.stdinBytes} can be written; shorten it`,
  );
}

function decodeBase64(parameter: string, text: string): Uint8Array<ArrayBuffer> {
  try {
    const binary = atob(text);
    const bytes = new Uint8Array(binary.length);
    for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
    return bytes;
  } catch {
    throw new AdapterError(
      "invalid_arguments",
      `Invalid argument ${
        quoteName(parameter)
      }: it must be base64 text; encode the bytes as base64`,
    );
  }
}
