import { assertEquals, assertStringIncludes } from "@std/assert";
import { adapterCommand } from "../helpers/mcp_client.ts";
import { runProgram } from "../helpers/program.ts";
import { cleanEnv } from "./adapter.ts";

const RESULT = {
  type: "result",
  subtype: "success",
  is_error: false,
  result: "é\u2028 done",
  session_id: "s",
};
/** Odd on purpose: what is passed on byte for byte keeps its white space and its escapes. */
const ODD = `  ${JSON.stringify(RESULT).replace(",", " , ")}\t\n`;

/** A stand-in: its version, then `body` as a shell program. */
async function standIn(folder: string, body: string): Promise<string> {
  const path = `${folder}/claude`;
  const version = `[ "$1" = --version ] && { echo "2.1.332 (Claude Code)"; exit 0; }`;
  await Deno.writeTextFile(path, `#!/bin/sh\n${version}\n${body}\n`, { mode: 0o755 });
  return path;
}

function printing(text: string): string {
  return `cat <<'END'\n${text}END`;
}

const line = (value: unknown) => `${JSON.stringify(value)}\n`;

interface Case {
  readonly what: string;
  readonly body: string;
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const CASES: readonly Case[] = [
  { what: "a result", body: printing(ODD), code: 0, stdout: ODD, stderr: "" },
  {
    what: "a result and a warning",
    body: `echo "a warning" >&2\n${printing(line(RESULT))}`,
    code: 0,
    stdout: line(RESULT),
    stderr: "a warning\n",
  },
  {
    what: "success that is an error",
    body: `${printing(line({ ...RESULT, is_error: true }))}\nexit 1`,
    code: 1,
    stdout: line({ ...RESULT, is_error: true }),
    stderr: "(vendor_failed)",
  },
  {
    what: "success that is an error, with exit code 0",
    body: printing(line({ ...RESULT, is_error: true })),
    code: 1,
    stdout: line({ ...RESULT, is_error: true }),
    stderr: "(vendor_failed)",
  },
  {
    what: "success with exit code 1",
    body: `${printing(line(RESULT))}\nexit 1`,
    code: 1,
    stdout: line(RESULT),
    stderr: "exit code 1",
  },
  { what: "nothing", body: "exit 0", code: 1, stdout: "", stderr: "(vendor_failed)" },
  {
    what: "two results",
    body: printing(line(RESULT) + line(RESULT)),
    code: 1,
    stdout: line(RESULT) + line(RESULT),
    stderr: "(invalid_vendor_response)",
  },
  {
    what: "an array",
    body: printing(line([RESULT])),
    code: 1,
    stdout: line([RESULT]),
    stderr: "no result object",
  },
  {
    what: "text",
    body: "echo hello",
    code: 1,
    stdout: "hello\n",
    stderr: "(invalid_vendor_response)",
  },
  {
    what: "a limit",
    body: `${
      printing(line({ ...RESULT, is_error: true, result: "Claude usage limit reached" }))
    }\nexit 1`,
    code: 3,
    stdout: line({ ...RESULT, is_error: true, result: "Claude usage limit reached" }),
    stderr: "(usage_limited)",
  },
];

Deno.test("print passes bytes on and exits by what they mean", async () => {
  const folder = await Deno.makeTempDir();
  for (const { what, body, code, stdout, stderr } of CASES) {
    const executable = await standIn(folder, body);
    const args = ["print", `--executable=${executable}`, "--permission-mode=plan", "--", "hello"];
    const ended = await runProgram(args, { env: cleanEnv() });
    assertEquals([ended.code, ended.stdout], [code, stdout], `${what}: ${ended.stderr}`);
    if (stderr === "") assertEquals(ended.stderr, "", what);
    else assertStringIncludes(ended.stderr, stderr, what);
  }
  await Deno.remove(folder, { recursive: true });
});

Deno.test("print asserts the version before anything else", async () => {
  const folder = await Deno.makeTempDir();
  const path = `${folder}/claude`;
  await Deno.writeTextFile(
    path,
    `#!/bin/sh\n[ "$1" = --version ] && { echo "2.1.999 (Claude Code)"; exit 0; }\ntouch ${folder}/ran\n${
      printing(line(RESULT))
    }\n`,
    { mode: 0o755 },
  );
  const args = ["print", `--executable=${path}`, "--permission-mode=plan"];
  const refused = await runProgram([...args, "hi"], { env: cleanEnv() });
  assertEquals([refused.code, refused.stdout], [1, ""]);
  for (const part of ["2.1.332", "2.1.999", `verify --executable ${path}`, "incompatible_vendor"]) {
    assertStringIncludes(refused.stderr, part);
  }
  assertEquals(Array.from(Deno.readDirSync(folder), ({ name }) => name), ["claude"]);
  const accepted = [...args, "--accept-native-version", "2.1.999 (Claude Code)", "hi"];
  assertEquals((await runProgram(accepted, { env: cleanEnv() })).code, 0);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("print says in a sentence what is wrong with a call, and starts nothing", async () => {
  const cases: readonly (readonly [readonly string[], string])[] = [
    [["hi"], "--permission-mode has to be given"],
    [["--permission-mode=plan"], "there is no prompt"],
    [["--permission-mode=plan", "a", "b"], "'b' is one argument too many"],
    [["--permission-mode=bypassPermissions", "a"], "must be one of dontAsk, plan, acceptEdits"],
    [["--permission-mode=plan", "--bogus", "a"], "there is no option '--bogus'"],
    [["--permission-mode=plan", "--timeout=0", "a"], "from 1 to 1800"],
    [["--permission-mode=plan", "--max-budget-usd=x", "a"], "needs a number"],
    [["--permission-mode=plan", "--max-budget-usd=0", "a"], "max_budget_usd"],
    [["--permission-mode=plan", "--session-id=x", "a"], "session_id"],
    [["--permission-mode=plan", "--resume=x", "--continue", "a"], "exclude each other"],
    [["--permission-mode=plan", "--", "  "], "white space"],
    [["--permission-mode=plan", "--append-system-prompt", "x".repeat(65_537), "a"], "65536"],
  ];
  for (const [args, part] of cases) {
    const ended = await runProgram(["print", "--executable=/bin/true", ...args], {
      env: cleanEnv(),
    });
    assertEquals([ended.code, ended.stdout], [2, ""], args.join(" ").slice(0, 100));
    assertEquals(ended.stderr.trim().split("\n").length, 1, ended.stderr);
    assertStringIncludes(ended.stderr, part);
  }
});

Deno.test("print --help lists the options of the tree", async () => {
  const { code, stdout } = await runProgram(["print", "--help"], { env: cleanEnv() });
  assertEquals(code, 0);
  for (const part of ["--permission-mode dontAsk|plan|acceptEdits (required)", "--resume VALUE"]) {
    assertStringIncludes(stdout, part);
  }
});

Deno.test("print exits 2 when there is no claude that can be started, as verify does", async () => {
  const folder = await Deno.makeTempDir();
  await Deno.writeTextFile(`${folder}/plain`, "");
  await Deno.writeTextFile(`${folder}/orphan`, "#!/nowhere/interpreter\n", { mode: 0o755 });
  await Deno.symlink(`${folder}/circle`, `${folder}/circle`);
  const cases = [
    ["missing", "does not exist"],
    ["plain", "is not executable"],
    ["", "is not a file"],
    ["circle", "is a symbolic link in a circle of links"],
    ["orphan", "the program its first line names, does not exist"],
  ] as const;
  for (const [name, says] of cases) {
    const args = ["print", `--executable=${folder}/${name}`, "--permission-mode=plan", "hi"];
    const { code, stdout, stderr } = await runProgram(args, { env: cleanEnv() });
    assertEquals([code, stdout], [2, ""], stderr);
    assertStringIncludes(stderr, says);
    assertStringIncludes(stderr, "(dependency_unavailable)");
  }
  await Deno.symlink(Deno.execPath(), `${folder}/deno`); // for the launcher of a bundle
  const nowhere = await runProgram(["print", "--permission-mode=plan", "hi"], {
    env: { ...cleanEnv(), PATH: folder },
  });
  assertEquals(nowhere.code, 2, nowhere.stderr);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("an argument that is no UTF-8 is refused, and a replacement character that was meant is not", async () => {
  const folder = await Deno.makeTempDir();
  const body = `for last; do :; done; printf %s "$last" > ${folder}/prompt\n${
    printing(line(RESULT))
  }`;
  const executable = await standIn(folder, body);
  const print = ["print", `--executable=${executable}`, "--permission-mode=plan", "--"];
  const started = async (args: readonly string[], escapes: string) => {
    const { code, stdout, stderr } = await new Deno.Command("/bin/sh", {
      args: ["-c", `exec "$@" "$(printf '${escapes}')"`, "sh", ...adapterCommand(), ...args],
      clearEnv: true,
      env: cleanEnv(),
    }).output();
    const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
    return { code, out: decode(stdout), err: decode(stderr) };
  };
  const refused: readonly (readonly [readonly string[], string])[] = [
    [print, "caf\\351"],
    [print, "\\355\\240\\200"],
    [print, "\\357\\277\\275 and \\377"],
    [["config", "cursor", "--project"], "/caf\\351"],
    [["tree", "validate"], "caf\\351"],
  ];
  for (const [args, escapes] of refused) {
    const { code, out, err } = await started(args, escapes);
    assertEquals([code, out], [2, ""], err);
    assertStringIncludes(err, "an argument is no UTF-8 text");
    assertEquals(err.trim().split("\n").length, 1, err);
  }
  assertEquals(Array.from(Deno.readDirSync(folder), ({ name }) => name), ["claude"]);
  const meant = await started(print, "what is \\357\\277\\275?");
  assertEquals([meant.code, meant.err], [0, ""]);
  assertEquals(await Deno.readTextFile(`${folder}/prompt`), "what is \ufffd?");
  await Deno.remove(folder, { recursive: true });
});
