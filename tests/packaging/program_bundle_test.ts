/** A freshly made bundle: what its parts load, how its launcher starts, and that it passes the tests of the program. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { VERSION } from "../../src/base/version.ts";
import { SUPERVISE_ROLE } from "../../src/host/supervisor_role.ts";
import { supervisorCommand } from "../../src/host/supervisor_command.ts";
import { compiledStandIn } from "../helpers/compiled_stand_in.ts";
import { launchFake } from "../helpers/launch.ts";
import { isAlive } from "../helpers/processes.ts";
import { bundleProgram, MAIN_FILE, PARTS } from "../../scripts/packaging/program_bundle.ts";
import { cleanEnv } from "../cli/adapter.ts";

const ROOT = decodeURIComponent(new URL("../../", import.meta.url).pathname);
const FOLDER = await Deno.realPath(await Deno.makeTempDir({ prefix: "adapter-bundle '" }));
globalThis.addEventListener("unload", () => Deno.removeSync(FOLDER, { recursive: true }));
const bundle = await bundleProgram({ folder: `${FOLDER}/it`, deno: Deno.execPath() });

const VERSION_LINE = `claude-code-adapter ${VERSION}\n`;

async function ended(program: string, args: readonly string[], env = cleanEnv()) {
  const { code, stdout, stderr } = await new Deno.Command(program, {
    args: [...args],
    cwd: "/",
    clearEnv: true,
    env,
    stdin: "null",
  }).output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

/** The bytes of all files that are loaded at once with `file`. */
async function loadedWith(file: string): Promise<number> {
  const seen = new Set<string>();
  const read = async (name: string): Promise<number> => {
    if (seen.has(name)) return 0;
    seen.add(name);
    const text = await Deno.readTextFile(`${FOLDER}/it/${name}`);
    let bytes = text.length;
    for (const [, other] of text.matchAll(/(?:\bfrom|\bimport)\s*"\.\/([^"]+)"/g)) {
      bytes += await read(other!);
    }
    return bytes;
  };
  return await read(file);
}

/** The one file whose name begins so. */
async function partOf(prefix: string): Promise<string> {
  const names = await Array.fromAsync(Deno.readDir(`${FOLDER}/it`), ({ name }) => name);
  const found = names.filter((name) => name.startsWith(prefix));
  assertEquals(found.length, 1, prefix);
  return found[0]!;
}

Deno.test("a command loads what it needs and no more", async () => {
  for (const { file } of PARTS) assert((await Deno.stat(`${FOLDER}/it/${file}`)).isFile, file);
  const share = async (file: string) => (await loadedWith(file)) / bundle.bytes;
  assert(await share(MAIN_FILE) < 0.01, "the entry before it knows its role");
  assert(await share(await partOf("main-")) < 0.05, "the command line");
  assert(await share("supervise_entry.js") < 0.05, "the supervisor");
  assert(await share(await partOf("supervisor_role-")) < 0.05, "the same in a binary");
  assert(await share(await partOf("serve-")) < 0.25, "the answer to initialize: no SDK, no zod");
  assert(await share(await partOf("server-")) > 0.25, "the shares mean something");
});

Deno.test("the launcher starts from anywhere, through links, and with nothing else on PATH", async () => {
  assertEquals(await ended(bundle.launcher, ["--version"]), {
    code: 0,
    stdout: VERSION_LINE,
    stderr: "",
  });
  const bin = `${FOLDER}/bin of mine`;
  await Deno.mkdir(bin);
  await Deno.symlink("../it/claude-code-adapter", `${bin}/first`);
  await Deno.symlink(`${bin}/first`, `${bin}/second`);
  const linked = await ended(`${bin}/second`, ["--version"]);
  assertEquals([linked.code, linked.stdout], [0, VERSION_LINE], linked.stderr);
  const bare = await ended(bundle.launcher, ["--version"], cleanEnv({ PATH: "/nowhere" }));
  assertEquals([bare.code, bare.stdout], [0, VERSION_LINE], bare.stderr);
  const line = 'cd "$1" && sh claude-code-adapter --version';
  const here = await ended("/bin/sh", ["-c", line, "sh", `${FOLDER}/it`]);
  assertEquals([here.code, here.stdout], [0, VERSION_LINE], here.stderr);
});

Deno.test("without Deno the launcher says what is missing", async () => {
  const { launcher } = await bundleProgram({ folder: `${FOLDER}/plain`, minify: false });
  const { code, stdout, stderr } = await ended(launcher, [], cleanEnv({ PATH: "/nowhere" }));
  assertEquals([code, stdout], [127, ""]);
  assertStringIncludes(stderr, "there is no program 'deno': install Deno 2.9 or later");
});

Deno.test("the program takes the supervisor's role, as a binary starts itself again", async () => {
  const { env } = supervisorCommand(Deno.env.toObject());
  const supervisor = { program: bundle.launcher, args: [SUPERVISE_ROLE], env };
  const run = await launchFake("double_fork_daemon", {
    argv: ["--", "stay"],
    launcher: { supervisor },
  });
  const daemon = await run.pidOf("daemon");
  assert(await isAlive(daemon));
  run.supervised.stop();
  const { confirmed, retired, survivors } = await run.finish() ?? {};
  assertEquals([confirmed, survivors], [true, []]);
  assert(retired !== undefined && retired > 0);
  assert(!await isAlive(daemon));
});

Deno.test("a fresh bundle passes the smoke part of the tests of the program, and as a binary too", async () => {
  const folder = `${FOLDER}/compiled`;
  await Deno.mkdir(folder);
  const compiled = await compiledStandIn(bundle.main, folder);
  const { stdout: shown } = await ended(compiled, ["config", "cursor"]);
  assertEquals(JSON.parse(shown).mcpServers["claude-code"].command, compiled, "it is a binary");
  await Promise.all([bundle.launcher, compiled].map(async (program) => {
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", `${ROOT}scripts/test_binary.ts`, program, "--smoke"],
      env: { NO_COLOR: "1" },
      stdin: "null",
    }).output();
    const said = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
    assertEquals(code, 0, said);
    assertStringIncludes(said, "ok | ");
  }));
});

Deno.test("what is not this program is not tested as if it were", async () => {
  const test = (binary: string) =>
    ended(Deno.execPath(), ["run", "-A", `${ROOT}scripts/test_binary.ts`, binary, "--smoke"]);
  const other = await test("/bin/echo");
  assertEquals(other.code, 1);
  assertStringIncludes(other.stderr, `not 'claude-code-adapter ${VERSION}'`);
  const none = await test("/nowhere/it");
  assertEquals(none.code, 1);
  assertStringIncludes(none.stderr, "/nowhere/it cannot be started");
});
