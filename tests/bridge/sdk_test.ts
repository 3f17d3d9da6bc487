import { assertEquals } from "@std/assert";
import {
  AjvJsonSchemaValidator,
  CallToolRequestSchema,
  type CallToolResult,
  type Tool,
  WebStandardStreamableHTTPServerTransport,
} from "../../src/bridge/sdk.ts";

// Every line below is an error while the SDK has types; without them the checker calls each directive unused.
// @ts-expect-error: a number is not a result
export const notAResult: CallToolResult = 5;
// @ts-expect-error: a tool needs an input schema
export const notATool: Tool = { name: "x" };
// @ts-expect-error: there is no such method
export type NotAMethod = WebStandardStreamableHTTPServerTransport["noSuchMethod"];
// @ts-expect-error: there is no such method
export type NotAValidator = AjvJsonSchemaValidator["noSuchMethod"];
// @ts-expect-error: a schema is not a number
export const notANumber: number = CallToolRequestSchema;

Deno.test("the SDK's transport for web standards and its validator are what their types say", () => {
  const transport = new WebStandardStreamableHTTPServerTransport({});
  assertEquals(typeof transport.handleRequest, "function");
  assertEquals(new AjvJsonSchemaValidator().getValidator({ type: "number" })(1).valid, true);
});
