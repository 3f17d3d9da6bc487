/**
 * The beginning of a connection, before the SDK is there.
 *
 * Loading the SDK takes 75 to 130 ms where the bare runtime takes 15 (measured), and nothing of it is needed for the
 * answer to `initialize`, which is ours anyway. So the host gets that first and has something to do while it loads.
 *
 * @module
 */
import type { createMcpServer, McpServerOptions } from "./server.ts";
import { METHODS } from "./methods.ts";
import { RpcCode } from "./rpc.ts";
import type { JSONRPCMessage, JSONRPCRequest } from "./sdk.ts";
import type { StdioTransport } from "./stdio_transport.ts";
import { isObject } from "../base/json.ts";

/** What the beginning of a connection needs. */
export interface OpeningOptions extends McpServerOptions {
  /**
   * Loads the server.
   *
   * @default {the module, with the SDK}
   */
  readonly load?: () => Promise<{ readonly createMcpServer: typeof createMcpServer }>;
}

/**
 * Starts a transport: answers `initialize` itself, then loads the server, which takes over with whatever came meanwhile,
 * in the order it came. When it cannot be loaded, what waits is answered with an error and the connection ends as
 * `server_failed`.
 */
export function openTransport(transport: StdioTransport, options: OpeningOptions): void {
  const { load = () => import("./server.ts"), ...serverOptions } = options;
  const waiting: JSONRPCMessage[] = [];

  const takeOver = async (): Promise<void> => {
    try {
      const { createMcpServer } = await load();
      // The SDK would go on calling what it finds here.
      transport.onmessage = undefined;
      const connected = createMcpServer(serverOptions).connect(transport);
      // At once, so that nothing younger is heard before.
      for (const message of waiting.splice(0)) transport.deliver(message);
      await connected;
    } catch (caught) {
      const detail = caught instanceof Error ? caught.message : String(caught);
      serverOptions.log.write("error", "the MCP server could not be loaded", { detail });
      for (const message of waiting.splice(0)) refuse(transport, message);
      transport.end("server_failed");
    }
  };

  transport.onmessage = (message) => {
    if (!isInitialize(message)) return void waiting.push(message);
    // The gate lets one through, before everything else. Its answer goes first: loading keeps the thread busy.
    void answer(transport, { message, options: serverOptions })
      .then(() => transport.flushed()).then(takeOver);
  };
  void transport.start();
}

interface Initialize {
  readonly message: JSONRPCRequest;
  readonly options: McpServerOptions;
}

async function answer(
  transport: StdioTransport,
  { message, options }: Initialize,
): Promise<void> {
  const { id, method, params } = message;
  const result = await METHODS.get(method)!(options, {
    params: isObject(params) ? params : {},
    signal: options.signalOf(id),
    report: null,
  });
  await transport.send({ jsonrpc: "2.0", id, result: { ...result } });
}

function refuse(transport: StdioTransport, message: JSONRPCMessage): void {
  if (!("id" in message) || !("method" in message)) return;
  const error = {
    code: RpcCode.internalError,
    message: "The server failed to start; see its stderr",
  };
  void transport.send({ jsonrpc: "2.0", id: message.id, error });
}

function isInitialize(message: JSONRPCMessage): message is JSONRPCRequest {
  return "method" in message && "id" in message && message.method === "initialize";
}
