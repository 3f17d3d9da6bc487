/**
 * The smallest MCP server over HTTP that the CLI can call a tool of.
 *
 * @module
 */
import { isObject, type JsonObject, type JsonValue, stringMember } from "../base/json.ts";

/** What the server offers. */
export interface McpHandlerOptions {
  readonly tools: readonly string[];
  /** The text that every tool answers. */
  readonly reply: string;
}

/** A tool that was called. */
export interface McpCall {
  readonly name: string | null;
  readonly arguments: JsonValue | undefined;
}

/** A server without a place to listen. */
export interface McpHandler {
  /** Every tool call, in order. */
  readonly calls: readonly McpCall[];
  handle(request: Request): Promise<Response>;
}

/** Makes one. Each request is answered with one JSON message; it keeps no session and opens no stream. */
export function createMcpHandler({ tools, reply }: McpHandlerOptions): McpHandler {
  const calls: McpCall[] = [];
  const results: { readonly [method: string]: (params: JsonObject) => JsonObject } = {
    initialize: (params) => ({
      protocolVersion: stringMember(params, "protocolVersion") ?? "2025-06-18",
      capabilities: { tools: {} },
      serverInfo: { name: "bridge", version: "1" },
    }),
    ping: () => ({}),
    "tools/list": () => ({
      tools: tools.map((name) => ({
        name,
        description: "Answers a question.",
        inputSchema: { type: "object", properties: { question: { type: "string" } } },
      })),
    }),
    "tools/call": (params) => {
      calls.push({ name: stringMember(params, "name"), arguments: params["arguments"] });
      return { content: [{ type: "text", text: reply }] };
    },
  };
  return {
    calls,
    async handle(request) {
      if (request.method !== "POST") return new Response(null, { status: 405 });
      const message: unknown = await request.json().catch(() => null);
      if (!isObject(message)) return new Response(null, { status: 400 });
      const { id, params } = message;
      if (id === undefined) return new Response(null, { status: 202 });
      const method = stringMember(message, "method") ?? "";
      const make = Object.hasOwn(results, method) ? results[method] : undefined;
      const outcome = make === undefined
        ? { error: { code: -32601, message: "no such method" } }
        : { result: make(isObject(params) ? params : {}) };
      return Response.json({ jsonrpc: "2.0", id, ...outcome });
    },
  };
}
