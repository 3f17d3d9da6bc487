import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { JsonObject } from "../../src/base/json.ts";
import type { FrameItem } from "../../src/frames/frame_stream.ts";
import type { Cause } from "../../src/runs/outcome.ts";
import { RunRecord } from "../../src/runs/run_record.ts";
import { followUp, init, item, result, says } from "../helpers/frames.ts";
import { sha256 } from "../helpers/sha256.ts";

function record(oversizedFrames: "skip" | "fail" = "skip"): RunRecord {
  return new RunRecord({ sha256, oversizedFrames }, 0);
}

function feed(into: RunRecord, ...frames: readonly (JsonObject | FrameItem)[]): Cause | null {
  let first: Cause | null = null;
  for (const frame of frames) {
    const given = "kind" in frame ? frame as FrameItem : item(frame);
    const cause = into.observe(given, 0);
    first ??= cause;
  }
  return first;
}

const malformed = (quote: string, terminated = true): FrameItem => ({
  kind: "malformed",
  reason: "not_json",
  quote,
  bytes: quote.length,
  terminated,
});
const oversized = (type: string | null, complete = true): FrameItem => ({
  kind: "oversized",
  type,
  bytes: 2_000_000,
  complete,
});

Deno.test("record: an ordinary run leaves its answer, session, mode and cost", () => {
  const run = record();
  assertEquals(feed(run, init(), says("the answer"), result()), null);
  assertEquals(run.primary?.text, "the answer");
  assertEquals(run.finalEvent, result());
  assertEquals(run.sessionId, "11111111-1111-4111-8111-111111111111");
  assertEquals([run.permissionMode, run.costUsd], ["dontAsk", 0.25]);
  assertEquals(run.events.observed, 3);
});

const INVALID: readonly (readonly [string, JsonObject, string])[] = [
  ["is_error is missing", result({ is_error: null }), "'is_error'"],
  ["subtype is empty", result({ subtype: "" }), "'subtype'"],
  ["subtype is a number", result({ subtype: 1 }), "'subtype'"],
  ["session_id is empty", result({ session_id: "" }), "'session_id'"],
  ["session_id is missing", result({ session_id: null }), "'session_id'"],
  ["success without text", result({ result: null }), "'result'"],
  ["no error but another subtype", result({ subtype: "error_max_turns" }), "'subtype'"],
];
for (const [name, frame, words] of INVALID) {
  Deno.test(`record: a result in which ${name} is invalid_vendor_response`, () => {
    const run = record();
    const cause = feed(run, frame);
    assertEquals(cause?.code, "invalid_vendor_response");
    assertStringIncludes(cause?.message ?? "", words);
    assertEquals(run.primary, null);
  });
}

Deno.test("record: a second result without an origin is an error, and the first one survives", () => {
  const run = record();
  const cause = feed(run, result(), result({ result: "another", is_error: true }));
  assertEquals(cause?.code, "invalid_vendor_response");
  assertEquals([run.primary?.text, run.costUsd], ["the answer", 0.25]);
});

Deno.test("record: a follow-up is kept as such, and the cost is that of the last result", () => {
  const run = record();
  const cause = feed(run, result(), init(), followUp({ total_cost_usd: 0.5 }));
  assertEquals(cause, null);
  assertEquals(run.primary?.text, "the answer");
  assertEquals(run.followups, [{ result: "later", subtype: "success", is_error: false }]);
  assertEquals(run.costUsd, 0.5);
});

Deno.test("record: follow-ups alone are no answer, and their number is bounded", () => {
  const run = record();
  feed(run, ...Array.from({ length: 50 }, (_, n) => followUp({ result: `n${n}` })));
  assertEquals(run.primary, null);
  assertEquals(run.followups.length, 16);
  assertEquals(run.followups.at(-1)?.result, "n49");
});

Deno.test("record: a result above 128 KiB is result_too_large, never a cut success", () => {
  const run = record();
  const cause = feed(run, result({ result: "x".repeat(130 * 1024) }));
  assertEquals(cause?.code, "result_too_large");
  assertEquals(run.finalEvent, null);
  const marker = run.events.page(0, 1, 10_000).events[0]!.event as JsonObject;
  assertEquals([marker.omitted, marker.type], [true, "result"]);
});

Deno.test("record: a malformed line is a fault that quotes it; blank lines are none", () => {
  const run = record();
  assertEquals(feed(run, { kind: "blank", bytes: 0, terminated: true }), null);
  const cause = feed(run, malformed("Debugger attached."));
  assertEquals(cause?.code, "invalid_vendor_response");
  assertStringIncludes(cause?.message ?? "", "Debugger attached.");
  assertEquals(run.events.observed, 0);
});

Deno.test("record: an unterminated last line is kept for the outcome to judge", () => {
  const run = record();
  assertEquals(feed(run, malformed('{"type":"res', false)), null);
  assertEquals(run.brokenTail, '{"type":"res');
});

Deno.test("record: an oversized frame becomes an omitted event and the run goes on", () => {
  const run = record();
  assertEquals(feed(run, init(), oversized("user"), result()), null);
  assertEquals(run.events.page(1, 1, 10_000).events[0]!.event, {
    omitted: true,
    reason: "frame_byte_bound",
    type: "user",
    bytes: 2_000_000,
  });
});

Deno.test("record: an oversized frame is a fault as a result, when cut off, and in strict reading", () => {
  assertEquals(feed(record(), oversized("result"))?.code, "frame_too_large");
  assertEquals(feed(record(), oversized("user", false))?.code, "frame_too_large");
  assertEquals(feed(record("fail"), oversized("user"))?.code, "frame_too_large");
});

Deno.test("record: only the main conversation's last error counts as a failure", () => {
  const failed = (more: JsonObject) =>
    says("no", { error: "authentication_failed", is_api_error_message: true, ...more });
  const word = (...frames: JsonObject[]) => {
    const run = record();
    feed(run, ...frames);
    return run.failures.errorWord;
  };
  assertEquals(word(failed({})), "authentication_failed");
  assertEquals(word(failed({ parent_tool_use_id: "t1" })), null);
  assertEquals(word(failed({}), says("back again")), null);
  assertEquals(
    word(failed({}), says("sub", { parent_tool_use_id: "t1" })),
    "authentication_failed",
  );
});

Deno.test("record: a rejected rate limit is remembered with its reset, an allowed one is not a failure", () => {
  const run = record();
  const event = (status: string) => ({
    type: "rate_limit_event",
    rate_limit_info: { status, resetsAt: 1_800_000_000 },
  });
  feed(run, event("allowed"));
  assertEquals(run.failures.limitRejected, false);
  feed(run, event("rejected"));
  assertEquals(run.failures, {
    errorWord: null,
    limitResetsAt: 1_800_000_000,
    limitRejected: true,
  });
});

Deno.test("record: unknown types and shapes are events and nothing else", () => {
  const run = record();
  const odd: JsonObject[] = [
    { type: "zzz" },
    { type: 7 },
    {},
    { type: "assistant", message: "hi" },
    { type: "user", message: { content: "hi" } },
    { type: "system", subtype: null },
    { type: "stream_event", event: null },
    { type: "rate_limit_event" },
    { type: "system", subtype: "background_tasks_changed", tasks: "none" },
  ];
  assertEquals(feed(run, ...odd), null);
  assertEquals(run.events.observed, odd.length);
});

Deno.test("record: background tasks are counted while open and when stopped", () => {
  const run = record();
  const task = (id: string) => ({ task_id: id, description: `job ${id}` });
  feed(
    run,
    { type: "system", subtype: "background_tasks_changed", tasks: [task("a"), task("b")] },
    { type: "system", subtype: "task_started", is_backgrounded: true, ...task("a") },
    { type: "system", subtype: "task_started", is_backgrounded: true, ...task("b") },
    { type: "system", subtype: "task_started", is_backgrounded: false, ...task("foreground") },
  );
  assertEquals([run.background.open, run.background.firstDescription], [2, "job a"]);
  feed(run, result());
  assertStringIncludes(run.activity.line(0), "waiting for 2 background tasks (job a)");
  feed(
    run,
    { type: "system", subtype: "task_notification", task_id: "a", status: "stopped" },
    { type: "system", subtype: "task_updated", task_id: "a", patch: { status: "killed" } },
    { type: "system", subtype: "background_tasks_changed", tasks: [task("b")] },
  );
  assertEquals([run.background.open, run.background.stopped], [1, 1]);
  assert(!run.activity.line(0).includes("job a"));
  assertStringIncludes(run.activity.line(0), "waiting for 1 background task (job b)");
});
