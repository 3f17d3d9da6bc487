/**
 * What a turn tells its reader, one event after the other, and what comes of it. Types only; nothing in them is of one
 * vendor.
 *
 * @module
 */
import type { ErrorCode } from "../base/errors.ts";
import type { JsonValue } from "../base/json.ts";

/** The tools can be called; nothing is started yet. */
export interface ReadyEvent {
  /** Which event it is. */
  readonly type: "ready";
  /** Names of the tools that are lent. */
  readonly tools: readonly string[];
}

/** The process runs. */
export interface SpawnedEvent {
  /** Which event it is. */
  readonly type: "spawned";
  /** Its process id. */
  readonly pid: number;
}

/** The model's turn begins. */
export interface InitEvent {
  /** Which event it is. */
  readonly type: "init";
  /** The model that answers, by its full name; `null` when nobody said. */
  readonly model: string | null;
  /** Names of the tools that it was given. */
  readonly tools: readonly string[];
}

/** A piece of text. */
export interface MessageDeltaEvent {
  /** Which event it is. */
  readonly type: "message_delta";
  /** The key of the message; keep one text for each. */
  readonly messageId: string;
  /** What is added, or all there is. */
  readonly text: string;
  /** Whether it takes the place of everything this message said before: after a broken connection, for example. */
  readonly replace: boolean;
}

/** A piece of the model's thinking. */
export interface ThoughtDeltaEvent {
  /** Which event it is. */
  readonly type: "thought_delta";
  /** The key of the message that it belongs to. */
  readonly messageId: string;
  /** What is added. */
  readonly text: string;
}

/** The model asked for a tool. */
export interface ToolCallEvent {
  /** Which event it is. */
  readonly type: "tool_call";
  /** The key of the call. */
  readonly id: string;
  /** The tool, as the caller names it; as the model wrote it when no such tool was lent. */
  readonly name: string;
  /** As the model wrote it; not checked yet. */
  readonly input: JsonValue;
  /** Whether there is such a tool. One that is not lent never runs. */
  readonly lent: boolean;
}

/** A part of what the model was told about a call. */
export type ResultPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image"; readonly mediaType: string; readonly data: string }
  | { readonly type: "other" };

/** A call ended. */
export interface ToolResultEvent {
  /** Which event it is. */
  readonly type: "tool_result";
  /** The `id` of its `tool_call`. */
  readonly id: string;
  /** The tool, as in its `tool_call`. */
  readonly name: string;
  /** Whether it failed. */
  readonly isError: boolean;
  /** What the model was told. */
  readonly content: readonly ResultPart[];
}

/** A request to the model failed and is tried again. Every member is `null` when nobody said. */
export interface RetryEvent {
  /** Which event it is. */
  readonly type: "retry";
  /** Which attempt failed, from 1 on. */
  readonly attempt: number | null;
  /** How many there will be at most. */
  readonly maxRetries: number | null;
  /** The wait, in milliseconds. */
  readonly delayMs: number | null;
  /** The HTTP status. */
  readonly status: number | null;
  /** A word for it, such as `overloaded`. */
  readonly reason: string | null;
}

/** A turn that nobody asked for, after the answer. */
export interface FollowUpEvent {
  /** Which event it is. */
  readonly type: "followup";
  /** What it said; `null` when it failed without a word. */
  readonly text: string | null;
  /** Whether it failed. */
  readonly isError: boolean;
}

/** Something a person may want to know. */
export interface LogEvent {
  /** Which event it is. */
  readonly type: "log";
  /** How much it matters. */
  readonly level: "info" | "warn";
  /** One line. */
  readonly message: string;
}

/** The turn is over, and nothing of it is left. Always the last event. */
export interface ResultEvent {
  /** Which event it is. */
  readonly type: "result";
  /** What came of it; `null` when it failed. */
  readonly result: TurnResult | null;
  /** Why it failed; `null` when it went well. The promise of the result has the whole error. */
  readonly error: { readonly code: ErrorCode; readonly message: string } | null;
}

/** One event of a turn. */
export type TurnEvent =
  | ReadyEvent
  | SpawnedEvent
  | InitEvent
  | MessageDeltaEvent
  | ThoughtDeltaEvent
  | ToolCallEvent
  | ToolResultEvent
  | RetryEvent
  | FollowUpEvent
  | LogEvent
  | ResultEvent;

/** Tokens. */
export interface TurnUsage {
  /** Read anew. */
  readonly inputTokens: number;
  /** Written. */
  readonly outputTokens: number;
  /** Read from a cache. */
  readonly cacheReadTokens: number;
  /** Written to a cache. */
  readonly cacheWriteTokens: number;
}

/** What came of a turn that went well. */
export interface TurnResult {
  /** The whole answer: every message in order, an empty line between two of them. */
  readonly text: string;
  /** The value that fits `jsonSchema`; `null` when none was asked for. */
  readonly structuredOutput: JsonValue;
  /** The model that answered; `null` when nobody said. */
  readonly model: string | null;
  /** Tokens of the turn; `null` when nobody said. */
  readonly usage: TurnUsage | null;
  /** US dollars; `null` when nobody said. */
  readonly costUsd: number | null;
  /** Steps of the turn; more than requests to the model when tools ran side by side. `null` when nobody said. */
  readonly turns: number | null;
  /** Milliseconds from the message to the answer; `null` when nobody said. */
  readonly durationMs: number | null;
}
