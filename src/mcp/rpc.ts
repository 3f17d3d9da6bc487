/**
 * JSON-RPC error codes, answers and the error a handler throws to choose them.
 *
 * @module
 */
import type { JsonValue } from "../base/json.ts";
import type { RequestId } from "./sdk.ts";

/** Every JSON-RPC code this server answers with. */
export const RpcCode = {
  /** Not JSON, or not UTF-8. */
  parseError: -32700,
  /** Not a request, or one that may not be made now. */
  invalidRequest: -32600,
  /** No such method. */
  methodNotFound: -32601,
  /** Parameters of the wrong shape; an unknown tool or resource. */
  invalidParams: -32602,
  /** A fault of this program. */
  internalError: -32603,
  /** A request before `initialize`. */
  notInitialized: -32002,
  /** Too much in flight, or a resource that cannot be given now. */
  unavailable: -32000,
} as const;

/** One of {@linkcode RpcCode}. */
export type RpcCodeValue = typeof RpcCode[keyof typeof RpcCode];

/** An answer with an error. `id` is `null` when the request's own id could not be read. */
export interface RpcErrorAnswer {
  readonly jsonrpc: "2.0";
  readonly id: RequestId | null;
  readonly error: { readonly code: RpcCodeValue; readonly message: string };
}

/** An answer with a result. */
export interface RpcResultAnswer {
  readonly jsonrpc: "2.0";
  readonly id: RequestId;
  readonly result: { readonly [key: string]: JsonValue };
}

/**
 * Thrown by a handler to answer with a protocol error. The SDK takes `code` and `message` from it as
 * they are (its own error class would put "MCP error -32602:" before every message).
 */
export class RpcError extends Error {
  override readonly name = "RpcError";
  /** The JSON-RPC code. */
  readonly code: RpcCodeValue;

  /** Makes an error from its code and a sentence for the peer. */
  constructor(code: RpcCodeValue, message: string) {
    super(message);
    this.code = code;
  }
}

/** An error answer. */
export function errorAnswer(
  id: RequestId | null,
  error: { readonly code: RpcCodeValue; readonly message: string },
): RpcErrorAnswer {
  return { jsonrpc: "2.0", id, error: { code: error.code, message: error.message } };
}
