import { assert, assertEquals } from "@std/assert";
import { type HostServers, readHostServers } from "../../../src/cli/doctor/host_servers.ts";
import { type HostId, HOSTS } from "../../../src/cli/hosts/host_table.ts";

function read(id: HostId, text: string): HostServers {
  return readHostServers(text, { host: HOSTS[id], cwd: "/project" });
}

const OURS = { command: "claude-code-adapter", args: ["serve"] };

Deno.test("servers that are this program are found among others, wherever the host keeps them", () => {
  const cases: readonly (readonly [HostId, string, readonly string[]])[] = [
    ["cursor", "", []],
    ["cursor", "{}", []],
    ["cursor", JSON.stringify({ mcpServers: { a: OURS, b: { command: "npx", args: ["x"] } } }), [
      "a",
    ]],
    ["cursor", JSON.stringify({ mcpServers: { a: { url: "https://x" }, b: null, c: 1 } }), []],
    ["cursor", JSON.stringify({ mcpServers: [OURS] }), []],
    [
      "claude-code",
      JSON.stringify({
        mcpServers: { a: OURS },
        projects: { "/project": { mcpServers: { b: OURS } }, "/x": { mcpServers: { c: OURS } } },
      }),
      ["a", "b"],
    ],
    ["vscode", `{ // mine\n "servers": { "a": ${JSON.stringify(OURS)}, }, }`, ["a"]],
    ["zed", JSON.stringify({ context_servers: { a: { command: { path: OURS.command } } } }), ["a"]],
    ["codex", `[mcp_servers."a b"]\ncommand = 'claude-code-adapter'\n`, ["a b"]],
    ["codex", `# [mcp_servers.a]\n[other]\ncommand = "claude-code-adapter"\n`, []],
    ["codex", `[mcp_servers.a]\n# command = "claude-code-adapter"\ncommand = "x"\n`, []],
    [
      "codex",
      `[mcp_servers.a] # mine\ncommand = "deno"\nargs = [\n  "run",\n  "/x/mod.ts", # it\n  "serve",\n]\n[mcp_servers.a.env]\nB = "c"\n`,
      ["a"],
    ],
  ];
  for (const [id, text, names] of cases) {
    const found = read(id, text);
    assert("servers" in found, text);
    assertEquals(found.servers.map(({ name }) => name), names, text);
  }
});

Deno.test("a file that cannot be read is a fault without its text, which may hold keys", () => {
  const secret = "sk-ant-secret-0123456789";
  for (
    const [id, text] of [
      ["cursor", `{"mcpServers": {\n"a": ${secret}}}`],
      ["cursor", `{"key": "${secret}", // comments are not JSON\n}`],
      ["zed", `{"key": "${secret}" "b": 1}`],
      ["cursor", `${secret}`],
      ["cursor", `["${secret}"]`],
    ] as const
  ) {
    const found = read(id, text);
    assert("fault" in found, text);
    assert(!JSON.stringify(found).includes("secret"), found.fault);
    assertEquals(found.mentions, false);
  }
  const ours = read("cursor", `{"mcpServers": {"claude-code-adapter": `);
  assert("fault" in ours && ours.mentions);
});
