/**
 * The MCP server: the SDK's low-level `Server` with our table of methods.
 *
 * @module
 */
import { isObject } from "../base/json.ts";
import { toAdapterError } from "../base/errors.ts";
import { PROGRAM_NAME } from "../base/version.ts";
import { CAPABILITIES, type MethodContext, METHODS } from "./methods.ts";
import type { ReportProgress } from "./heartbeat.ts";
import { RpcCode, RpcError } from "./rpc.ts";
import { type RequestId, Server } from "./sdk.ts";

/** What a server needs. */
export interface McpServerOptions extends MethodContext {
  /** The signal of a request in flight; see {@linkcode import("./gate.ts").Gate.signal}. */
  readonly signalOf: (id: RequestId) => AbortSignal;
}

/**
 * A server that is not connected yet.
 *
 * Every request goes through the fallback handler. Handlers registered by schema would answer a
 * parameter of the wrong type with -32603 and a dump of the schema's complaints, and validate each
 * tool result a second time; the SDK's own `initialize` also speaks newer protocol dates than we do.
 * Handlers get the gate's signal: the SDK's own cannot abort a request with the id 0.
 */
export function createMcpServer(options: McpServerOptions): Server {
  const server = new Server(
    { name: PROGRAM_NAME, version: options.version },
    { capabilities: CAPABILITIES },
  );
  server.removeRequestHandler("initialize");
  server.fallbackRequestHandler = async (request, { requestId, _meta, sendNotification }) => {
    const method = METHODS.get(request.method);
    if (method === undefined) throw new RpcError(RpcCode.methodNotFound, "Method not found");
    const token = _meta?.progressToken;
    const report: ReportProgress = (progress, message) => {
      const params = { progressToken: token ?? "", progress, message };
      sendNotification({ method: "notifications/progress", params }).catch(() => {});
    };
    try {
      return {
        ...await method(options, {
          params: isObject(request.params) ? request.params : {},
          signal: options.signalOf(requestId),
          report: token === undefined ? null : report,
        }),
      };
    } catch (caught) {
      if (caught instanceof RpcError) throw caught;
      const detail = toAdapterError(caught).message;
      options.log.write("error", "a request failed unexpectedly", {
        method: request.method,
        detail,
      });
      throw new RpcError(RpcCode.internalError, "The server failed unexpectedly; see its stderr");
    }
  };
  server.onerror = (error) => options.log.write("debug", "protocol", { detail: error.message });
  return server;
}
