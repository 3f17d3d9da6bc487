/** Every code block of the documents runs. Those in TypeScript are run by `deno task doc`. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { expectedChecks } from "../../src/contract/tree.ts";
import { answer } from "../../src/loopback/mod.ts";
import { runProgram } from "../helpers/program.ts";
import { type CommandWorld, inCommandWorld } from "../native/command_world.ts";
import { type Block, blocks, ROOT, sources } from "./documents.ts";
import { shellCommands } from "./shell_commands.ts";

/** What the program has where only its name is given, as in the alias of the README. */
const PERMISSIONS = ["--allow-run", "--allow-env", "--allow-read", "--allow-write"];

Deno.test("blocks are of the kinds that something runs, and none is exempt", async () => {
  for (const { place, language } of await blocks()) {
    assertMatch(language, /^(|ts|sh|json|toml)$/, place);
  }
});

Deno.test("no example of the sources is exempt either", async () => {
  let seen = 0;
  for await (const [path, text] of sources()) {
    for (const [, language = ""] of text.matchAll(/^ \* ```(.+)$/gm)) {
      seen++;
      assertMatch(language, /^(ts|sh|json)$/, path);
    }
  }
  assert(seen > 0);
});

Deno.test("there is JSON to read, and all of it can be read", async () => {
  const found = await blocksIn("json");
  assert(found.length > 0);
  for (const { place, text } of found) assert(isJson(text), place);
});

Deno.test("every command for a shell does what it says, on the real CLI", async (t) => {
  const found = await blocksIn("sh");
  assert(found.length > 0);
  for (const { place, text } of found) {
    // One block is one shell: a later command finds the files of an earlier one.
    await inCommandWorld({ script: () => answer("Done.") }, async (world) => {
      for (const command of shellCommands(text)) {
        await t.step(`${place} ${command.join(" ")}`, () => check(command, world));
      }
    });
  }
});

async function blocksIn(language: string): Promise<readonly Block[]> {
  return (await blocks()).filter((block) => block.language === language);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** What the words of a command have to be, and how it is run. */
async function check(command: readonly string[], world: CommandWorld): Promise<void> {
  const [program = "", ...args] = command;
  if (program === "claude-code-adapter") return await runs(args, PERMISSIONS, world);
  if (program === "alias") {
    assertEquals(args[0], "claude-code-adapter=");
    const deno = shellCommands(args[1] ?? "")[0] ?? [];
    assertEquals(deno.slice(2, -1), PERMISSIONS, "an alias is what the other commands run with");
    return await check([...deno, "--version"], world);
  }
  if (program === "deno" && args[0] === "run") {
    const at = args.findIndex((arg) => arg.startsWith("jsr:"));
    assertEquals(args[at], `jsr:${(await config()).name}`);
    return await runs(args.slice(at + 1), args.slice(1, at), world);
  }
  if (program === "deno" && args[0] === "cache") {
    return assertEquals(args[1], `jsr:${(await config()).name}`);
  }
  // The tasks are run where they are tested: this very run is one of `test`.
  if (args.includes("task")) {
    const { tasks } = await config();
    return assert(Object.hasOwn(tasks, args[args.indexOf("task") + 1] ?? ""), "no such task");
  }
  // What changes the machine is compared with the contract instead.
  if (program === "npm") {
    const version = expectedChecks()[0]?.stdout.split(" ")[0];
    return assertEquals(args.at(-1), `@anthropic-ai/claude-code@${version}`);
  }
  assertEquals(program, "export", "nothing says how this command is tested");
}

async function runs(
  args: readonly string[],
  permissions: readonly string[],
  { env, executable, project }: CommandWorld,
): Promise<void> {
  const { code, stdout, stderr } = await runProgram(args, {
    env: { ...env, CLAUDE_CODE_EXECUTABLE: executable, XDG_STATE_HOME: `${project}/state` },
    cwd: project,
    permissions,
  });
  assertEquals(code, 0, stdout + stderr);
}

async function config(): Promise<
  { readonly name: string; readonly tasks: { readonly [name: string]: unknown } }
> {
  return JSON.parse(await Deno.readTextFile(`${ROOT}/deno.json`));
}
