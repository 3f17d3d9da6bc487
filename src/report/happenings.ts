/**
 * What happens beside the conversation: `system` and `rate_limit_event`, as notices. A table by subtype.
 *
 * @module
 */
import { type JsonObject, numberMember, stringMember } from "../base/json.ts";
import { readApiRetry, readRateLimit, readTask } from "../frames/native.ts";
import { shortName } from "./names.ts";
import type { Tone } from "./report.ts";
import { readTime } from "./run_clock.ts";
import { durationText, utcText } from "./wording.ts";

/** A notice to be. */
export interface Happening {
  readonly tone: Tone;
  readonly title: string;
  readonly text: string | null;
}

/** `undefined`: this program does not know the event. `null`: it says nothing to a reader. */
export type Reading = Happening | null | undefined;

/** Reads a `system` event. */
export function readSystem(frame: JsonObject): Reading {
  const subtype = stringMember(frame, "subtype") ?? "";
  if (QUIET.has(subtype)) return null;
  return Object.hasOwn(LOUD, subtype) ? LOUD[subtype]?.(frame) : undefined;
}

/** Reads a `rate_limit_event`; `null` while nothing is refused or near its limit. */
export function readLimit(frame: JsonObject): Happening | null {
  const limit = readRateLimit(frame);
  if (limit === null || limit.status === null || limit.status === "allowed") return null;
  const reset = readTime((limit.resetsAt ?? 0) * 1000);
  return {
    tone: limit.status === "rejected" ? "bad" : "warn",
    title: `Usage limit: ${shortName(limit.status)}`,
    text: [
      limit.kind === null ? null : `Limit: ${shortName(limit.kind)}`,
      reset === null ? null : `It resets at ${utcText(reset)}`,
    ].filter((line) => line !== null).join("\n") || null,
  };
}

/** Subtypes whose content is elsewhere on the page, or of no interest to a reader. */
const QUIET: ReadonlySet<string> = new Set([
  "init",
  "status",
  "thinking_tokens",
  "ui_invalidate",
  "background_tasks_changed",
  "task_started",
  "task_progress",
  "task_updated",
  "hook_started",
  "hook_progress",
  "permission_denied",
]);

const LOUD: { readonly [subtype: string]: (frame: JsonObject) => Happening | null } = {
  api_retry: (frame) => {
    const retry = readApiRetry(frame);
    const attempt = retry?.attempt ?? null;
    const most = retry?.maxRetries ?? null;
    const status = retry?.status ?? null;
    return {
      tone: "warn",
      title: `The API did not answer: ${shortName(retry?.error ?? "no reason given")}${
        status === null ? "" : ` (HTTP ${status})`
      }`,
      text: `Asked again after ${durationText(retry?.delayMs ?? 0)}${
        attempt === null ? "" : `, attempt ${attempt}${most === null ? "" : ` of ${most}`}`
      }`,
    };
  },
  model_fallback: (frame) => ({
    tone: "warn",
    title: `Another model: ${shortName(stringMember(frame, "fallback_model") ?? "unknown")}`,
    text: stringMember(frame, "content"),
  }),
  model_refusal_fallback: refusal,
  model_refusal_no_fallback: refusal,
  informational: (frame) => ({
    tone: stringMember(frame, "level") === "error" ? "bad" : "info",
    title: "Claude Code notes",
    text: stringMember(frame, "content"),
  }),
  compact_boundary: (frame) => ({
    tone: "info",
    title: "The conversation was compacted",
    text: stringMember(frame, "content"),
  }),
  hook_response: (frame) => {
    const outcome = stringMember(frame, "outcome") ?? "ended";
    const said = ["output", "stdout", "stderr"].map((key) => stringMember(frame, key) ?? "");
    const text = [...new Set(said)].filter((part) => part.trim() !== "").join("\n");
    const code = numberMember(frame, "exit_code");
    return {
      tone: outcome === "success" ? "info" : "warn",
      title: `Hook ${shortName(stringMember(frame, "hook_name") ?? "without a name")}: ${
        shortName(outcome)
      }${code === null || code === 0 ? "" : ` (exit code ${code})`}`,
      text: text === "" ? null : text,
    };
  },
  task_notification: (frame) => {
    const status = readTask(frame)?.status ?? "ended";
    return {
      tone: status === "completed" ? "info" : "warn",
      title: `A task ended: ${shortName(status)}`,
      text: stringMember(frame, "summary"),
    };
  },
};

function refusal(frame: JsonObject): Happening {
  return {
    tone: "bad",
    title: "The model refused",
    text: stringMember(frame, "content") ?? stringMember(frame, "api_refusal_explanation"),
  };
}
