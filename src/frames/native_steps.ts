/**
 * Readers for the steps of a run: tool calls, tasks, retries, limits, streamed text.
 *
 * @module
 */
import {
  arrayMember,
  isObject,
  type JsonObject,
  numberMember,
  objectMember,
  stringMember,
} from "../base/json.ts";
import { contentBlocks, isSystem } from "./native_shape.ts";

/** A tool call that the model asked for. */
export interface ToolUse {
  readonly id: string;
  readonly name: string;
  /** The sub-agent's own call, when a sub-agent asked; else `null`. */
  readonly parentToolUseId: string | null;
}

/** A tool call that ended. */
export interface ToolResult {
  readonly toolUseId: string;
  readonly isError: boolean;
}

/** A step of a background or sub-agent task. */
export interface TaskEvent {
  readonly kind: "started" | "progress" | "updated" | "ended";
  readonly taskId: string;
  readonly toolUseId: string | null;
  readonly description: string | null;
  /** On `updated` and `ended`: `completed`, `failed`, `stopped`, `killed`, or another word. */
  readonly status: string | null;
  /** Only `started` says it. */
  readonly backgrounded: boolean | null;
}

/** The CLI waits before it asks the API again. */
export interface ApiRetry {
  readonly attempt: number | null;
  readonly maxRetries: number | null;
  readonly delayMs: number | null;
  readonly status: number | null;
  readonly error: string | null;
}

/** Where a usage limit stands. Only with a subscription; never seen with an API key. */
export interface RateLimit {
  /** `allowed`, `allowed_warning`, `rejected`, or another word. */
  readonly status: string | null;
  /** Unix seconds. */
  readonly resetsAt: number | null;
  readonly kind: string | null;
}

/** A step of a message that is being streamed. */
export interface StreamStep {
  /** The step's own type, such as `message_start`, `content_block_delta`, `message_stop`. */
  readonly event: string;
  /**
   * The message it belongs to. Measured: the CLI streams a message again, under a new id, when the
   * connection broke, so text must never be joined over different ids.
   */
  readonly messageId: string | null;
  /** The index of the content block, or `null`. */
  readonly index: number | null;
  /** What a delta adds: `text`, `thinking`, `input_json`, or another word; `null` on other steps. */
  readonly delta: string | null;
  /** UTF-16 units of text that a text delta adds, else 0. */
  readonly textLength: number;
  /** The message is given up here: what was streamed of it does not count. */
  readonly abandoned: boolean;
}

/** Tokens of one message so far, as the API counts them. */
export interface MessageUsage {
  readonly messageId: string;
  /** What the model read, from the cache or not; `null` when it is not said. */
  readonly inputTokens: number | null;
  /** What the model wrote; grows while it writes. */
  readonly outputTokens: number | null;
}

/** A step of the CLI's replacing of a long conversation by a summary. */
export interface Compaction {
  /** `started` may come several times (the CLI counts along); `done` and `failed` end it. */
  readonly kind: "started" | "done" | "failed";
  /** Only `done` says it: `auto`, `manual`, or another word. */
  readonly trigger: string | null;
  /** Tokens before; only `done` says it. */
  readonly preTokens: number | null;
  /** Tokens after; only `done` says it. */
  readonly postTokens: number | null;
  /** Only `failed` says it. */
  readonly error: string | null;
}

/** A tool call was refused. The run goes on. */
export interface PermissionDenied {
  readonly toolName: string | null;
  readonly toolUseId: string | null;
  /** Such as `mode`, `rule`, `classifier`. */
  readonly reasonType: string | null;
}

/** The tool calls of an `assistant` frame; empty for any other. One frame carries one block (measured). */
export function readToolUses(frame: JsonObject): readonly ToolUse[] {
  if (frame.type !== "assistant") return [];
  const uses: ToolUse[] = [];
  for (const block of contentBlocks(frame)) {
    const id = block.type === "tool_use" ? stringMember(block, "id") : null;
    if (id === null) continue;
    const name = stringMember(block, "name") ?? "unknown";
    uses.push({ id, name, parentToolUseId: stringMember(frame, "parent_tool_use_id") });
  }
  return uses;
}

/** The tool calls that a `user` frame ends, in order of completion; empty for any other. */
export function readToolResults(frame: JsonObject): readonly ToolResult[] {
  if (frame.type !== "user") return [];
  const results: ToolResult[] = [];
  for (const block of contentBlocks(frame)) {
    const toolUseId = block.type === "tool_result" ? stringMember(block, "tool_use_id") : null;
    if (toolUseId !== null) results.push({ toolUseId, isError: block.is_error === true });
  }
  return results;
}

const TASK_KINDS: ReadonlyMap<string | null, TaskEvent["kind"]> = new Map([
  ["task_started", "started"],
  ["task_progress", "progress"],
  ["task_updated", "updated"],
  ["task_notification", "ended"],
]);

/** Reads `system/task_started`, `task_progress`, `task_updated` and `task_notification`. */
export function readTask(frame: JsonObject): TaskEvent | null {
  if (frame.type !== "system") return null;
  const kind = TASK_KINDS.get(stringMember(frame, "subtype"));
  const taskId = stringMember(frame, "task_id");
  if (kind === undefined || taskId === null) return null;
  return {
    kind,
    taskId,
    toolUseId: stringMember(frame, "tool_use_id"),
    description: stringMember(frame, "description"),
    status: stringMember(frame, "status") ?? stringMember(frame.patch, "status"),
    backgrounded: typeof frame.is_backgrounded === "boolean" ? frame.is_backgrounded : null,
  };
}

/** The ids of every task still open, from `system/background_tasks_changed`; a complete list each time. */
export function readOpenTasks(frame: JsonObject): readonly string[] | null {
  if (!isSystem(frame, "background_tasks_changed") || !Array.isArray(frame.tasks)) return null;
  const ids: string[] = [];
  for (const task of arrayMember(frame, "tasks")) {
    const id = stringMember(task, "task_id");
    if (id !== null) ids.push(id);
  }
  return ids;
}

/** Reads `system/api_retry`. */
export function readApiRetry(frame: JsonObject): ApiRetry | null {
  if (!isSystem(frame, "api_retry")) return null;
  return {
    attempt: numberMember(frame, "attempt"),
    maxRetries: numberMember(frame, "max_retries"),
    delayMs: numberMember(frame, "retry_delay_ms"),
    status: numberMember(frame, "error_status"),
    error: stringMember(frame, "error"),
  };
}

/** Reads `system/compact_boundary`, and what of `system/status` is about it. */
export function readCompaction(frame: JsonObject): Compaction | null {
  const nothing = { trigger: null, preTokens: null, postTokens: null, error: null };
  if (isSystem(frame, "compact_boundary")) {
    const data = objectMember(frame, "compact_metadata");
    return {
      kind: "done",
      trigger: stringMember(data, "trigger"),
      preTokens: numberMember(data, "pre_tokens"),
      postTokens: numberMember(data, "post_tokens"),
      error: null,
    };
  }
  if (!isSystem(frame, "status")) return null;
  if (frame.status === "compacting") return { kind: "started", ...nothing };
  if (frame.compact_result !== "failed") return null;
  return { kind: "failed", ...nothing, error: stringMember(frame, "compact_error") };
}

/** Reads `rate_limit_event`. */
export function readRateLimit(frame: JsonObject): RateLimit | null {
  if (frame.type !== "rate_limit_event") return null;
  const info = objectMember(frame, "rate_limit_info") ?? frame;
  return {
    status: stringMember(info, "status"),
    resetsAt: numberMember(info, "resetsAt"),
    kind: stringMember(info, "rateLimitType"),
  };
}

/** Reads `stream_event`. */
export function readStreamStep(frame: JsonObject): StreamStep | null {
  if (frame.type !== "stream_event") return null;
  const event = stringMember(frame.event, "type");
  if (event === null) return null;
  const delta = objectMember(frame.event, "delta");
  return {
    event,
    // 2.1.300 and later name the message on every step, earlier ones at its start only.
    messageId: stringMember(frame, "api_message_id") ??
      stringMember(objectMember(frame.event, "message"), "id"),
    index: numberMember(frame.event, "index"),
    delta: stringMember(delta, "type")?.replace(/_delta$/, "") ?? null,
    textLength: stringMember(delta, "text")?.length ?? 0,
    abandoned: isObject(frame.abandoned_blocks),
  };
}

/** Reads `system/permission_denied`. */
export function readPermissionDenied(frame: JsonObject): PermissionDenied | null {
  if (!isSystem(frame, "permission_denied")) return null;
  return {
    toolName: stringMember(frame, "tool_name"),
    toolUseId: stringMember(frame, "tool_use_id"),
    reasonType: stringMember(frame, "decision_reason_type"),
  };
}

/** Reads the tokens of a message from its stream (`message_start`, `message_delta`) or from `assistant`. */
export function readMessageUsage(frame: JsonObject): MessageUsage | null {
  const isStream = frame.type === "stream_event";
  if (!isStream && frame.type !== "assistant") return null;
  const message = objectMember(isStream ? frame.event : frame, "message");
  const messageId = stringMember(message, "id") ?? stringMember(frame, "api_message_id");
  const usage = objectMember(message, "usage") ?? objectMember(frame.event, "usage");
  if (messageId === null || usage === null) return null;
  const input = numberMember(usage, "input_tokens");
  const cached = ["cache_creation_input_tokens", "cache_read_input_tokens"]
    .reduce((sum, name) => sum + (numberMember(usage, name) ?? 0), 0);
  return {
    messageId,
    inputTokens: input === null ? null : input + cached,
    outputTokens: numberMember(usage, "output_tokens"),
  };
}
