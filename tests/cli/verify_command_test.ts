import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { installNative } from "../../scripts/native/install.ts";
import { leftBehind } from "../../scripts/support/left_behind.ts";
import { contractSha256, type Verification } from "../../src/contract/verification.ts";
import { identify, sha256File } from "../../src/host/file_identity.ts";
import { sha256 } from "../../src/host/sha256.ts";
import { readVerifications, writeVerification } from "../../src/host/verification_store.ts";
import { checkIds } from "../../src/verify/suite.ts";
import { until } from "../helpers/processes.ts";
import {
  type Ended,
  type Program,
  runProgram,
  sourceTest,
  startProgram,
} from "../helpers/program.ts";
import { standIn, VERSION_TEXT } from "../verify/world.ts";
import { cleanEnv } from "./adapter.ts";

/** A person's machine: a HOME with something in it, and a place for temporary files. */
interface Machine {
  readonly root: string;
  readonly home: string;
  readonly temp: string;
  /** Where receipts are kept. */
  readonly state: string;
  start(...args: readonly string[]): Program;
  run(...args: readonly string[]): Promise<Ended>;
}

/** Runs `body`; afterwards no process may be left, no temporary file, and HOME has what it had and the receipts. */
async function onMachine(
  body: (machine: Machine) => Promise<void>,
  { keeps = false }: { readonly keeps?: boolean } = {},
): Promise<void> {
  const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "adapter-verify-" }));
  const [home, temp] = [`${root}/home`, `${root}/temp`];
  const state = `${home}/.local/state/claude-code-adapter`;
  for (const folder of [home, temp, `${home}/.claude`]) await Deno.mkdir(folder);
  await Deno.writeTextFile(`${home}/.claude/settings.json`, "{}");
  const env = { ...cleanEnv({ TMPDIR: temp, DENO_DIR: await denoDir() }), HOME: home };
  const permissions = [`--allow-write=${state},${temp}`, "--allow-net=127.0.0.1"];
  const start = (...args: readonly string[]) =>
    startProgram(["verify", ...args], { env, permissions });
  try {
    await body({ root, home, temp, state, start, run: (...args) => start(...args).ended });
    assertEquals(await leftBehind(root), [], "processes that are left");
    const files = (await filesIn(home)).filter((path) => !path.startsWith(`${state}/verify-`));
    assertEquals(files, [`${home}/.claude/settings.json`], "files in HOME");
    assertEquals(await Deno.readTextFile(`${home}/.claude/settings.json`), "{}");
    if (!keeps) assertEquals(await filesIn(temp), [], "temporary files");
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

/** Starts a program, and waits until a stand-in below `temp` says that it runs. */
async function startedIn(temp: string, start: () => Program): Promise<Program> {
  using watcher = Deno.watchFs(temp, { recursive: true });
  const program = start();
  for await (const { paths } of watcher) if (paths.some((path) => path.endsWith("/runs"))) break;
  return program;
}

async function denoDir(): Promise<string> {
  const { stdout } = await new Deno.Command(Deno.execPath(), { args: ["info", "--json"] }).output();
  return JSON.parse(new TextDecoder().decode(stdout)).denoDir;
}

async function filesIn(folder: string): Promise<string[]> {
  const paths: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = `${folder}/${name}`;
    if (isDirectory) paths.push(...await filesIn(path));
    else paths.push(path);
  }
  return paths.sort();
}

Deno.test("the pinned CLI keeps the contract, HOME is left alone, and the receipt says which file it was", async () => {
  const executable = await installNative();
  await onMachine(async ({ state, run }) => {
    const { code, stdout, stderr } = await run("--executable", executable);
    assertEquals([code, stderr], [0, ""], stdout);
    for (const id of checkIds()) assert(new RegExp(`^ok .* ${id} `, "m").test(stdout), id);
    const { verifications, ignored } = await readVerifications(state);
    assertEquals(ignored, []);
    assertEquals(verifications.length, 1);
    const [receipt] = verifications;
    assertEquals(receipt?.passed, true);
    assertEquals(receipt?.version_text, VERSION_TEXT);
    assertEquals(receipt?.contract_sha256, contractSha256(sha256));
    assertEquals(receipt?.executable, {
      ...await identify(executable),
      sha256: await sha256File(executable),
    });
    assertEquals(receipt?.checks, checkIds().map((id) => ({ id, passed: true })));
    const [path = ""] = await filesIn(state);
    assertEquals(((await Deno.stat(path)).mode ?? 0) & 0o777, 0o600);
    assertEquals(((await Deno.stat(state)).mode ?? 0) & 0o777, 0o700);
    assertStringIncludes(stdout, `Receipt: ${path}\n`);
  });
});

Deno.test("a CLI that fails replaces its own passing receipt, and the report is JSON", async () => {
  await onMachine(async ({ root, state, run }) => {
    const executable = `${root}/claude`;
    await standIn(executable, "exit 0");
    const passed: Verification = {
      format_version: 1,
      contract_sha256: contractSha256(sha256),
      adapter_version: "0",
      executable: { ...await identify(executable), sha256: await sha256File(executable) },
      version_text: VERSION_TEXT,
      checks: [{ id: "one", passed: true }],
      passed: true,
      at: "2026-01-31T08:00:00.000Z",
    };
    const path = await writeVerification(state, passed);
    const { code, stdout } = await run(`--executable=${executable}`, "--json");
    const report = JSON.parse(stdout);
    assertEquals([code, report.passed, report.receipt], [1, false, path]);
    assertEquals(report.checks.map(({ id }: { id: string }) => id), checkIds());
    const { verifications } = await readVerifications(state);
    assertEquals(verifications.map((one) => one.passed), [false]);
  });
});

Deno.test("a file that changes meanwhile gets no receipt", async () => {
  await onMachine(async ({ root, state, run }) => {
    const executable = `${root}/claude`;
    await standIn(executable, `echo "# changed" >> "$0"; exit 0`);
    const { code, stdout } = await run("--executable", executable);
    assertEquals(code, 1);
    assertStringIncludes(stdout, "No receipt was written");
    assertStringIncludes(stdout, "was changed meanwhile");
    assertEquals(await readVerifications(state), { verifications: [], ignored: [] });
  });
});

for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
  Deno.test(`${signal} ends everything, cleans up and writes no receipt`, async () => {
    await onMachine(async ({ root, temp, state, start }) => {
      const executable = `${root}/claude`;
      await standIn(executable, `echo > "$CLAUDE_CONFIG_DIR/runs"; while :; do sleep 1; done`);
      const program = await startedIn(temp, () => start("--executable", executable));
      Deno.kill(program.pid, signal);
      const { code, stderr } = await program.ended;
      assertEquals(code, 130);
      assertStringIncludes(stderr, "interrupted; no receipt was written");
      assertEquals(await readVerifications(state), { verifications: [], ignored: [] });
    });
  });
}

Deno.test("SIGKILL leaves no process, and the next verify removes its folder", async () => {
  await onMachine(async ({ root, temp, state, start, run }) => {
    const executable = `${root}/claude`;
    await standIn(executable, `echo > "$CLAUDE_CONFIG_DIR/runs"; while :; do sleep 1; done`);
    const program = await startedIn(temp, () => start("--executable", executable));
    Deno.kill(program.pid, "SIGKILL");
    await program.ended;
    await until(async () => (await leftBehind(root)).length === 0);
    assert((await filesIn(temp)).length > 0, "its folder is there still");
    assertEquals(await readVerifications(state), { verifications: [], ignored: [] });
    await standIn(executable, "exit 0");
    assertEquals((await run("--executable", executable)).code, 1);
  });
});

Deno.test("a CLI that kills its supervisor fails its checks, and nothing of it is left", async () => {
  await onMachine(async ({ root, run }) => {
    const executable = `${root}/claude`;
    await standIn(executable, `sleep 300 & kill -KILL "$PPID"; sleep 300`);
    const { code, stdout } = await run("--executable", executable, "--json");
    const report = JSON.parse(stdout);
    assertEquals([code, report.passed], [1, false]);
    const { finding } = report.checks.find(({ id }: { id: string }) => id === "option.prompt");
    assertStringIncludes(finding, "ended unseen");
  });
});

Deno.test("two at once on one state folder leave one whole receipt for each file", async () => {
  await onMachine(async ({ root, state, run }) => {
    const names = ["one", "two", "one"];
    for (const name of names) await standIn(`${root}/${name}`, "exit 0");
    const codes = await Promise.all(names.map((name) => run("--executable", `${root}/${name}`)));
    assertEquals(codes.map(({ code }) => code), [1, 1, 1], codes[0]?.stdout);
    const { verifications, ignored } = await readVerifications(state);
    assertEquals(ignored, []);
    const paths = verifications.map(({ executable }) => executable.path).sort();
    assertEquals(paths, [`${root}/one`, `${root}/two`]);
  });
});

Deno.test("a receipt that cannot be written is said, and is a failure", async () => {
  await onMachine(async ({ root, state, run }) => {
    const executable = `${root}/claude`;
    await standIn(executable, "exit 0");
    await Deno.mkdir(state, { recursive: true });
    await Deno.chmod(state, 0o777);
    const { code, stdout } = await run("--executable", executable, "--json");
    const report = JSON.parse(stdout);
    assertEquals([code, report.receipt], [1, null]);
    assertStringIncludes(report.no_receipt, "others can write to it");
  });
});

Deno.test("--keep keeps the folder and says where it is", async () => {
  await onMachine(async ({ root, temp, run }) => {
    const executable = `${root}/claude`;
    await standIn(executable, "exit 0");
    const { stderr } = await run("--executable", executable, "--keep");
    const [, folder = ""] = /is kept: (\S+)/.exec(stderr) ?? [];
    assertEquals(folder.slice(0, temp.length), temp);
    assert((await run("--executable", executable)).code === 1, "another verify");
    assert((await Deno.stat(`${folder}/plain/project`)).isDirectory, "is not removed by the next");
    assertEquals((await Array.fromAsync(Deno.readDir(temp))).length, 1);
  }, { keeps: true });
});

interface Refusal {
  readonly what: string;
  readonly args: readonly string[];
  readonly env?: { readonly [name: string]: string };
  readonly permissions?: readonly string[];
  readonly says: string;
}

const CIRCLE = await Deno.makeTempDir();
await Deno.symlink(`${CIRCLE}/claude`, `${CIRCLE}/claude`);
globalThis.addEventListener("unload", () => Deno.removeSync(CIRCLE, { recursive: true }));

const ALL = ["--allow-write", "--allow-net"];
const REFUSALS: readonly Refusal[] = [
  { what: "an unknown option", args: ["--fast"], says: "there is no option '--fast'" },
  { what: "an operand", args: ["now"], says: "one argument too many" },
  { what: "a relative path", args: ["--executable", "claude"], says: "must be an absolute path" },
  { what: "a folder", args: ["--executable", "/usr"], says: "'/usr', which is not a file" },
  { what: "a missing file", args: ["--executable", "/nowhere/claude"], says: "does not exist" },
  {
    what: "a circle of links",
    args: ["--executable", `${CIRCLE}/claude`],
    says: "is a symbolic link in a circle of links",
  },
  {
    what: "no place for temporary files",
    args: ["--executable", "/bin/sh"],
    env: { TMPDIR: "/nowhere" },
    says: "no folder can be made in '/nowhere': No such file or directory; set TMPDIR",
  },
  {
    what: "no home",
    args: ["--executable", "/bin/sh"],
    env: { HOME: "" },
    says: "set HOME or XDG_STATE_HOME",
  },
  {
    what: "no permission to write",
    args: ["--executable", "/bin/sh"],
    permissions: ["--allow-net=127.0.0.1"],
    says: "it needs --allow-write=",
  },
  {
    what: "no permission for loopback",
    args: ["--executable", "/bin/sh"],
    permissions: ["--allow-write"],
    says: "it needs --allow-net=127.0.0.1",
  },
];

for (const { what, args, env = {}, permissions = ALL, says } of REFUSALS) {
  const test = permissions === ALL ? Deno.test : sourceTest;
  test(`with ${what} it says so in a sentence, and starts nothing`, async () => {
    const { code, stdout, stderr } = await runProgram(["verify", ...args], {
      env: { ...cleanEnv(), DENO_DIR: await denoDir(), ...env },
      permissions,
    });
    assertEquals([code, stdout], [2, ""]);
    assertStringIncludes(stderr, says);
    assertEquals(stderr.trim().split("\n").length, 1, stderr);
  });
}
