/**
 * Folds the updates of a round into what it said and did.
 *
 * @module
 */
import type { JsonValue } from "../base/json.ts";
import type { NoticeUpdate, ResultUpdate, SessionUpdate, Update } from "./updates.ts";

/** A message of the main conversation. */
export interface CollectedMessage {
  /** The key of the message. */
  readonly messageId: string;
  /** The turn it belongs to; 0 is the answer. */
  readonly turn: number;
  /** All of its text. */
  readonly text: string;
}

/** A tool call and what came of it. */
export interface CollectedToolCall {
  /** The key of the call. */
  readonly id: string;
  /** The turn it belongs to; 0 is the answer. */
  readonly turn: number;
  /** The tool, such as `Bash`. */
  readonly name: string;
  /** As the model wrote it. */
  readonly input: JsonValue;
  /** The call of the sub-agent that asked, or `null`. */
  readonly parentToolUseId: string | null;
  /** `null` when the round ended before the call did. */
  readonly result: { readonly isError: boolean; readonly content: JsonValue } | null;
}

/** A turn that the CLI added when a background task ended. */
export interface CollectedFollowUp {
  /** The turn it belongs to; 0 is the answer. */
  readonly turn: number;
  /** As in {@linkcode Collected}. */
  readonly text: string;
  /** `null` when the round ended before the turn did. */
  readonly result: ResultUpdate | null;
}

/** A round as a whole. */
export interface Collected {
  /** The first session of the round; `null` when no turn began. */
  readonly session: SessionUpdate | null;
  /**
   * The answer: every message of turn 0 in order, an empty line between two of them, except where the output limit cut a
   * message and the next one goes on with its sentence. The native result has the last message only.
   */
  readonly text: string;
  /** What was streamed of an answer that never became whole, because the round failed or was cancelled; else empty. */
  readonly partial: string;
  /** Messages with text, of all turns, in order; those of sub-agents are left out. */
  readonly messages: readonly CollectedMessage[];
  /** Tool calls in order, those of sub-agents too. */
  readonly toolCalls: readonly CollectedToolCall[];
  /** Notices in order. */
  readonly notices: readonly NoticeUpdate[];
  /** The answer's result; `null` when there was none. */
  readonly result: ResultUpdate | null;
  /** Turns after the answer, in order. */
  readonly followUps: readonly CollectedFollowUp[];
}

interface Message {
  /** The key of the message. */
  readonly messageId: string;
  /** The turn it belongs to; 0 is the answer. */
  readonly turn: number;
  /** It goes on with the sentence of the message before. */
  readonly goesOn: boolean;
  /** As the CLI has it. */
  whole: string;
  /** With what was streamed after that. */
  shown: string;
}

/** Collects the updates of one round, one by one. */
export class UpdateCollector {
  readonly #messages = new Map<string, Message>();
  readonly #toolCalls = new Map<string, CollectedToolCall>();
  readonly #notices: NoticeUpdate[] = [];
  readonly #results: ResultUpdate[] = [];
  #session: SessionUpdate | null = null;
  #continued = false;

  /** Takes the next update. */
  add(update: Update): void {
    switch (update.kind) {
      case "session":
        this.#session ??= update;
        return;
      case "text":
      case "message":
        if (update.parentToolUseId !== null) return;
        return this.#say(this.#message(update.messageId, update.turn), update);
      case "text_abandoned": {
        const message = this.#messages.get(update.messageId);
        if (message !== undefined) message.whole = message.shown = update.kept;
        return;
      }
      case "tool_call": {
        const { kind: _, ...call } = update;
        this.#toolCalls.set(update.id, { ...call, result: null });
        return;
      }
      case "tool_result": {
        const call = this.#toolCalls.get(update.id);
        const { isError, content } = update;
        if (call !== undefined) {
          this.#toolCalls.set(update.id, { ...call, result: { isError, content } });
        }
        return;
      }
      case "notice":
        this.#notices.push(update);
        if (update.topic === "continued") this.#continued = true;
        return;
      case "result":
        this.#results.push(update);
        // A turn that ended well has said everything it streamed.
        if (!update.isError) this.#complete(update.turn);
        return;
    }
  }

  /**
   * The round ended well: everything that was streamed is whole, also where the frame that says so was too large to be
   * kept (measured with an answer of 30 MB).
   */
  end(): void {
    for (const message of this.#messages.values()) message.whole = message.shown;
  }

  /** Everything so far. */
  get value(): Collected {
    const messages = [...this.#messages.values()];
    const followUps = new Set(messages.filter(({ turn }) => turn > 0).map(({ turn }) => turn));
    for (const { turn } of this.#results) if (turn > 0) followUps.add(turn);
    const streamed = messages.findLast(({ whole, shown }) => shown !== whole);
    return {
      session: this.#session,
      text: textOf(messages, 0),
      partial: streamed?.shown.slice(streamed.whole.length) ?? "",
      messages: messages.filter(({ whole }) => whole !== "").map(({ messageId, turn, whole }) => ({
        messageId,
        turn,
        text: whole,
      })),
      toolCalls: [...this.#toolCalls.values()],
      notices: this.#notices,
      result: this.#resultOf(0),
      followUps: [...followUps].sort((a, b) => a - b).map((turn) => ({
        turn,
        text: textOf(messages, turn),
        result: this.#resultOf(turn),
      })),
    };
  }

  #say(message: Message, update: Update & { kind: "text" | "message" }): void {
    if (update.kind === "text") message.shown += update.delta;
    else message.whole = message.shown = update.text;
  }

  #message(messageId: string, turn: number): Message {
    let message = this.#messages.get(messageId);
    if (message === undefined) {
      message = { messageId, turn, goesOn: this.#continued, whole: "", shown: "" };
      this.#messages.set(messageId, message);
      this.#continued = false;
    }
    return message;
  }

  #complete(turn: number): void {
    for (const message of this.#messages.values()) {
      if (message.turn === turn) message.whole = message.shown;
    }
  }

  #resultOf(turn: number): ResultUpdate | null {
    return this.#results.find((result) => result.turn === turn) ?? null;
  }
}

/**
 * Folds all updates of a round.
 *
 * @example
 * ```ts
 * import { collectUpdates } from "./collect_updates.ts";
 *
 * const source = { turn: 0, messageId: "m1", parentToolUseId: null };
 * const { text } = collectUpdates([
 *   { kind: "text", ...source, delta: "Hel" },
 *   { kind: "text", ...source, delta: "lo" },
 *   { kind: "message", ...source, text: "Hello" },
 * ]);
 * console.assert(text === "Hello");
 * ```
 */
export function collectUpdates(updates: Iterable<Update>): Collected {
  const collector = new UpdateCollector();
  for (const update of updates) collector.add(update);
  return collector.value;
}

function textOf(messages: readonly Message[], turn: number): string {
  let text = "";
  for (const message of messages) {
    if (message.turn !== turn || message.whole === "") continue;
    const gap = text === "" || message.goesOn ? "" : "\n\n";
    text += gap + message.whole;
  }
  return text;
}
