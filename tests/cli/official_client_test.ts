import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
// @ts-types="@modelcontextprotocol/sdk/client"
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
// @ts-types="@modelcontextprotocol/sdk/client/stdio"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { fakeClaude } from "../helpers/fake_claude.ts";
import { adapterCommand } from "../helpers/mcp_client.ts";
import { isAlive, waitGone } from "../helpers/processes.ts";
import { cleanEnv } from "./adapter.ts";

Deno.test("the official client starts the program, runs a prompt with validated output, and ends it", async () => {
  const [command = "", ...args] = adapterCommand();
  const transport = new StdioClientTransport({
    command,
    args: [...args, "serve", `--executable=${fakeClaude("ok")}`],
    env: cleanEnv(),
    stderr: "pipe",
  });
  const client = new Client({ name: "official", version: "1" });
  const errors: string[] = [];
  client.onerror = (error) => errors.push(error.message);
  await client.connect(transport);
  const pid = transport.pid ?? 0;
  assertEquals(await isAlive(pid), true);
  assertEquals((await client.listTools()).tools.length, 7);

  const result = await client.callTool({ name: "claude.run", arguments: { prompt: "hi" } });
  const { result: value } = result.structuredContent as { result: Record<string, unknown> };
  assertEquals([result.isError, value.result, value.state], [false, "hello", "completed"]);
  const events = await client.callTool({
    name: "claude.run.events",
    arguments: { run_id: value.run_id, limit: 2 },
  });
  assertEquals(events.isError, false);
  const unbound = await assertRejects(() =>
    client.readResource({ uri: "computer-mcp://runtime/work/v1" })
  );
  assertStringIncludes(unbound.message, "-32000");
  await client.callTool({ name: "claude.run.release", arguments: { run_id: value.run_id } });
  const work = await client.readResource({ uri: "computer-mcp://runtime/work/v1" });
  assertEquals(work.contents.length, 1);
  assertEquals(errors, []);
  await client.close();
  await waitGone(pid);
});
