import { assert, assertEquals } from "@std/assert";
import { AdapterError } from "../../src/base/errors.ts";
import { turnError, TurnFailed } from "../../src/executor/turn_error.ts";
import { RoundReader } from "../../src/threads/round_reader.ts";
import { CLEAN } from "../helpers/fake_launcher.ts";
import { init, item, result } from "../helpers/frames.ts";

function errorOf(frame: Parameters<typeof item>[0], code: number): AdapterError | null {
  const reader = new RoundReader({ resumed: false });
  for (const each of [init(), frame]) reader.read(item(each));
  return turnError({
    record: reader.record,
    cause: null,
    exit: { code, signal: null },
    cleanup: CLEAN,
    stderrTail: "",
    resumed: false,
  });
}

Deno.test("a failed turn says its word, its status and whether to try again", () => {
  assertEquals(errorOf(result(), 0), null);
  const table = [
    [{ subtype: "error_max_turns", result: null }, [
      "vendor_failed",
      "error_max_turns",
      null,
      false,
    ]],
    [{ api_error_status: 529 }, ["vendor_failed", "success", 529, true]],
    [{ api_error_status: 400 }, ["vendor_failed", "success", 400, false]],
    [{ api_error_status: 400, terminal_reason: "prompt_too_long" }, [
      "context_overflow",
      "success",
      400,
      false,
    ]],
  ] as const;
  for (const [more, [code, subtype, status, retryable]] of table) {
    const error = errorOf(result({ is_error: true, ...more }), 1);
    assert(error instanceof TurnFailed && error instanceof AdapterError);
    assertEquals([error.code, error.subtype, error.status, error.retryable, error.name], [
      code,
      subtype,
      status,
      retryable,
      "TurnFailed",
    ]);
  }
});

Deno.test("an answer that came before the failure is in the error", () => {
  const error = errorOf(result(), 1);
  assert(error instanceof TurnFailed);
  assertEquals([error.code, error.answer], ["vendor_failed", "the answer"]);
  assertEquals(
    error.message,
    "Claude Code reported success, but exit code 1; its answer is in the error's 'answer'",
  );
  assertEquals(errorOf(result({ is_error: true }), 1)?.answer, null);
});

Deno.test("no failure speaks of runs, arguments of runs, or members of native results", () => {
  const { record } = new RoundReader({ resumed: false });
  const facts = { record, cause: null, exit: { code: 0, signal: null }, resumed: false };
  const errors = [
    errorOf(result(), 3),
    errorOf(result({ is_error: true, result: "API Error: 529 overloaded" }), 1),
    errorOf(result({ is_error: true, result: "Invalid API key" }), 1),
    errorOf(result({ is_error: true, subtype: "error_max_turns", result: null }), 1),
    turnError({ ...facts, cleanup: null, stderrTail: "" }),
    turnError({ ...facts, cleanup: CLEAN, stderrTail: "Error: Session ID x is already in use." }),
    turnError({ ...facts, exit: null, cleanup: CLEAN, stderrTail: "" }),
    turnError({
      ...facts,
      record: { ...record, lostResult: true },
      exit: null,
      cleanup: CLEAN,
      stderrTail: "",
    }),
  ];
  for (const error of errors) {
    assert(error !== null);
    assert(
      !/\brun\b|\bround\b|final_event|'result'|resume_session_id|\(success\)|in a terminal/
        .test(error.message),
      error.message,
    );
  }
});

Deno.test("what ended the turn before its time is its error, as it is", () => {
  const cause = new AdapterError("bridge_failed", "no bridge");
  const { record } = new RoundReader({ resumed: false });
  const facts = { record, exit: null, cleanup: null, stderrTail: "", resumed: false };
  assertEquals(turnError({ ...facts, cause }), cause);
});
