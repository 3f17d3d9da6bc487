import { assertEquals } from "@std/assert";
import type {
  CallToolResult,
  JSONRPCMessage,
  JSONRPCRequest,
  RequestId,
  Resource,
  Tool,
  Transport,
} from "../../src/mcp/sdk.ts";
import { Server } from "../../src/mcp/sdk.ts";

// Every line below is an error while the SDK has types. If they are lost, everything becomes `any`,
// nothing is an error any more, and the type checker reports each directive as unused.
// @ts-expect-error: a number is not a result
export const notAResult: CallToolResult = 5;
// @ts-expect-error: a number is not a message
export const notAMessage: JSONRPCMessage = 5;
// @ts-expect-error: a request needs a method
export const notARequest: JSONRPCRequest = { jsonrpc: "2.0", id: 1 };
// @ts-expect-error: an object is not an id
export const notAnId: RequestId = {};
// @ts-expect-error: a resource needs a uri
export const notAResource: Resource = { name: "x" };
// @ts-expect-error: a tool needs an input schema
export const notATool: Tool = { name: "x" };
// @ts-expect-error: a transport has methods
export const notATransport: Transport = 5;
// @ts-expect-error: there is no such method
export type NotAMethod = Server["noSuchMethod"];

Deno.test("the SDK's low-level server loads and is what its types say", () => {
  const server = new Server({ name: "test", version: "1" }, { capabilities: { tools: {} } });
  assertEquals(typeof server.connect, "function");
  assertEquals(typeof server.removeRequestHandler, "function");
});
