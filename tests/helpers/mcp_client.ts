/** The MCP client that drives the adapter over its real stdio; the demo uses the same. */

export * from "../../scripts/support/mcp_client.ts";
