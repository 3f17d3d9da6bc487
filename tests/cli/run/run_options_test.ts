import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { printCommand } from "../../../src/contract/tree.ts";
import { nativeFlags } from "../../../src/cli/print_options.ts";
import { readRunOptions, type RunOptions } from "../../../src/cli/run/run_options.ts";
import { help } from "../../../src/cli/run_command.ts";

function read(...args: string[]): RunOptions {
  const options = readRunOptions(args);
  assert(options.ok, JSON.stringify(options));
  return options;
}

Deno.test("every option of the tree and every argument of a run can be given", () => {
  const { request, prompt } = read(
    "--permission-mode=plan",
    "--model",
    "opus",
    "--effort=low",
    "--append-system-prompt=s",
    "--max-budget-usd=1.5",
    "--resume=r",
    "--continue",
    "--session-id=i",
    "--no-session-persistence",
    "--timeout=7",
    "--max-events=8",
    "--background-tasks=off",
    "--",
    "--prompt",
  );
  assertEquals(prompt, { kind: "argument", text: "--prompt" });
  assertEquals(request, {
    permission_mode: "plan",
    model: "opus",
    effort: "low",
    append_system_prompt: "s",
    max_budget_usd: 1.5,
    resume_session_id: "r",
    continue_previous: true,
    session_id: "i",
    no_session_persistence: true,
    timeout_seconds: 7,
    max_events: 8,
    background_tasks: "off",
  });
});

Deno.test("what is not given is left to the defaults of claude.run", () => {
  const { request, form, events, cwd, oversizedFrames } = read("x");
  assertEquals([request, form, events, cwd, oversizedFrames], [
    {},
    "transcript",
    null,
    null,
    "skip",
  ]);
});

Deno.test("the prompt is where it is said to be", () => {
  assertEquals(read().prompt, { kind: "stdin", isAsked: false });
  assertEquals(read("-").prompt, { kind: "stdin", isAsked: true });
  assertEquals(read("--file=-").prompt, { kind: "stdin", isAsked: true });
  assertEquals(read("--file", "f").prompt, { kind: "file", path: "f" });
  assertEquals(read("--", "-").prompt, { kind: "stdin", isAsked: true });
});

Deno.test("the help names every option, fits a terminal, and says the exit codes", () => {
  const own = [
    "--file",
    "--quiet",
    "--json",
    "--events",
    "--timeout",
    "--background-tasks",
    "--max-events",
  ];
  const shared = ["--cwd", "--executable", "--accept-native-version", "--oversized-frames"];
  const native = nativeFlags(printCommand());
  for (const flag of [...own, ...shared, ...native.map((one) => one.flag)]) {
    assertStringIncludes(help, `  ${flag}`.trimStart());
  }
  for (const { rule } of native) {
    if (rule.kind === "choice") assertStringIncludes(help, rule.of.join("|"));
  }
  assert(help.split("\n").every((line) => line.length <= 100));
  assertStringIncludes(help, "Exit codes:");
});
