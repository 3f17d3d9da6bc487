import { assertEquals, assertStringIncludes } from "@std/assert";
import { HOSTS } from "../../src/cli/hosts/host_table.ts";
import { fakeClaude } from "../helpers/fake_claude.ts";
import { binaryUnderTest, McpClient } from "../helpers/mcp_client.ts";
import { runProgram } from "../helpers/program.ts";
import { cleanEnv } from "./adapter.ts";

Deno.test("config prints the snippet alone, and the rest on standard error", async () => {
  const { code, stdout, stderr } = await runProgram(["config", "claude-code"], { env: cleanEnv() });
  assertEquals(code, 0);
  assertEquals(Object.keys(JSON.parse(stdout)), ["mcpServers"]);
  for (const part of ["Claude Code", ".mcp.json", "1. ", "doctor"]) {
    assertStringIncludes(stderr, part);
  }
});

Deno.test("config --json is one object for each host, and desktop programs get the claude that is found", async () => {
  const env = cleanEnv({ CLAUDE_CODE_EXECUTABLE: fakeClaude("ok") });
  // A binary names itself; the launcher of a bundle is Deno and a file, as the source is.
  const { stdout: shown } = await runProgram(["config", "cursor"], { env });
  const { command } = JSON.parse(shown).mcpServers["claude-code"];
  const from = command === binaryUnderTest() ? "binary" : "source";
  for (const [host, { name, desktop, format }] of Object.entries(HOSTS)) {
    const { code, stdout, stderr } = await runProgram(["config", host, "--json"], { env });
    assertEquals([code, stderr], [0, ""]);
    const report = JSON.parse(stdout);
    assertEquals(
      [report.format_version, report.host, report.name, report.from, report.format],
      [1, host, name, from, format],
    );
    assertEquals(report.snippet.includes(fakeClaude("ok")), desktop, host);
    assertEquals(report.files.length > 0 && report.next.length > 0, true);
  }
});

Deno.test("what config prints starts the program, in the folder that it names", async () => {
  const project = await Deno.realPath(await Deno.makeTempDir({ prefix: "adapter-config " }));
  try {
    // Says where it runs.
    const executable = `${project}/claude`;
    const frame =
      '{"type":"result","subtype":"success","is_error":false,"session_id":"s","result":"%s"}';
    const body = `[ "$1" = --version ] && { echo "2.1.332 (Claude Code)"; exit 0; }\n` +
      `printf '${frame}\\n' "$(pwd -P)"\n`;
    await Deno.writeTextFile(executable, `#!/bin/sh\n${body}`, { mode: 0o755 });
    const args = [
      "config",
      "claude-desktop",
      `--executable=${executable}`,
      "--project",
      project,
    ];
    const { stdout } = await runProgram(args, { env: cleanEnv() });
    const { command, args: words } = JSON.parse(stdout).mcpServers["claude-code"];
    await using client = McpClient.start({
      cwd: "/",
      env: cleanEnv(),
      command: [command, ...words],
      args: [],
    });
    await client.initialize();
    const { value } = await client.callTool("claude.run", { prompt: "hi" });
    assertEquals(value.result, project);
    assertEquals(await client.close(), 0);
  } finally {
    await Deno.remove(project, { recursive: true });
  }
});

const WRONG: readonly (readonly [readonly string[], string])[] = [
  [[], "name a host: claude-desktop, claude-code,"],
  [["emacs"], "there is no host 'emacs'"],
  [["cursor", "zed"], "'zed' is one argument too many"],
  [["cursor", "--from", "npm"], "--from must be one of source, jsr, binary"],
  [["cursor", "--executable", "bin/claude"], "--executable needs an absolute path"],
  [["computer-mcp", "--project", "/p"], "leave out --project"],
];

Deno.test("config says what is wrong with a command line", async () => {
  for (const [args, message] of WRONG) {
    const { code, stdout, stderr } = await runProgram(["config", ...args], { env: cleanEnv() });
    assertEquals([code, stdout], [2, ""], args.join(" "));
    assertStringIncludes(stderr, message);
  }
});
