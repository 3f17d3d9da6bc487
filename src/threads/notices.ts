/**
 * Native frames that a person may want to know about, as notices.
 *
 * @module
 */
import { cutText, type JsonObject, type JsonValue, stringMember } from "../base/json.ts";
import { visibleSentence } from "../base/visible.ts";
import {
  type AssistantError,
  type Compaction,
  readPermissionDenied,
  readRateLimit,
  readTask,
} from "../frames/native.ts";
import type { NoticeTopic, NoticeUpdate } from "./updates.ts";

const MAX_MESSAGE_BYTES = 2_000;
const MAX_DETAIL_BYTES = 256;

/** A notice before it is known which turn it belongs to. */
export type Notice = Omit<NoticeUpdate, "turn">;

/** Makes a notice whose text and facts are safe to print and small. */
export function notice(
  topic: NoticeTopic,
  message: string,
  details: { readonly [name: string]: string | number | boolean | null } = {},
): Notice {
  const small: { [name: string]: JsonValue } = {};
  for (const [name, value] of Object.entries(details)) {
    if (value === null) continue;
    small[name] = typeof value === "string" ? short(value, MAX_DETAIL_BYTES) : value;
  }
  return { kind: "notice", topic, message: short(message, MAX_MESSAGE_BYTES), details: small };
}

/** What a `system` or `rate_limit_event` frame is worth telling; `null` for every other one. */
export function readNotice(frame: JsonObject): Notice | null {
  if (frame.type === "rate_limit_event") return rateLimit(frame);
  if (frame.type !== "system") return null;
  switch (frame.subtype) {
    case "informational":
      return notice("information", stringMember(frame, "content") ?? "", {
        level: stringMember(frame, "level"),
      });
    case "model_fallback":
      return notice("model_fallback", stringMember(frame, "content") ?? "Another model answers", {
        trigger: stringMember(frame, "trigger"),
        original_model: stringMember(frame, "original_model"),
        fallback_model: stringMember(frame, "fallback_model"),
      });
    case "model_refusal_no_fallback":
      return notice("information", "The model's safeguards stopped the answer", {
        original_model: stringMember(frame, "original_model"),
      });
    case "permission_denied":
      return permissionDenied(frame);
    case "task_started":
    case "task_notification":
      return task(frame);
    default:
      return null;
  }
}

/** The notice of an API error that the CLI reports in its own name. */
export function apiErrorNotice({ error, status, text }: AssistantError): Notice {
  return notice("api_error", text === "" ? "The API refused a request" : text, { error, status });
}

/** The notice of a step of compaction. */
export function compactionNotice(step: Compaction): Notice {
  const { kind, trigger, preTokens, postTokens, error } = step;
  const details = { status: kind, trigger, pre_tokens: preTokens, post_tokens: postTokens };
  if (kind === "started") {
    return notice("compaction", "The conversation is being compacted", details);
  }
  if (kind === "failed") {
    const why = error === null ? "" : `: ${error}`;
    return notice("compaction", `The conversation could not be compacted${why}`, details);
  }
  const sizes = preTokens === null || postTokens === null
    ? ""
    : `: ${preTokens} tokens became ${postTokens}`;
  return notice("compaction", `The conversation was compacted${sizes}`, details);
}

function permissionDenied(frame: JsonObject): Notice | null {
  const denied = readPermissionDenied(frame);
  if (denied === null) return null;
  const said = stringMember(frame, "message") ?? `${denied.toolName ?? "A tool"} was not allowed`;
  return notice("permission_denied", said, {
    tool_name: denied.toolName,
    tool_use_id: denied.toolUseId,
    reason_type: denied.reasonType,
  });
}

/** A task in the foreground is a tool call like others, and nothing waits for it after the answer. */
function task(frame: JsonObject): Notice | null {
  const step = readTask(frame);
  if (step === null || (step.kind === "started" && step.backgrounded !== true)) return null;
  const what = step.description ?? stringMember(frame, "summary") ?? step.taskId;
  const how = step.kind === "started" ? "started" : step.status ?? "ended";
  return notice("task", `Task ${how}: ${what}`, {
    task_id: step.taskId,
    tool_use_id: step.toolUseId,
    status: how,
  });
}

function rateLimit(frame: JsonObject): Notice | null {
  const limit = readRateLimit(frame);
  if (limit === null || limit.status === null || limit.status === "allowed") return null;
  return notice("rate_limit", `Usage limit: ${limit.status}`, {
    status: limit.status,
    kind: limit.kind,
    resets_at: limit.resetsAt,
  });
}

function short(text: string, maxBytes: number): string {
  return cutText(visibleSentence(text.slice(0, 4 * maxBytes)), maxBytes);
}
