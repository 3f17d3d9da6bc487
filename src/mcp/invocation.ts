/**
 * The host's invocation id on a tool call.
 *
 * @module
 */
import { isObject } from "../base/json.ts";
import { RpcCode, RpcError } from "./rpc.ts";

/** The key of a call's `_meta` under which a host names its invocation. */
export const INVOCATION_KEY = "io.github.computer-mcp/work-invocation";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * The invocation of a call, as a lower-case UUID, or `null` when the host gave none.
 *
 * Throws `RpcError` -32602 for anything else under the key, before anything is reserved.
 */
export function readInvocation(meta: unknown): string | null {
  if (!isObject(meta) || meta[INVOCATION_KEY] === undefined) return null;
  const value = meta[INVOCATION_KEY];
  if (typeof value === "string" && UUID.test(value)) return value.toLowerCase();
  throw new RpcError(
    RpcCode.invalidParams,
    `Invalid params: "_meta" member "${INVOCATION_KEY}" must be a UUID`,
  );
}
