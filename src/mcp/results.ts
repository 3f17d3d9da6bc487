/**
 * Values and errors as MCP tool results.
 *
 * @module
 */
import { AdapterError } from "../base/errors.ts";
import { isObject, jsonBytes } from "../base/json.ts";
import { MAX_VALUE_BYTES } from "../base/limits.ts";
import { digest } from "./digest.ts";
import type { CallToolResult } from "./sdk.ts";

/**
 * A tool result: the whole value as `structuredContent.result`, and a digest of it as text for
 * clients that show only text. A value that says `is_error` (a run that failed) is a tool error too.
 *
 * A value above 512 KiB becomes the error `result_too_large`, never a cut one.
 */
export function valueResult(value: object): CallToolResult {
  const size = jsonBytes(value);
  if (size > MAX_VALUE_BYTES) {
    return errorResult(
      new AdapterError(
        "result_too_large",
        `The value has ${size} bytes; at most ${MAX_VALUE_BYTES} can be returned`,
      ),
    );
  }
  return toResult(value, isObject(value) && value.is_error === true);
}

/** A rejected call: `{is_error: true, error: {code, message}}`. */
export function errorResult(error: AdapterError): CallToolResult {
  return toResult({ is_error: true, error: { code: error.code, message: error.message } }, true);
}

function toResult(value: object, isError: boolean): CallToolResult {
  return {
    content: [{ type: "text", text: digest(value) }],
    structuredContent: { result: value },
    isError,
  };
}
