import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { parse as parseJsonc } from "@std/jsonc/parse";
import { installTools } from "../../../scripts/native/install_tools.ts";
import { readHostServers } from "../../../src/cli/doctor/host_servers.ts";
import { type HostId, HOSTS } from "../../../src/cli/hosts/host_table.ts";
import { launchCommand, type RunningProgram, sourceOf } from "../../../src/cli/hosts/launch.ts";
import { snippet } from "../../../src/cli/hosts/snippet.ts";

const { require } = await installTools();
const toml = require("smol-toml");

const IDS = Object.keys(HOSTS) as HostId[];
/** Every character that a quoting mistake would stumble over. */
const ODD = `/home/é "q" 'a' \\ $x \`b\` \t\u007f #1/日本`;
const PROGRAM: RunningProgram = {
  execPath: "/opt/deno",
  standalone: false,
  mainModule: "file:///src/with%20space/mod.ts",
  version: "1.2.3",
};

/** The text read by the format that the table claims for it. */
function parsed(id: HostId, text: string) {
  const { format } = HOSTS[id];
  return format === "toml"
    ? toml.parse(text)
    : format === "json"
    ? JSON.parse(text)
    : parseJsonc(text);
}

function made(id: HostId, over: Partial<Parameters<typeof snippet>[1]> = {}): string {
  const from = over.from ?? "source";
  return snippet(id, {
    launch: launchCommand(from, PROGRAM)!,
    from,
    executable: null,
    project: null,
    version: "1.2.3",
    ...over,
  });
}

for (const id of IDS.filter((id) => id !== "computer-mcp")) {
  Deno.test(`${id}: the snippet is what it claims to be, and says how the program is started`, () => {
    for (const from of ["source", "jsr", "binary"] as const) {
      const whole = parsed(id, made(id, { from, executable: ODD, project: ODD }));
      assertEquals(Object.keys(whole), [HOSTS[id].servers]);
      const { command, args, cwd, type, ...rest } = whole[HOSTS[id].servers]["claude-code"];
      // A shell changes the directory where the host cannot.
      const words: string[] = HOSTS[id].cwd === null ? args.slice(3) : [ODD, command, ...args];
      assertEquals(words[0], ODD);
      if (HOSTS[id].cwd !== null) assertEquals(cwd, ODD);
      assertEquals(words.slice(1, 2), [from === "binary" ? "claude-code-adapter" : "/opt/deno"]);
      assertEquals(words.includes("serve"), true);
      assertEquals(words.slice(-2), ["--executable", ODD]);
      assertEquals(words.includes("--sync-budget"), HOSTS[id].impatient);
      if (from !== "binary") {
        const entry = from === "jsr" ? "jsr:@adapters/claude-code@1.2.3" : "/src/with space/mod.ts";
        for (const flag of ["--allow-run", "--allow-env", "--allow-read", entry]) {
          assert(words.includes(flag), `${flag} in ${words}`);
        }
      }
      assertEquals({ ...(type !== undefined && { type }), ...rest }, HOSTS[id].extra);
    }
  });
}

Deno.test("every snippet is recognized by doctor, also inside a larger file", () => {
  for (const id of IDS.filter((id) => id !== "computer-mcp")) {
    for (const from of ["source", "jsr", "binary"] as const) {
      const text = made(id, { from, project: "/p" });
      const larger = HOSTS[id].format === "toml"
        ? `model = "x"\n[mcp_servers.other]\ncommand = "npx"\n\n${text}\n[mcp_servers.claude-code.env]\nA = "b"\n`
        : text.replace(/^\{/, `{"other": 1,`);
      const found = readHostServers(larger, { host: HOSTS[id], cwd: "/p" });
      assert("servers" in found, id);
      assertEquals(found.servers.map(({ name }) => name), ["claude-code"], `${id} ${from}`);
      const entry = parsed(id, text)[HOSTS[id].servers]["claude-code"];
      assertEquals([found.servers[0]?.command, found.servers[0]?.args], [
        entry.command,
        entry.args,
      ]);
    }
  }
});

Deno.test("computer-mcp: the declaration has the three contributions, of fields that the host knows", async () => {
  const known: { readonly [table: string]: readonly string[] } = {
    dependencies: ["id", "commands", "applications", "instructions", "documentation"],
    cli: ["id", "executable", "description", "cwd", "tree"],
    mcp: ["id", "transport", "executable", "args", "cwd", "url", "prefix", "capabilities"],
    skills: ["id", "path", "description"],
  };
  for (const from of ["source", "jsr", "binary"] as const) {
    const { id, name, version, description, ...tables } = parsed(
      "computer-mcp",
      made("computer-mcp", { from }),
    );
    assertEquals([id, name, version], ["claude-code", "Claude Code", "1.2.3"]);
    assert(description.length > 20);
    assertEquals(Object.keys(tables), Object.keys(known));
    const ids = new Set<string>();
    for (const [table, rows] of Object.entries<Record<string, unknown>[]>(tables)) {
      for (const row of rows) {
        for (const key of Object.keys(row)) assert(known[table]?.includes(key), `${table}.${key}`);
        assert(/^[a-z0-9][a-z0-9_-]*$/.test(String(row.id)));
        assert(!ids.has(String(row.id)), `${row.id} twice`);
        ids.add(String(row.id));
      }
    }
    const dependencies = tables.dependencies.map((row: { id: string }) => row.id);
    for (const row of [...tables.cli, ...tables.mcp]) {
      assert(dependencies.includes(row.executable.dependency));
    }
    // The files that it names are in this repository, which is the package.
    const root = new URL("../../../", import.meta.url);
    await Deno.stat(new URL(tables.cli[0].tree.path, root));
    await Deno.stat(new URL(`${tables.skills[0].path}/SKILL.md`, root));
    const [mcp] = tables.mcp;
    assertEquals([mcp.transport, mcp.args.at(-1)], ["stdio", "serve"]);
    assertEquals(mcp.args[0], from === "binary" ? "serve" : "run");
  }
});

Deno.test("the running program knows where it comes from, and a source nobody knows is none", () => {
  const binary = { ...PROGRAM, standalone: true, execPath: "/opt/adapter" };
  const jsr = { ...PROGRAM, mainModule: "https://jsr.io/@adapters/claude-code/1.2.3/mod.ts" };
  assertEquals([PROGRAM, binary, jsr].map(sourceOf), ["source", "binary", "jsr"]);
  assertEquals(launchCommand("source", binary), null);
  assertEquals(launchCommand("source", jsr), null);
  assertEquals(launchCommand("binary", binary), { command: "/opt/adapter", args: ["serve"] });
  assertEquals(launchCommand("jsr", binary)?.command, "deno");
  assertStringIncludes(String(launchCommand("jsr", jsr)?.args), "jsr:@adapters/claude-code@1.2.3");
});
