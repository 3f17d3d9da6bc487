import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import document from "../../cli-tree.json" with { type: "json" };
import { leftBehind } from "../../scripts/support/left_behind.ts";
import { fakeClaude } from "../helpers/fake_claude.ts";
import { isAlive, until } from "../helpers/processes.ts";
import { bareCommand, sourceTest } from "../helpers/program.ts";
import { sampleTree } from "../contract/sample_tree.ts";

const ROOT = new URL("../../", import.meta.url).pathname;
const READ = ["--allow-read"];
const READ_AND_RUN = ["--allow-read", "--allow-run"];

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `tree …` with these permissions and no others. */
async function tree(
  args: readonly string[],
  permissions: readonly string[] = READ,
): Promise<Ended> {
  const [program = "", ...rest] = bareCommand(["tree", ...args], permissions);
  const { code, stdout, stderr } = await new Deno.Command(program, {
    args: rest,
    cwd: ROOT,
    stdin: "null",
  }).output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

/** The one report on standard output. */
async function report(args: readonly string[], permissions?: readonly string[]) {
  const { code, stdout, stderr } = await tree(args, permissions);
  assertEquals(stderr, "");
  const value = JSON.parse(stdout);
  assertEquals(code, value.valid ? 0 : 1);
  const codes = value.diagnostics.map((one: Record<string, string>) => `${one.code} ${one.path}`);
  return { value, codes };
}

/** A folder with trees in it. */
async function makeTrees(files: Record<string, unknown>) {
  const folder = await Deno.makeTempDir({ prefix: "trees_" });
  for (const [name, content] of Object.entries(files)) {
    const text = typeof content === "string" ? content : JSON.stringify(content);
    await Deno.writeTextFile(`${folder}/${name}`, text);
  }
  return { folder, [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }) };
}

Deno.test("tree validate prints one report and needs nothing but reading", async () => {
  const { value, codes } = await report([
    "validate",
    "cli-tree.json",
    "--expected-version=2.1.332",
  ]);
  assertEquals(codes, []);
  assertEquals(value, {
    format_version: 1,
    valid: true,
    diagnostics: [],
    tree: {
      source: document.source,
      executable_version: "2.1.332",
      coverage: "partial",
      command_count: 1,
    },
    executable_check_count: 0,
    checked_executable: false,
    diagnostics_omitted: 0,
  });
});

Deno.test("tree validate says what is wrong with a file, whatever it is", async () => {
  const broken = { ...sampleTree(), extra: 1, source: "" };
  const { executable_checks: _, ...unchecked } = sampleTree();
  await using trees = await makeTrees({
    "broken.json": broken,
    "unchecked.json": unchecked,
    "comments.json": `// hello\n${JSON.stringify(sampleTree())}`,
    "comments.jsonc": `// hello\n${JSON.stringify(sampleTree())}`,
    "half.json": "{",
    "marked.json": `\ufeff${JSON.stringify(sampleTree())}`,
    "marked.jsonc": `\ufeff${JSON.stringify(sampleTree())}`,
    "large.json": " ".repeat(4 * 1024 * 1024 + 1),
    "many.json": Object.fromEntries(Array.from({ length: 150 }, (_, i) => [`x${i}`, 1])),
  });
  const cases: readonly [file: string, codes: readonly string[], valid?: true][] = [
    ["broken.json", ["clitree.document.unknown_field /extra", "clitree.document.invalid /source"]],
    ["unchecked.json", ["clitree.check.undeclared /executable_checks"], true],
    ["comments.json", ["clitree.document.encoding "]],
    ["comments.jsonc", [], true],
    ["half.json", ["clitree.document.encoding "]],
    ["marked.json", ["clitree.document.encoding "]],
    ["marked.jsonc", ["clitree.document.encoding "]],
    ["large.json", ["clitree.document.unreadable "]],
    ["circle.json", ["clitree.document.unreadable "]],
    ["missing.json", ["clitree.document.unreadable "]],
    ["", ["clitree.document.unreadable "]],
  ];
  await Deno.symlink(`${trees.folder}/circle.json`, `${trees.folder}/circle.json`);
  for (const [file, codes, valid = false] of cases) {
    const found = await report(["validate", `${trees.folder}/${file}`]);
    assertEquals([found.codes, found.value.valid], [codes, valid], file);
    assertEquals("tree" in found.value, valid, file);
  }
  const says = async (file: string) =>
    (await report(["validate", `${trees.folder}/${file}`])).value.diagnostics[0].message;
  assertStringIncludes(await says("marked.json"), "begins with a byte order mark");
  assertStringIncludes(
    await says("circle.json"),
    "cannot be read: it is a symbolic link in a circle",
  );
  const many = await report(["validate", `${trees.folder}/many.json`]);
  assertEquals([many.codes.length, many.value.diagnostics_omitted], [100, 56]);
  const other = await report(["validate", "cli-tree.json", "--expected-version", "2.1.333"]);
  assertEquals(other.codes, ["clitree.version.mismatch /executable_version"]);
  assertEquals(other.value.tree.executable_version, "2.1.332");
});

Deno.test("tree check runs the checks on an executable, and only those", async () => {
  const passed = await report(
    ["check", "cli-tree.json", "--executable", fakeClaude("ok")],
    READ_AND_RUN,
  );
  assertEquals(passed.codes, []);
  assertEquals(passed.value.executable_check_count, 1);
  assertEquals(passed.value.checked_executable, true);

  const { executable_checks: _, ...unchecked } = sampleTree();
  const script = `#!/bin/sh\necho "$*" >> "\${0%/*}/calls"\n[ "$1" = b ] || printf '%s' "$1"\n`;
  await using trees = await makeTrees({
    "unchecked.json": unchecked,
    "broken.json": { ...sampleTree(), extra: 1 },
    "letters.json": {
      ...sampleTree(),
      executable_checks: ["a", "b", "c"].map((letter) => ({ args: [letter], stdout: letter })),
    },
    "program": script,
  });
  const { folder } = trees;
  await Deno.chmod(`${folder}/program`, 0o755);
  const cases: readonly [args: readonly string[], codes: readonly string[], count: number][] = [
    [["letters.json", "program"], ["clitree.check.mismatch /executable_checks/1"], 1],
    [["letters.json", "none"], ["clitree.check.unavailable /executable_checks"], 0],
    [["letters.json", "broken.json"], ["clitree.check.unavailable /executable_checks"], 0],
    [["broken.json", "program"], ["clitree.document.unknown_field /extra"], 0],
    [["unchecked.json", "program"], [
      "clitree.check.undeclared /executable_checks",
      "clitree.check.missing /executable_checks",
    ], 0],
  ];
  for (const [[file, program], codes, count] of cases) {
    const found = await report(
      ["check", `${folder}/${file}`, `--executable=${folder}/${program}`],
      READ_AND_RUN,
    );
    assertEquals([found.codes, found.value.executable_check_count], [codes, count], file);
    assertEquals(found.value.checked_executable, false);
  }
  assertEquals(await Deno.readTextFile(`${folder}/calls`), "a\nb\n", "nothing else was run");
  const version = await report([
    "check",
    `${folder}/letters.json`,
    `--executable=${folder}/program`,
    "--expected-version=2",
  ], READ_AND_RUN);
  assertEquals(version.codes, ["clitree.version.mismatch /executable_version"]);
  assertEquals(
    await Deno.readTextFile(`${folder}/calls`),
    "a\nb\n",
    "another version runs nothing",
  );
});

sourceTest("a missing permission is a diagnostic that names it", async () => {
  const unread = await report(["validate", "deno.json"], ["--allow-read=./cli-tree.json"]);
  assertStringIncludes(unread.value.diagnostics[0].message, "--allow-read");
  const unrun = await report(["check", "cli-tree.json", `--executable=${fakeClaude("ok")}`]);
  assertEquals(unrun.codes, ["clitree.check.unavailable /executable_checks/0"]);
  assertStringIncludes(unrun.value.diagnostics[0].message, "--allow-run");
});

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "SIGKILL"] as const) {
  Deno.test(`${signal} ends a tree check and what it runs`, async () => {
    await using trees = await makeTrees({
      // What it starts holds no pipe of ours, and none of them hears of a signal to the other.
      "program": `#!/bin/sh\nsleep 300 >/dev/null 2>&1 &\necho $! $$ > "$0.pids"\nexec sleep 300\n`,
    });
    const program = `${trees.folder}/program`;
    await Deno.chmod(program, 0o755);
    const args = ["tree", "check", "cli-tree.json", `--executable=${program}`];
    const [deno = "", ...rest] = bareCommand(args, READ_AND_RUN);
    const child = new Deno.Command(deno, {
      args: rest,
      cwd: ROOT,
      stdout: "piped",
    }).spawn();
    await until(() => isThere(`${program}.pids`));
    child.kill(signal);
    const { code, signal: by, stdout } = await child.output();
    if (signal === "SIGKILL") assertEquals(by, signal);
    else {
      const value = JSON.parse(new TextDecoder().decode(stdout));
      assertEquals([code, value.diagnostics[0].code], [1, "clitree.check.cancelled"]);
    }
    const pids = (await Deno.readTextFile(`${program}.pids`)).trim().split(" ").map(Number);
    for (const pid of pids) await until(async () => !(await isAlive(pid)));
    assertEquals(await leftBehind(trees.folder), []);
  });
}

Deno.test("tree show prints the tree of this program without any permission", async () => {
  const { code, stdout, stderr } = await tree(["show"], []);
  assertEquals([code, stderr], [0, ""]);
  const [print] = document.commands;
  const names = print!.parameters.map(({ name }) => name);
  const flags = print!.argv.flatMap((token) => token.flag === undefined ? [] : [token.flag]);
  for (const part of [...names, ...flags, "2.1.332", "prompt *", "131072", "full-shell"]) {
    assertStringIncludes(stdout, part);
  }
  assert(stdout.split("\n").every((line) => line.length <= 100), "fits a terminal");
  const json = await tree(["show", "--json"], []);
  assertEquals(JSON.parse(json.stdout), document as unknown);
});

Deno.test("tree show FILE prints another tree, or what is wrong with it", async () => {
  await using trees = await makeTrees({
    "good.json": sampleTree(),
    "bad.json": { source: 1 },
    "marked.json": `\ufeff${JSON.stringify(sampleTree())}`,
  });
  const good = await tree(["show", `${trees.folder}/good.json`]);
  assertEquals(good.code, 0);
  assertStringIncludes(good.stdout, "--dry-run or --no-dry-run");
  const bad = await tree(["show", `${trees.folder}/bad.json`, "--json"]);
  assertEquals([bad.code, bad.stdout], [1, ""]);
  assertStringIncludes(bad.stderr, "bad.json/source: must be a string\n");
  const missing = await tree(["show", `${trees.folder}/none`]);
  assertEquals(missing.stderr, `'${trees.folder}/none' cannot be read: it does not exist\n`);
  const marked = await tree(["show", `${trees.folder}/marked.json`]);
  assertEquals([marked.code, marked.stdout], [1, ""]);
  assertStringIncludes(marked.stderr, "byte order mark");
});

Deno.test("wrong usage of tree is one sentence and exit code 2", async () => {
  const cases: readonly [args: readonly string[], says: string][] = [
    [[], "validate, check, show"],
    [["toString"], "validate, check, show"],
    [["validate"], "path of a tree"],
    [["validate", ""], "path of a tree"],
    [["validate", "a", "b"], "'b'"],
    [["validate", "a", "--executable=b"], "--executable"],
    [["check", "cli-tree.json"], "--executable"],
    [["check", "cli-tree.json", "--executable="], "path of an executable"],
    [["show", "--json=1"], "takes no value"],
    [["show", ""], "path of a tree"],
  ];
  for (const [args, says] of cases) {
    const { code, stdout, stderr } = await tree(args, []);
    assertEquals([code, stdout], [2, ""], args.join(" "));
    assertEquals(stderr.trim().split("\n").length, 1, stderr);
    assertStringIncludes(stderr, says);
    assertStringIncludes(stderr, "tree --help");
  }
});

Deno.test("tree --help fits a terminal and names every member of the report", async () => {
  const { code, stdout } = await tree(["--help"], []);
  assertEquals(code, 0);
  assert(stdout.split("\n").every((line) => line.length <= 100));
  const { value } = await report(["validate", "cli-tree.json"]);
  for (const name of Object.keys(value)) assertStringIncludes(stdout, `  ${name} `);
});

function isThere(path: string): boolean {
  try {
    return Deno.statSync(path).size > 0;
  } catch {
    return false;
  }
}
