/**
 * What a report shows of a run. Data only; {@linkcode ReportReader} makes it, and the files `page_*.ts` write it down.
 *
 * @module
 */
import type { Cleanup } from "../supervision/receipts.ts";
import type { Mark } from "./run_clock.ts";

/** Foreign text, cut to a bound. */
export interface KeptText {
  readonly text: string;
  /** UTF-16 units that were left out at its end. */
  readonly omitted: number;
}

/** One thing of the conversation, in the order of the events. */
export type Entry = SpeechEntry | ToolEntry | NoticeEntry | TurnEntry;

/** What the model or the person said. */
export interface SpeechEntry {
  readonly kind: "text" | "thinking" | "user";
  /** 1-based, over all entries: the page's anchor. */
  readonly id: number;
  readonly at: Mark;
  readonly text: KeptText;
  /** It was being streamed when its message was given up or the events ended. */
  readonly interrupted: boolean;
}

/** How a tool call ended. `open` has no result in these events. */
export type ToolStatus = "ok" | "error" | "denied" | "open";

/** A tool call, with its sub-agent's conversation when it started one. */
export interface ToolEntry {
  readonly kind: "tool";
  readonly id: number;
  readonly at: Mark;
  readonly name: string;
  /** What it is about in a line: the call's own description, a path or a command; may be empty. */
  readonly about: string;
  readonly input: KeptText;
  result: KeptText | null;
  status: ToolStatus;
  end: Mark | null;
  /** A background task's last status, such as `running` or `completed`; `null` when it is none. */
  task: string | null;
  /** Sub-agents deeper than the page nests them are listed with their nearest shown ancestor. */
  readonly children: Entry[];
}

/** How much something matters. */
export type Tone = "info" | "warn" | "bad";

/** Something that happened beside the conversation. */
export interface NoticeEntry {
  readonly kind: "notice";
  readonly id: number;
  readonly at: Mark;
  readonly tone: Tone;
  readonly title: string;
  readonly text: KeptText | null;
}

/** A result: a turn ended. */
export interface TurnEntry {
  readonly kind: "turn";
  readonly id: number;
  readonly at: Mark;
  readonly isError: boolean;
  /** The native subtype. */
  readonly subtype: string;
  /** The CLI began the turn itself, when a background task ended. */
  readonly isFollowUp: boolean;
  readonly durationMs: number | null;
  readonly turns: number | null;
  readonly text: KeptText | null;
}

/** What a bar of the timeline stands for. */
export type SpanKind = "model" | "tool" | "agent" | "task" | "retry" | "idle";

/** A stretch of the run. */
export interface Span {
  readonly kind: SpanKind;
  readonly label: string;
  /** 0 for the run's own, one more for each sub-agent around it. */
  readonly depth: number;
  readonly start: Mark;
  /** `null` while it had not ended when the events did. */
  readonly end: Mark | null;
  /** How it ended, when that is not well. */
  readonly fault: "failed" | "denied" | null;
  /** The entry that it is about, or `null`. */
  readonly entry: number | null;
  /** The entry of the tool call whose sub-agent did it; `null` for what the run did itself. */
  readonly parent: number | null;
  /** Of model calls that say so. */
  readonly tokens: CallTokens | null;
}

/** The tokens of model calls. */
export interface CallTokens {
  /** With what was cached. */
  readonly input: number;
  /** `null` when only the beginning of the answer was counted, as in the events of a sub-agent (measured). */
  readonly output: number | null;
}

/** What one model used. Numbers that are missing are `null`. */
export interface ModelUse {
  readonly model: string;
  readonly input: number | null;
  readonly output: number | null;
  readonly cacheRead: number | null;
  readonly cacheWrite: number | null;
  readonly costUsd: number | null;
}

/** Tokens and cost. */
export interface Spending {
  /** `result`: the CLI's own totals. `calls`: added up from the model calls, without a cost. */
  readonly from: "result" | "calls";
  readonly models: readonly ModelUse[];
  readonly totalUsd: number | null;
}

/** A refused tool call. */
export interface Denial {
  readonly tool: string;
  /** Why, such as `mode` or `rule`. */
  readonly reason: string | null;
  readonly detail: KeptText | null;
  readonly entry: number | null;
}

/** How the run ended. */
export interface Ending {
  readonly state: "succeeded" | "failed" | "cancelled" | "unknown";
  /** A few words. */
  readonly title: string;
  /** Why, or what to know about it. */
  readonly message: string | null;
  /** The answer. */
  readonly answer: KeptText | null;
  /** Only of a settled run. */
  readonly settled: SettledFacts | null;
}

/** What only a settled value knows. */
export interface SettledFacts {
  readonly runId: string | null;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly cleanupConfirmed: boolean;
  readonly cleanup: Cleanup | null;
  readonly cleanupError: string | null;
  readonly executable: string | null;
  readonly admittedBy: string | null;
  readonly stderrTail: KeptText | null;
  readonly tasksOpen: number;
  readonly tasksStopped: number;
}

/** What the events say about the set-up. Empty lists and `null` when they do not. */
export interface Setup {
  readonly sessionId: string | null;
  readonly models: readonly string[];
  readonly permissionMode: string | null;
  readonly folder: string | null;
  readonly version: string | null;
  readonly tools: number;
  readonly mcpServers: readonly { readonly name: string; readonly status: string | null }[];
}

/** How often something came. */
export interface Count {
  readonly name: string;
  readonly count: number;
}

/** What was read, and what of it is not on the page. */
export interface Reading {
  readonly events: number;
  readonly bytes: number;
  readonly types: readonly Count[];
  /** Types that this program does not know; part of `types` too. */
  readonly unknown: readonly Count[];
  /** Lines that are no JSON object, and the first of them as a quote. */
  readonly malformed: number;
  readonly firstMalformed: string | null;
  /** The last line had no end and was no JSON: the writer was cut off. */
  readonly isTruncated: boolean;
  /** Events too large to read, or kept as markers by whoever wrote the events. */
  readonly oversized: number;
  /** Events that the file itself says are missing. */
  readonly missing: number;
  /** Entries beyond the bound of a page. */
  readonly entriesLeftOut: number;
  /** UTF-16 units of text that were cut. */
  readonly textLeftOut: number;
  /** Reading stopped at the bound of a file. */
  readonly isStopped: boolean;
}

/** Everything that a page shows. */
export interface Report {
  readonly ending: Ending;
  readonly setup: Setup;
  readonly spending: Spending;
  readonly entries: readonly Entry[];
  readonly spans: readonly Span[];
  readonly denials: readonly Denial[];
  readonly counts: {
    readonly modelCalls: number;
    readonly toolCalls: number;
    readonly failedTools: number;
    readonly agents: number;
    readonly retries: number;
    /** All of them; {@linkcode Report.denials} lists the first. */
    readonly denials: number;
  };
  /** Unix milliseconds of the first and the last moment; `null` when no event has a time. */
  readonly time: { readonly from: number; readonly to: number } | null;
  /** The CLI's own measure of its turns together, or `null`. */
  readonly turnsMs: number | null;
  readonly reading: Reading;
}
