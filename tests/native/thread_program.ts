/**
 * A program of its own that sends messages to a thread: `CONFIG CWD URL EXECUTABLE WORD COUNT [MCP]`. It says `begun` on
 * its standard output when the first text has come; `MCP` is the address of an MCP server with a bearer token.
 */
import { createClaude } from "../../src/library/claude.ts";

const [configDir = "", cwd = "", baseUrl = "", executable = "", word = "", count = "0", mcp] =
  Deno.args;
await using claude = createClaude({ executable });
const headers = { Authorization: "Bearer bearer-that-nobody-may-see" };
const thread = claude.thread("room/raced", {
  configDir,
  cwd,
  auth: { kind: "apiKey", key: "sk-ant-made-up", baseUrl },
  ...(mcp !== undefined && { mcpServers: { host: { type: "http", url: mcp, headers } } }),
});
for (let n = 0; n < Number(count); n++) {
  for await (const update of thread.send(`${word}-${n}.`)) {
    if (update.kind === "text") console.log("begun");
    if (update.kind === "result" && update.isError) throw new Error(update.errors.join());
  }
}
