/**
 * The only file of the bridge that imports the MCP SDK; as in `src/mcp/sdk.ts`, the `@ts-types` lines keep its types
 * from becoming `any`, and a test fails when they are lost.
 *
 * @module
 */
// @ts-types="@modelcontextprotocol/sdk/server"
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
// @ts-types="@modelcontextprotocol/sdk/server/webStandardStreamableHttp"
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
// @ts-types="@modelcontextprotocol/sdk/types"
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
// @ts-types="@modelcontextprotocol/sdk/types"
import type { CallToolResult, Tool } from "@modelcontextprotocol/sdk/types.js";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv";

export {
  AjvJsonSchemaValidator,
  CallToolRequestSchema,
  ListToolsRequestSchema,
  Server,
  WebStandardStreamableHTTPServerTransport,
};
export type { CallToolResult, Tool };
