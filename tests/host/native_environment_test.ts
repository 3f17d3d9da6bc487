import { assert, assertEquals, assertMatch } from "@std/assert";
import { launchFake } from "../helpers/launch.ts";
import { MARKER_NAME } from "../../src/supervision/marker.ts";

/** The environment that the native process really got. */
async function seenEnvironment(inherited: { readonly [name: string]: string }, added = {}) {
  const run = await launchFake("echo_env", { env: added, launcher: { env: inherited } });
  await run.finish();
  const answer = run.frames().find((frame) => frame.type === "result")?.result as string;
  const entries = (JSON.parse(answer) as string[]).map((entry): [string, string] => {
    const at = entry.indexOf("=", 1);
    return [entry.slice(0, at), entry.slice(at + 1)];
  });
  assertEquals(new Set(entries.map(([name]) => name)).size, entries.length, "no name twice");
  return { env: Object.fromEntries(entries), run };
}

const BASE = { PATH: Deno.env.get("PATH") ?? "/usr/bin:/bin", HOME: Deno.env.get("HOME") ?? "/" };

Deno.test("environment: what the native process sees is exactly what was given", async () => {
  const inherited = {
    ...BASE,
    EMPTY: "",
    "a name.with-all sorts%%": "1",
    "BASH_FUNC_grep%%": "() { echo lies; }",
    BASH_ENV: "/nowhere/script",
    ENV: "/nowhere/script",
    SHELLOPTS: "noexec",
    IFS: "x",
    LINES: "one\ntwo\n",
    UNICODE: "é € 😀",
    ÜNI: "name",
    QUOTES: `"'\\$HOME \`id\``,
    TAB: "a\tb\rc",
    LD_LIBRARY_PATH: "/nowhere",
    NODE_OPTIONS: "--nothing",
    DENO_DIR: Deno.env.get("DENO_DIR") ?? `${BASE.HOME}/.cache/deno`,
    NO_COLOR: "0",
    __proto: "x",
    BIG: "y".repeat(100_000),
  };
  const { env, run } = await seenEnvironment(inherited, { ADDED: "1", EMPTY: "no longer" });
  const { [MARKER_NAME]: marker, ...rest } = env;
  assertEquals<unknown>(rest, { ...inherited, ADDED: "1", EMPTY: "no longer" });
  assertMatch(marker!, new RegExp(`^\\d+\\.${Deno.pid}\\.\\d+\\.${run.runId}$`));
});

Deno.test("environment: nothing is invented for a process that is given almost nothing", async () => {
  const { env } = await seenEnvironment({ PATH: BASE.PATH });
  assertEquals(Object.keys(env).sort(), [MARKER_NAME, "PATH"]);
});

Deno.test("environment: the host's own and the outer session's variables stay out", async () => {
  const { env } = await seenEnvironment({
    ...BASE,
    COMPUTER_MCP_SECRET: "x",
    CLAUDECODE: "1",
    CLAUDE_CODE_MESSAGING_TOKEN: "x",
    CLAUDE_CODE_MAX_RETRIES: "3",
    [MARKER_NAME]: "1.2.3.outer",
  });
  assertEquals(
    Object.keys(env).sort(),
    [MARKER_NAME, "CLAUDE_CODE_MAX_RETRIES", "HOME", "PATH"].sort(),
  );
  assert(
    env[MARKER_NAME]!.startsWith("1.2.3.outer,"),
    "the outer run still owns what this one starts",
  );
});
