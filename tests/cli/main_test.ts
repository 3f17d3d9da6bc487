import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { VERSION } from "../../src/base/version.ts";
import { adapterCommand } from "../helpers/mcp_client.ts";
import { cleanEnv } from "./adapter.ts";

async function run(command: readonly string[]) {
  const [program = "", ...args] = command;
  const { code, stdout, stderr } = await new Deno.Command(program, {
    args,
    clearEnv: true,
    env: cleanEnv(),
    stdin: "null",
  }).output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

Deno.test("--version and --help answer on stdout and exit 0", async () => {
  const version = await run([...adapterCommand(), "--version"]);
  assertEquals(version, { code: 0, stdout: `claude-code-adapter ${VERSION}\n`, stderr: "" });
  const help = await run([...adapterCommand(), "serve", "--help"]);
  assertEquals([help.code, help.stderr], [0, ""]);
  assertStringIncludes(help.stdout, "--executable ABSOLUTE_PATH");
});

Deno.test("wrong usage is one sentence on stderr and exit 2", async () => {
  for (const args of [["serve", "--bogus"], ["bogus"], ["serve", "--log-level", "loud"]]) {
    const { code, stdout, stderr } = await run([...adapterCommand(), ...args]);
    assertEquals([code, stdout], [2, ""]);
    assertEquals(stderr.trim().split("\n").length, 1, stderr);
    assertStringIncludes(stderr, "--help");
  }
});

Deno.test("in a terminal the bare program explains itself and exits 0, without waiting for JSON", async () => {
  const quoted = adapterCommand().map((part) => `'${part.replaceAll("'", `'\\''`)}'`).join(" ");
  const { code, stdout } = await run(["script", "-qec", quoted, "/dev/null"]);
  assertEquals(code, 0);
  const shown = stdout.replaceAll("\r", "");
  assertStringIncludes(shown, "is an MCP server");
  const json = JSON.parse(shown.slice(shown.indexOf("{"), shown.lastIndexOf("}") + 1));
  const { command, args } = json.mcpServers["claude-code"];
  const started = await run([command, ...args, "--version"]);
  assertStringIncludes(started.stdout, VERSION, "what it tells a person to configure works");
});

Deno.test("importing the library runs nothing and loads no MCP SDK", async () => {
  const entry = new URL("../../mod.ts", import.meta.url).href;
  const code = `const m = await import(${JSON.stringify(entry)}); ` +
    `Deno.stdout.writeSync(new TextEncoder().encode(Object.keys(m).join(" ")));`;
  const config = decodeURIComponent(new URL("../../deno.json", import.meta.url).pathname);
  // Without a permission to read or run: whatever happens at import would fail.
  const imported = await run([Deno.execPath(), "eval", `--config=${config}`, code]);
  assertEquals([imported.code, imported.stderr], [0, ""]);
  for (const name of ["AdapterError", "VERSION", "openEngine", "parseRunArguments"]) {
    assertStringIncludes(imported.stdout, name);
  }
  assert(!imported.stdout.includes("main"));
});
