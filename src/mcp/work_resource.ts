/**
 * The work resource: which runs this connection owns, for hosts that account for them.
 *
 * @module
 */
import { AdapterError } from "../base/errors.ts";
import { type JsonObject, utf8Length } from "../base/json.ts";
import { MAX_VALUE_BYTES, MAX_WORK_ROWS } from "../base/limits.ts";
import type { Engine } from "../engine/api.ts";
import { RpcCode, RpcError } from "./rpc.ts";
import type { Resource } from "./sdk.ts";

/** The address of the only resource. */
export const WORK_URI = "computer-mcp://runtime/work/v1";
const MIME_TYPE = "application/json";

/** The resource as `resources/list` shows it. */
export const WORK_RESOURCE: Resource = {
  uri: WORK_URI,
  name: "work",
  title: "Runs owned by this connection",
  description:
    "A complete snapshot of the retained runs and of the host invocation that acquired each. Fails while a retained run was started without one.",
  mimeType: MIME_TYPE,
};

/**
 * The contents of the resource, as `resources/read` answers.
 *
 * Throws `RpcError` -32000 when the snapshot cannot be given, or passes 1,024 rows or 512 KiB.
 */
export function readWork(engine: Engine): JsonObject {
  const snapshot = snapshotOf(engine);
  const text = JSON.stringify(snapshot);
  if (snapshot.resources.length > MAX_WORK_ROWS || utf8Length(text) > MAX_VALUE_BYTES) {
    throw new RpcError(
      RpcCode.unavailable,
      `work_unavailable: the snapshot passes ${MAX_WORK_ROWS} rows or ${MAX_VALUE_BYTES} bytes`,
    );
  }
  return { contents: [{ uri: WORK_URI, mimeType: MIME_TYPE, text }] };
}

function snapshotOf(engine: Engine): ReturnType<Engine["work"]> {
  try {
    return engine.work();
  } catch (caught) {
    if (caught instanceof AdapterError && caught.code === "work_unavailable") {
      throw new RpcError(RpcCode.unavailable, `work_unavailable: ${caught.message}`);
    }
    throw caught;
  }
}
