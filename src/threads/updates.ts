/**
 * What a round of a thread tells its reader, one typed update after the other. Types only.
 *
 * How to show text: keep one text per `messageId`. `text` adds to it, `message` replaces it, `text_abandoned` cuts it
 * back to `kept`. Whoever does that never shows a word twice, whatever the connection did.
 *
 * @module
 */
import type { JsonObject, JsonValue } from "../base/json.ts";

/** What every update has. */
export interface UpdateBase {
  /**
   * Which turn of the round it belongs to: 0 is the answer to the message that was sent, 1 and more are turns that the
   * CLI added by itself when a background task ended. They come in order, and after the answer; only the `result` of
   * turn 0 can come later than the first updates of turn 1 (measured: the CLI holds it back while a sub-agent works).
   */
  readonly turn: number;
}

/** A turn began, and this is its session. Comes once per round for turn 0, and again when id or model changed. */
export interface SessionUpdate extends UpdateBase {
  /** Which update it is. */
  readonly kind: "session";
  /** The native session. */
  readonly id: string;
  /** The model that answers, by its full name; `null` when the CLI did not say. */
  readonly model: string | null;
  /** Whether the CLI went on with a conversation that it had; `false` after a fresh start. */
  readonly resumed: boolean;
}

/** Where text comes from, besides its message. */
export interface TextSource {
  /** The key of the message. */
  readonly messageId: string;
  /** The sub-agent's call when a sub-agent speaks (only with `forwardSubagentText`), else `null`. */
  readonly parentToolUseId: string | null;
}

/** A piece of text, as it comes. A message that is not streamed comes as one piece for each of its blocks. */
export interface TextUpdate extends UpdateBase, TextSource {
  /** Which update it is. */
  readonly kind: "text";
  /** Never empty. */
  readonly delta: string;
}

/** The text of a message as the CLI has it: everything the message said up to here, not only what is new. */
export interface MessageUpdate extends UpdateBase, TextSource {
  /** Which update it is. */
  readonly kind: "message";
  /** Replaces all text of this message so far. */
  readonly text: string;
}

/** Text that was streamed does not count. What the model says instead comes under another message id. */
export interface TextAbandonedUpdate extends UpdateBase {
  /** Which update it is. */
  readonly kind: "text_abandoned";
  /** The key of the message. */
  readonly messageId: string;
  /** What of the message still counts: its blocks that were whole before the break; mostly the empty text. */
  readonly kept: string;
  /** `broken`: the connection broke. `refused`: the model's safeguards stopped the message. */
  readonly reason: "broken" | "refused";
}

/** A piece of the model's thinking. */
export interface ThinkingUpdate extends UpdateBase, TextSource {
  /** Which update it is. */
  readonly kind: "thinking";
  /** Never empty. */
  readonly delta: string;
}

/** The model asked for a tool. */
export interface ToolCallUpdate extends UpdateBase {
  /** Which update it is. */
  readonly kind: "tool_call";
  /** The key of the call; no two updates of one round have the same. */
  readonly id: string;
  /** Such as `Bash` or `mcp__server__tool`. */
  readonly name: string;
  /** As the model wrote it; usually an object. */
  readonly input: JsonValue;
  /** The call of the sub-agent that asked, or `null`. */
  readonly parentToolUseId: string | null;
}

/** A tool call ended. */
export interface ToolResultUpdate extends UpdateBase {
  /** Which update it is. */
  readonly kind: "tool_result";
  /** The `id` of its `tool_call`. */
  readonly id: string;
  /** Whether it failed. */
  readonly isError: boolean;
  /** Text, or a list of content blocks, as it came. */
  readonly content: JsonValue;
  /** As in {@linkcode ToolCallUpdate}. */
  readonly parentToolUseId: string | null;
}

/** The CLI waits before it asks the API again. Every member is `null` when the CLI did not say. */
export interface RetryUpdate extends UpdateBase {
  /** Which update it is. */
  readonly kind: "retry";
  /** Which attempt failed, from 1 on. */
  readonly attempt: number | null;
  /** How many there will be at most. */
  readonly maxRetries: number | null;
  /** How long it waits, in milliseconds. */
  readonly delayMs: number | null;
  /** The HTTP status, when there was one. */
  readonly status: number | null;
  /** Such as `overloaded`, `rate_limit`, `unknown`. */
  readonly error: string | null;
}

/** What a notice is about. */
export type NoticeTopic =
  /** The CLI says something in its own name. */
  | "information"
  /** A tool call was refused. */
  | "permission_denied"
  /** Another model answers. */
  | "model_fallback"
  /** The CLI reports an API failure in place of an answer; when it is final, the round fails as well. */
  | "api_error"
  /** Where a usage limit stands, when that is not simply "allowed". */
  | "rate_limit"
  /** The message hit the output limit, and the next one goes on in the middle of its sentence. */
  | "continued"
  /** A background task started or ended. */
  | "task"
  /**
   * The CLI replaces the conversation by a summary of it, because it has become too long or was asked to: `status` in the
   * details is `started`, `done` or `failed`. Nothing of the summary is told.
   */
  | "compaction"
  /** A frame was too large to keep, and is missing here. */
  | "omitted";

/** Something a person may want to know. Never needed to follow the conversation. */
export interface NoticeUpdate extends UpdateBase {
  /** Which update it is. */
  readonly kind: "notice";
  /** What it is about. */
  readonly topic: NoticeTopic;
  /** One line, at most 2,000 bytes, safe to print. */
  readonly message: string;
  /** Facts by topic, such as `tool_use_id` or `resets_at`; small. */
  readonly details: JsonObject;
}

/** What a round and its thread cost, in US dollars; see `cost.ts`. */
export interface Costs {
  /** This round up to here; `null` when the CLI did not say enough to know. */
  readonly roundUsd: number | null;
  /** The whole thread, a fork counted from its beginning as a thread; `null` when unknown. */
  readonly threadUsd: number | null;
}

/** A turn is over. Turn 0's is the answer to the message; the others are follow-ups. */
export interface ResultUpdate extends UpdateBase, Costs {
  /** Which update it is. */
  readonly kind: "result";
  /** Whether the CLI ran this turn by itself; then `turn` is at least 1. */
  readonly followUp: boolean;
  /** Whether it failed. */
  readonly isError: boolean;
  /** Such as `success` or `error_max_turns`; empty when the CLI did not say. */
  readonly subtype: string;
  /** The last message of the turn; `null` on error subtypes. {@linkcode Collected} has the whole text. */
  readonly text: string | null;
  /** Messages of an error subtype. */
  readonly errors: readonly string[];
  /** The native session; `null` when the CLI did not say. */
  readonly sessionId: string | null;
  /** Tokens of this turn, as the API counts them; `null` when the CLI did not say. */
  readonly usage: JsonObject | null;
  /** Usage by model since the result before this one, since 2.1.332; else `null`. */
  readonly modelUsage: JsonObject | null;
  /** Milliseconds from the message to the result; `null` when the CLI did not say. */
  readonly durationMs: number | null;
  /** More than model calls: two tools in parallel and two requests are three (measured). */
  readonly turns: number | null;
  /** Refused tool calls. */
  readonly denials: number;
}

/** One update of a round. */
export type Update =
  | SessionUpdate
  | TextUpdate
  | MessageUpdate
  | TextAbandonedUpdate
  | ThinkingUpdate
  | ToolCallUpdate
  | ToolResultUpdate
  | RetryUpdate
  | NoticeUpdate
  | ResultUpdate;

/** An update before it is known which turn it belongs to. */
export type Untimed<U extends Update = Update> = U extends Update ? Omit<U, "turn"> : never;
