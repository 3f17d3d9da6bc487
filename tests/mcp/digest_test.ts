import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { ErrorCode } from "../../src/base/errors.ts";
import { CUT_MARK, utf8Length } from "../../src/base/json.ts";
import { ADVICE } from "../../src/mcp/advice.ts";
import { digest } from "../../src/mcp/digest.ts";
import { runId, settledRun } from "./fake_engine.ts";

Deno.test("a success shows its ids, cost and whole answer, and no events", () => {
  const text = digest(settledRun({
    result: "line one\nline two",
    events: [{ type: "assistant", secret: "event text" }],
  }));
  for (
    const part of [
      "Run completed",
      `run_id: ${runId(1)}`,
      "session_id: 11111111-1111-4111-8111-111111111111",
      "total_cost_usd: 0.01",
      "line one\nline two",
      "resume_session_id",
    ]
  ) assertStringIncludes(text, part);
  assert(!text.includes("event text"));
});

Deno.test("an answer is shown up to 48 KiB, and a cut is marked", () => {
  const whole = "x".repeat(48 * 1024);
  assertStringIncludes(digest(settledRun({ result: whole })), `\n${whole}`);
  assert(!digest(settledRun({ result: whole })).includes(CUT_MARK));
  const cut = digest(settledRun({ result: "\u{1F600}".repeat(20_000) }));
  assertStringIncludes(cut, CUT_MARK);
  assert(utf8Length(cut) < 50 * 1024);
  assert(!cut.includes("\ufffd"));
});

Deno.test("a digest has a bound of its own, whatever comes with the answer", () => {
  const followups = Array.from({ length: 16 }, () => ({
    result: "f".repeat(4096),
    subtype: "success",
    is_error: false,
  }));
  const text = digest(settledRun({ result: "r".repeat(100_000), followups }));
  assert(utf8Length(text) <= 64 * 1024);
  assertStringIncludes(text, `run_id: ${runId(1)}`);
});

Deno.test("every error code comes with its message and what to do", () => {
  for (const [code, advice] of Object.entries(ADVICE)) {
    const error = { code: code as ErrorCode, message: `the message of ${code}` };
    for (const value of [{ is_error: true, error }, settledRun({ is_error: true, error })]) {
      const text = digest(value);
      assertStringIncludes(text, `Error ${code}: the message of ${code}`);
      assertStringIncludes(text, advice);
    }
  }
});

Deno.test("a failure shows how it ended, its standard error, and the text that came with it", () => {
  const text = digest(settledRun({
    state: "failed",
    is_error: true,
    result: "partial answer",
    subtype: "error_during_execution",
    exit_code: 143,
    stderr_tail: "Error: something broke",
    cleanup_confirmed: false,
    error: { code: "timeout", message: "The deadline passed" },
    cleanup_error: { code: "cleanup_unconfirmed", message: "1 process is left" },
  }));
  for (
    const part of [
      "Run failed",
      "error_during_execution, exit code 143",
      "Error: something broke",
      "partial answer",
      "NOT confirmed",
      "Clean-up error cleanup_unconfirmed: 1 process is left",
    ]
  ) assertStringIncludes(text, part);
  const killed = digest(settledRun({ is_error: true, exit_code: 137, signal: "SIGKILL" }));
  assertStringIncludes(killed, "ended by SIGKILL");
});

Deno.test("denials, follow-ups and background tasks are told", () => {
  const text = digest(settledRun({
    permission_denials: { count: 3, list: [{ tool_name: "Bash" }, { tool_name: "Write" }] },
    followups: [{ result: "the task ended", subtype: "success", is_error: false }],
    background_tasks: { open: 1, stopped: 2 },
  }));
  assertStringIncludes(text, "denied 3 times (Bash, Write)");
  assertStringIncludes(text, "the task ended");
  assertStringIncludes(text, "1 still open at the end, 2 stopped");
});

Deno.test("lists, live runs and releases read as sentences", () => {
  const info = {
    run_id: runId(1),
    state: "running" as const,
    session_id: null,
    created_at: 1,
    completed: false,
    activity: "Bash for 12 s",
  };
  assertStringIncludes(digest({ runs: [] }), "No runs");
  assertStringIncludes(digest({ runs: [info] }), `run_id ${runId(1)}: running (Bash for 12 s)`);
  assertStringIncludes(digest(info), "Run running: Bash for 12 s.");
  assertStringIncludes(digest(info), "session_id: not known yet");
  assertStringIncludes(digest({ run_id: runId(1), released: true }), "released");
  const settled = digest({ ...info, state: "failed", completed: true, cancel_requested: false });
  assertStringIncludes(settled, "already settled");
  assertStringIncludes(settled, "claude.run.result");
});

Deno.test("a value of an unforeseen shape has a digest all the same", () => {
  for (
    const value of [
      {},
      [],
      { runs: [1, null, {}] },
      { run_id: "x" },
      { is_error: true, error: "text" },
      { run_id: "x", is_error: true, result: 5, followups: "x", permission_denials: [] },
      { run_id: "x", events: [1, { event: 5 }], next_cursor: null },
    ]
  ) assertEquals(typeof digest(value), "string");
});

Deno.test("native text in a digest has no controls but its line ends", () => {
  const nasty = "\u001b[31m\u202e\r";
  const text = digest(settledRun({
    state: "failed",
    is_error: true,
    session_id: `s${nasty}`,
    subtype: nasty,
    stderr_tail: `one${nasty}\ntwo`,
    permission_denials: { count: 1, list: [{ tool_name: `Ba${nasty}\nsh` }] },
    error: { code: "vendor_failed", message: `bad${nasty}\nnews` },
    events: [{ type: `user${nasty}` }],
  }));
  const page = digest({
    run_id: runId(1),
    state: "running",
    activity: `Bash${nasty}`,
    events: [{ cursor: 1, event: { type: `user${nasty}`, subtype: nasty } }],
    next_cursor: 1,
  });
  const list = digest({
    runs: [{ run_id: runId(1), state: "running", session_id: nasty, activity: nasty }],
  });
  for (const shown of [text, page, list]) {
    // deno-lint-ignore no-control-regex
    assert(!/[\u0000-\u0009\u000b-\u001f\u202e]/.test(shown), JSON.stringify(shown));
  }
  assertStringIncludes(text, "one\\x1b[31m\\u202e\ntwo");
});

Deno.test("a settled run without a conversation has none, and one that was not found is none to use", () => {
  const failed = { state: "failed" as const, is_error: true };
  const startup = { code: "startup_failed" as const, message: "no" };
  assertStringIncludes(
    digest(settledRun({ ...failed, session_id: null, error: startup })),
    "session_id: none",
  );
  const error = { code: "resume_failed" as const, message: "No conversation found" };
  const text = digest(settledRun({ ...failed, error }));
  assertStringIncludes(text, "session_id: none");
  assert(!text.includes("11111111-1111"));
});

Deno.test("a cost has at most six decimals", () => {
  const text = digest(settledRun({ total_cost_usd: 0.1234567890123 }));
  assertStringIncludes(text, "total_cost_usd: 0.123457\n");
});

Deno.test("a clean-up error that is the error is told once", () => {
  const error = { code: "cleanup_unconfirmed" as const, message: "1 process is left" };
  const text = digest(settledRun({ is_error: true, error, cleanup_error: error }));
  assertEquals(text.split("1 process is left").length, 2);
  assert(!text.includes("Clean-up error"));
});

Deno.test("a good answer before a failure is called the answer", () => {
  const error = { code: "timeout" as const, message: "The deadline passed" };
  const failed = { is_error: true, error, result: "the whole answer", subtype: "success" };
  const label = "The answer, which came before the failure:\nthe whole answer";
  assertStringIncludes(digest(settledRun({ ...failed, final_event: { is_error: false } })), label);
  const bad = digest(settledRun({ ...failed, final_event: { is_error: true } }));
  assertStringIncludes(bad, "Text that came with the error:\nthe whole answer");
});

Deno.test("a run that starts does not stutter", () => {
  const text = digest({ run_id: runId(1), state: "starting", activity: "starting for 0 s" });
  assert(text.startsWith("Run starting for 0 s.\n"), text);
});
