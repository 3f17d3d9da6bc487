/**
 * One line from the peer, read as data. Stateless; nothing here throws.
 *
 * @module
 */
import { isObject, type JsonObject, type JsonValue } from "../base/json.ts";
import { MAX_REQUEST_ID_CHARS } from "../base/limits.ts";
import { RpcCode, type RpcCodeValue } from "./rpc.ts";
import type { RequestId } from "./sdk.ts";

/** What a line is. */
export type Incoming =
  /** Only white space. */
  | { readonly kind: "blank" }
  /** It gets an error answer, whatever the connection's state. */
  | {
    readonly kind: "invalid";
    readonly id: RequestId | null;
    readonly code: RpcCodeValue;
    readonly message: string;
  }
  /** An answer to a request we never sent. */
  | { readonly kind: "response" }
  /** No id, so no answer, whatever is wrong with it. */
  | { readonly kind: "notification"; readonly method: string; readonly params: JsonValue }
  | {
    readonly kind: "request";
    readonly id: RequestId;
    readonly method: string;
    /** `undefined` when absent; not checked yet. */
    readonly params: JsonValue | undefined;
  };

// Fatal: a replacement character would turn garbage into an argument. A byte order mark is dropped.
const decoder = new TextDecoder("utf-8", { fatal: true });

const ID_RULE =
  `"id" must be an integer (up to 2^53 - 1 in size) or a string of 1 to ${MAX_REQUEST_ID_CHARS} characters`;

/** Reads one line (without its newline; a carriage return at its end is white space). */
export function readIncoming(line: Uint8Array): Incoming {
  let text: string;
  try {
    text = decoder.decode(line);
  } catch {
    return invalid(null, RpcCode.parseError, "Parse error: the line is not valid UTF-8");
  }
  if (text.trim() === "") return { kind: "blank" };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return invalid(
      null,
      RpcCode.parseError,
      "Parse error: the line is not one complete JSON value; send each message on one line",
    );
  }
  if (!isObject(value)) {
    return invalid(
      null,
      RpcCode.invalidRequest,
      "Invalid request: each line must be one JSON object (batches are not supported)",
    );
  }
  return readObject(value);
}

function readObject(value: JsonObject): Incoming {
  const hasId = Object.hasOwn(value, "id");
  const id = isRequestId(value.id) ? value.id : null;
  if (value.jsonrpc !== "2.0") {
    return invalid(id, RpcCode.invalidRequest, `Invalid request: "jsonrpc" must be "2.0"`);
  }
  if (typeof value.method !== "string") {
    const isResponse = !Object.hasOwn(value, "method") &&
      (Object.hasOwn(value, "result") || Object.hasOwn(value, "error"));
    return isResponse
      ? { kind: "response" }
      : invalid(id, RpcCode.invalidRequest, `Invalid request: "method" must be a string`);
  }
  if (!hasId) {
    return { kind: "notification", method: value.method, params: value.params ?? null };
  }
  if (id === null) return invalid(null, RpcCode.invalidRequest, `Invalid request: ${ID_RULE}`);
  return { kind: "request", id, method: value.method, params: value.params };
}

/**
 * Whether `value` can be a request id. Integers past 2^53 - 1 are refused: they lose digits when read,
 * so the answer would carry another id than the request.
 */
export function isRequestId(value: unknown): value is RequestId {
  if (typeof value === "number") return Number.isSafeInteger(value);
  if (typeof value !== "string" || value === "") return false;
  if (value.length <= MAX_REQUEST_ID_CHARS) return true;
  return value.length <= 2 * MAX_REQUEST_ID_CHARS && [...value].length <= MAX_REQUEST_ID_CHARS;
}

function invalid(id: RequestId | null, code: RpcCodeValue, message: string): Incoming {
  return { kind: "invalid", id, code, message };
}
