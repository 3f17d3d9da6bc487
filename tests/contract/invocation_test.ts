import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { MAX_ARGUMENT_BYTES } from "../../src/base/limits.ts";
import { buildPrintInvocation, buildRunInvocation } from "../../src/contract/invocation.ts";
import { loadTree } from "../../src/contract/load_tree.ts";
import { runCommand } from "../../src/contract/run_command.ts";
import { parseRunArguments } from "../../src/contract/run_schema.ts";
import { embeddedTree } from "../../src/contract/tree.ts";
import { caught } from "./caught.ts";

const UUID = "12345678-1234-4234-8234-1234567890ab";
const STREAM = ["-p", "--output-format=stream-json", "--verbose", "--include-partial-messages"];
const run = (input: unknown) => buildRunInvocation(parseRunArguments(input));

const CASES: readonly { input: Record<string, unknown>; argv: readonly string[] }[] = [
  { input: { prompt: "hello" }, argv: ["--permission-mode=dontAsk", "--", "hello"] },
  { input: { prompt: "--help" }, argv: ["--permission-mode=dontAsk", "--", "--help"] },
  { input: { prompt: "--" }, argv: ["--permission-mode=dontAsk", "--", "--"] },
  {
    input: {
      prompt: "p",
      permission_mode: "acceptEdits",
      model: "--model",
      effort: "low",
      append_system_prompt: "a\nb",
      max_budget_usd: 2,
      resume_session_id: "-r",
      continue_previous: false,
      timeout_seconds: 5,
      max_events: 1,
    },
    argv: [
      "--permission-mode=acceptEdits",
      "--model=--model",
      "--effort=low",
      "--append-system-prompt=a\nb",
      "--max-budget-usd=2",
      "--resume=-r",
      "--",
      "p",
    ],
  },
  {
    input: { prompt: "p", continue_previous: true },
    argv: ["--permission-mode=dontAsk", "--continue", "--", "p"],
  },
  {
    input: { prompt: "p", session_id: UUID, no_session_persistence: true },
    argv: [
      "--permission-mode=dontAsk",
      `--session-id=${UUID}`,
      "--no-session-persistence",
      "--",
      "p",
    ],
  },
];

Deno.test("buildRunInvocation() writes exactly the stream options and the tree's options", () => {
  for (const { input, argv } of CASES) {
    assertEquals(run(input), { argv: [...STREAM, ...argv], stdin: null, env: {} });
  }
});

Deno.test("buildRunInvocation() turns background tasks off by a variable", () => {
  assertEquals(run({ prompt: "p", background_tasks: "off" }).env, {
    CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: "1",
  });
});

Deno.test("buildRunInvocation() passes a prompt either as an argument or on stdin, never both", () => {
  const fits = ["x".repeat(MAX_ARGUMENT_BYTES), "é".repeat(65_535)];
  for (const prompt of fits) {
    const { argv, stdin } = run({ prompt });
    assertEquals(argv.slice(-2), ["--", prompt]);
    assertEquals(stdin, null);
  }
  const tooLong = ["x".repeat(MAX_ARGUMENT_BYTES + 1), "é".repeat(65_536), "😀".repeat(131_072)];
  for (const prompt of tooLong) {
    const { argv, stdin } = run({ prompt });
    assertEquals(argv, [...STREAM, "--permission-mode=dontAsk"]);
    assert(stdin === prompt);
  }
});

Deno.test("both forms of the run command are valid commands of a tree", () => {
  for (const channel of ["argument", "stdin"] as const) {
    const tree = loadTree({ ...embeddedTree(), commands: [runCommand(channel)] });
    assertEquals(tree.commands[0]!.stdin?.parameter, channel === "stdin" ? "prompt" : undefined);
  }
});

Deno.test("buildPrintInvocation() follows the tree alone, needs an explicit mode, and keeps tasks in the foreground", () => {
  const native = {
    argv: ["-p", "--output-format=json", "--permission-mode=plan", "--", "-p"],
    stdin: null,
  };
  const values = { prompt: "-p", permission_mode: "plan" };
  assertEquals(buildPrintInvocation(values), {
    ...native,
    env: { CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: "1" },
  });
  assertEquals(buildPrintInvocation(values, "allow"), { ...native, env: {} });
  const bad: readonly [Record<string, string | boolean>, string][] = [
    [{ prompt: "p" }, 'Missing argument "permission_mode"'],
    [{ prompt: " ", permission_mode: "plan" }, "white space"],
    [{ prompt: "p", permission_mode: "plan", session_id: "x".repeat(36) }, "UUID"],
    [{ prompt: "p", permission_mode: "plan", continue_previous: false }, '"continue_previous"'],
    [{ prompt: "x".repeat(131_072), permission_mode: "plan" }, "131071"],
    [{ prompt: "p", permission_mode: "plan", timeout_seconds: "5" }, '"timeout_seconds"'],
  ];
  for (const [values, says] of bad) {
    const error = caught(() => buildPrintInvocation(values));
    assertEquals(error.code, "invalid_arguments");
    assertStringIncludes(error.message, says);
  }
});
