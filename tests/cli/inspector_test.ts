/** The Inspector's command line, an MCP client of somebody else's making, on what `config` prints. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { installTools } from "../../scripts/native/install_tools.ts";
import { TOOLS } from "../../src/mcp/tools.ts";
import { fakeClaude } from "../helpers/fake_claude.ts";
import { runProgram } from "../helpers/program.ts";
import { cleanEnv } from "./adapter.ts";

/** Runs one method as `npx @modelcontextprotocol/inspector --cli` does; what it prints is JSON. */
async function inspect(config: string, method: string, ...args: readonly string[]) {
  const tools = await installTools();
  const { code, stdout, stderr } = await new Deno.Command("node", {
    args: [
      tools.file("@modelcontextprotocol/inspector", "cli/build/cli.js"),
      "--cli",
      "--config",
      config,
      "--server",
      "claude-code",
      "--method",
      method,
      ...args,
    ],
    clearEnv: true,
    env: cleanEnv(),
    stdin: "null",
  }).output();
  assertEquals(code, 0, new TextDecoder().decode(stderr));
  return JSON.parse(new TextDecoder().decode(stdout));
}

Deno.test("the Inspector lists the tools and calls them, configured with what config prints", async () => {
  const folder = await Deno.makeTempDir({ prefix: "adapter-inspector-" });
  try {
    const config = `${folder}/mcp.json`;
    const args = ["config", "claude-code", `--executable=${fakeClaude("ok")}`];
    const printed = await runProgram(args, { env: cleanEnv() });
    await Deno.writeTextFile(config, printed.stdout);

    const { tools } = await inspect(config, "tools/list");
    assertEquals(tools.map(({ name }: { name: string }) => name), TOOLS.map(({ name }) => name));
    for (const tool of tools) {
      assertEquals([tool.inputSchema.type, tool.outputSchema.type], ["object", "object"]);
      assert(tool.description.length > 100 && tool.title.length > 0);
    }

    const run = ["--tool-name", "claude.run", "--tool-arg", "prompt=hi", "max_events=1"];
    const good = await inspect(config, "tools/call", ...run);
    assertEquals([good.isError, good.structuredContent.result.result], [false, "hello"]);
    assertStringIncludes(good.content[0].text, "Run completed.");

    const list = await inspect(config, "tools/call", "--tool-name", "claude.run.list");
    assertEquals(list.structuredContent.result, { runs: [] });
    const bad = await inspect(config, "tools/call", ...run.slice(0, 3), "prompt=hi", "nope=1");
    assertEquals([bad.isError, bad.structuredContent.result.error.code], [
      true,
      "invalid_arguments",
    ]);

    const { resources } = await inspect(config, "resources/list");
    assertEquals(resources.length, 1);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
