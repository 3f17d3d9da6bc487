import { assert, assertEquals } from "@std/assert";
import type { JsonObject } from "../../src/base/json.ts";
import * as native from "../../src/frames/native.ts";

type Reader = (frame: JsonObject) => unknown;

const READERS: { readonly [name: string]: Reader } = {
  readInit: native.readInit,
  readResult: native.readResult,
  readAssistantError: native.readAssistantError,
  readToolUses: native.readToolUses,
  readToolResults: native.readToolResults,
  readTask: native.readTask,
  readOpenTasks: native.readOpenTasks,
  readApiRetry: native.readApiRetry,
  readRateLimit: native.readRateLimit,
  readCompaction: native.readCompaction,
  readStreamStep: native.readStreamStep,
  readPermissionDenied: native.readPermissionDenied,
};

async function recorded(name: string): Promise<JsonObject[]> {
  const url = new URL(`../../fixtures/streams/${name}.ndjson`, import.meta.url);
  const lines = (await Deno.readTextFile(url)).trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line));
}

function first<T>(frames: readonly JsonObject[], read: (frame: JsonObject) => T | null): T {
  for (const frame of frames) {
    const value = read(frame);
    if (value !== null) return value;
  }
  throw new Error("No frame of the recording is read by this reader");
}

Deno.test("readInit() reads the start of a recorded run", async () => {
  const frames = await recorded("success_partial");
  const init = first(frames, native.readInit);
  assertEquals(init.sessionId, native.readSessionId(frames.at(-1) ?? {}));
  assertEquals(init.permissionMode, "dontAsk");
  assertEquals(init.mcpServers, []);
  assertEquals(init.version, "2.1.332");
  assert(init.tools > 5 && init.model !== null && init.model.startsWith("claude-"));
});

Deno.test("readInit() reads MCP servers, and leaves out those without a name", () => {
  const mcp_servers = [{ name: "a", status: "failed" }, { name: "b" }, { status: "x" }, 7, null];
  const init = native.readInit({ type: "system", subtype: "init", mcp_servers });
  assertEquals(init, {
    sessionId: null,
    model: null,
    permissionMode: null,
    tools: 0,
    mcpServers: [{ name: "a", status: "failed" }, { name: "b", status: null }],
    version: null,
  });
});

Deno.test("readResult() reads a success, whose type is not its first key", async () => {
  const frame = (await recorded("success_whole")).at(-1) ?? {};
  assert(Object.keys(frame)[0] !== "type");
  const result = first([frame], native.readResult);
  assertEquals({ ...result, totalCostUsd: 0, sessionId: "" }, {
    isError: false,
    subtype: "success",
    sessionId: "",
    result: "Hello there.",
    errors: [],
    terminalReason: "completed",
    apiErrorStatus: null,
    apiErrorType: null,
    apiErrorKind: null,
    totalCostUsd: 0,
    numTurns: 1,
    permissionDenials: [],
    originKind: null,
  });
  assert(result.totalCostUsd !== null && result.totalCostUsd > 0);
  assert(result.sessionId !== null);
});

const VERDICTS: readonly [
  recording: string,
  subtype: string,
  isError: boolean,
  reason: string | null,
  status: number | null,
  kind: string | null,
][] = [
  ["error_401", "success", true, "api_error", 401, null],
  ["error_429", "success", true, "api_error", 429, null],
  ["error_refused", "success", true, "api_error", null, "connection_failed"],
  ["not_logged_in", "success", true, "api_error", null, null],
  ["error_400_prompt_too_long", "success", true, "prompt_too_long", 400, null],
  ["max_turns", "error_max_turns", true, "max_turns", null, null],
  ["budget_exceeded", "error_max_budget_usd", true, "budget_exhausted", null, null],
  ["resume_unknown", "error_during_execution", true, null, null, null],
  ["sigint_streaming", "error_during_execution", true, "aborted_streaming", null, null],
];
for (const [recording, subtype, isError, reason, status, kind] of VERDICTS) {
  Deno.test(`readResult() reads the verdict of the recording ${recording}`, async () => {
    const result = first(await recorded(recording), native.readResult);
    assertEquals(
      [result.subtype, result.isError, result.terminalReason, result.apiErrorStatus],
      [subtype, isError, reason, status],
    );
    assertEquals(result.apiErrorKind, kind);
    assertEquals(result.result === null, subtype !== "success");
    assertEquals(result.errors.length > 0, subtype !== "success");
    assertEquals(native.isFollowUp(result), false);
  });
}

Deno.test("readResult() leaves is_error undefined when it is not a boolean", () => {
  for (const is_error of ["false", 0, null, [], {}]) {
    assertEquals(native.readResult({ type: "result", is_error })?.isError, undefined);
  }
  assertEquals(native.readResult({ type: "result" })?.isError, undefined);
});

Deno.test("isFollowUp() knows the result of a background task from the answer", async () => {
  const results = (await recorded("task_background_two")).map(native.readResult)
    .filter((result) => result !== null);
  assertEquals(results.map(native.isFollowUp), [false, true, true]);
});

const ASSISTANT_ERRORS: readonly [recording: string, error: string, status: number | null][] = [
  ["error_400_credit", "billing_error", 400],
  ["error_401", "authentication_failed", 401],
  ["error_403", "authentication_failed", 403],
  ["error_404", "model_not_found", 404],
  ["error_429", "rate_limit", 429],
  ["error_529", "server_error", 529],
  ["error_refused", "server_error", null],
  ["not_logged_in", "authentication_failed", null],
];
for (const [recording, error, status] of ASSISTANT_ERRORS) {
  Deno.test(`readAssistantError() reads the error of the recording ${recording}`, async () => {
    const frames = await recorded(recording);
    const found = first(frames, native.readAssistantError);
    assertEquals([found.error, found.status], [error, status]);
    assertEquals(found.text, first(frames, native.readResult).result);
  });
}

Deno.test("readAssistantError() finds none in an ordinary answer", async () => {
  for (const frame of await recorded("tools_parallel")) {
    assertEquals(native.readAssistantError(frame), null);
  }
  // A model cannot forge it: its words are in the content, not beside the message.
  const content = [{ type: "text", text: "x", error: "authentication_failed" }];
  assertEquals(
    native.readAssistantError({ type: "assistant", message: { model: "claude", content } }),
    null,
  );
});

Deno.test("readAssistantError() reads versions before is_api_error_message by their model", () => {
  const message = { model: "<synthetic>", content: [{ type: "text", text: "Not logged in" }] };
  const error = "authentication_failed";
  assertEquals(native.readAssistantError({ type: "assistant", message, error })?.error, error);
  assertEquals(native.readAssistantError({ type: "assistant", message }), null);
});

Deno.test("tool calls and their results are read with the sub-agent they belong to", async () => {
  const frames = await recorded("subagent_foreground");
  const uses = frames.flatMap(native.readToolUses);
  assertEquals(uses, [
    { id: "toolu_loopback_0001", name: "Agent", parentToolUseId: null },
    { id: "toolu_loopback_0002", name: "Bash", parentToolUseId: "toolu_loopback_0001" },
  ]);
  assertEquals(frames.flatMap(native.readToolResults), [
    { toolUseId: "toolu_loopback_0002", isError: false },
    { toolUseId: "toolu_loopback_0001", isError: false },
  ]);
});

Deno.test("parallel tool results come in order of completion, one frame each", async () => {
  const frames = await recorded("tools_parallel");
  const ids = frames.map(native.readToolResults).filter((results) => results.length > 0);
  assertEquals(ids.length, 2);
  assertEquals(
    ids.flat().map((result) => result.toolUseId).sort(),
    ["toolu_loopback_0001", "toolu_loopback_0002"],
  );
});

Deno.test("a denied tool call is an error result, announced before it", async () => {
  const frames = await recorded("denied_dont_ask");
  const denied = first(frames, native.readPermissionDenied);
  assertEquals(denied.toolName, "Bash");
  assertEquals(denied.reasonType, "mode");
  const results = frames.flatMap(native.readToolResults);
  assertEquals(results, [{ toolUseId: denied.toolUseId ?? "", isError: true }]);
  assertEquals(first(frames, native.readResult).permissionDenials.length, 1);
});

Deno.test("the tasks of a recorded run are read from start to end", async () => {
  const frames = await recorded("task_background");
  const tasks = frames.map(native.readTask).filter((task) => task !== null);
  assertEquals(tasks.map(({ kind, status }) => [kind, status]), [
    ["started", null],
    ["updated", "completed"],
    ["ended", "completed"],
  ]);
  assertEquals(new Set(tasks.map((task) => task.taskId)).size, 1);
  assertEquals(tasks[0]?.backgrounded, true);
  assertEquals(tasks[0]?.description, "Work for a second");
  const open = frames.map(native.readOpenTasks).filter((ids) => ids !== null);
  assertEquals(open, [[tasks[0]?.taskId ?? "none"], []]);
});

Deno.test("readOpenTasks() takes a frame without a list for unknown, not for none", () => {
  const frame = { type: "system", subtype: "background_tasks_changed" };
  assertEquals(native.readOpenTasks(frame), null);
  assertEquals(native.readOpenTasks({ ...frame, tasks: {} }), null);
  assertEquals(native.readOpenTasks({ ...frame, tasks: [{ task_id: "a" }, {}, 1] }), ["a"]);
});

Deno.test("readApiRetry() reads the recorded retries", async () => {
  const retries = (await recorded("api_retries")).map(native.readApiRetry)
    .filter((retry) => retry !== null);
  assert(retries.length > 0);
  retries.forEach((retry, i) => assertEquals(retry.attempt, i + 1));
  assertEquals(retries[0]?.maxRetries, 10);
  assertEquals(retries[0]?.error, "overloaded");
  assert((retries[0]?.delayMs ?? 0) > 0);
});

Deno.test("readCompaction() reads when a conversation is replaced by a summary", async () => {
  const steps = async (name: string) =>
    (await recorded(name)).map(native.readCompaction).filter((step) => step !== null);
  for (const [name, trigger] of [["compact_asked", "manual"], ["compact_auto", "auto"]] as const) {
    const [started, done, ...more] = await steps(name);
    assertEquals([started?.kind, done?.kind, done?.trigger, more], [
      "started",
      "done",
      trigger,
      [],
    ]);
    assert(done?.preTokens !== null && done?.postTokens !== null);
  }
  const failed = { compact_result: "failed", compact_error: "too long" };
  assertEquals(
    native.readCompaction({ type: "system", subtype: "status", ...failed })?.error,
    "too long",
  );
  assertEquals(
    native.readCompaction({ type: "system", subtype: "status", status: "requesting" }),
    null,
  );
});

Deno.test("readRateLimit() reads the event that only subscriptions get", () => {
  const rate_limit_info = { status: "rejected", resetsAt: 1_796_000_000, rateLimitType: "weekly" };
  assertEquals(native.readRateLimit({ type: "rate_limit_event", rate_limit_info }), {
    status: "rejected",
    resetsAt: 1_796_000_000,
    kind: "weekly",
  });
  assertEquals(native.readRateLimit({ type: "rate_limit_event" }), {
    status: null,
    resetsAt: null,
    kind: null,
  });
});

Deno.test("streamed text is told apart by its message, and an abandoned one is named", async () => {
  const steps = (await recorded("stream_broken")).map(native.readStreamStep)
    .filter((step) => step !== null);
  const length = new Map<string, number>();
  for (const step of steps) {
    assert(step.messageId !== null, step.event);
    length.set(step.messageId, (length.get(step.messageId) ?? 0) + step.textLength);
  }
  assertEquals([...length], [
    ["msg_loopback_0001", "The first words of an answer".length],
    ["msg_loopback_0002", "The first words of an answer, and the rest.".length],
  ]);
  assertEquals(steps.filter((step) => step.abandoned).map((step) => step.event), ["message_stop"]);
});

Deno.test("every kind of delta is named", async () => {
  const kinds = new Set<string | null>();
  for (const recording of ["success_thinking", "tools_parallel"]) {
    for (const frame of await recorded(recording)) {
      const step = native.readStreamStep(frame);
      if (step?.event === "content_block_delta") kinds.add(step.delta);
      else assertEquals(step?.textLength ?? 0, 0);
    }
  }
  assertEquals([...kinds].sort(), ["input_json", "signature", "text", "thinking"]);
});

Deno.test("a message delta carries no text, whatever it is named", () => {
  const event = { type: "message_delta", delta: { stop_reason: "end_turn" } };
  const step = native.readStreamStep({ type: "stream_event", event });
  assertEquals([step?.delta, step?.textLength, step?.messageId], [null, 0, null]);
});

for (const [name, read] of Object.entries(READERS)) {
  Deno.test(`${name}() takes odd shapes for another frame or for missing members`, () => {
    const odd = [undefined, null, 0, "x", true, [], [null], [[]], {}, { type: 1 }, { content: 1 }];
    const types = ["system", "assistant", "user", "result", "stream_event", "rate_limit_event"];
    const subtypes = [
      "init",
      "api_retry",
      "permission_denied",
      "background_tasks_changed",
      "task_started",
      "task_updated",
      "task_notification",
    ];
    const members = ["message", "event", "patch", "origin", "tasks", "tools", "mcp_servers"];
    members.push("errors", "permission_denials", "rate_limit_info", "task_id", "session_id");
    for (const type of types) {
      for (const subtype of subtypes) {
        for (const value of odd) {
          const frame = Object.fromEntries(members.map((member) => [member, value]));
          read({ ...frame, type, subtype } as JsonObject);
        }
      }
    }
    const none = name.startsWith("readTool") ? [] : null;
    for (const type of [...odd, "unknown", "System"]) {
      assertEquals(read({ type, subtype: "init", task_id: "t" } as JsonObject), none as unknown);
    }
  });
}
