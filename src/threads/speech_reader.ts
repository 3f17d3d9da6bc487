/**
 * Reads what is said in a conversation: text, thinking, tool calls and their results.
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
import { readAssistantError } from "../frames/native.ts";
import { MessageBook, type Withdrawal } from "./message_book.ts";
import { apiErrorNotice, notice } from "./notices.ts";
import { MAX_ID_CHARS, RecentSet } from "./recent_set.ts";
import type { TextAbandonedUpdate, TextSource, Untimed } from "./updates.ts";

/** Tool calls remembered, so that none is told twice. */
const MAX_CALLS = 4_096;
/** Frames remembered, so that a message's block counts once. */
const MAX_FRAMES = 1_024;

/** The CLI's own words to the model when the output limit cut a message; it is asked to go on mid-thought (measured). */
const OUTPUT_LIMIT = /^Output token limit hit\b/;

/** Options of {@linkcode SpeechReader}. */
export interface SpeechReaderOptions {
  readonly forwardSubagentText: boolean;
  /** Told of everything that was left out. */
  readonly ignore: (label: string) => void;
}

/** Follows the `assistant`, `user` and `stream_event` frames of one round. */
export class SpeechReader {
  readonly #options: SpeechReaderOptions;
  readonly #main = new MessageBook();
  /** Sub-agents are never streamed (measured), but their messages have blocks too. */
  readonly #subagents = new MessageBook();
  readonly #frames = new RecentSet(MAX_FRAMES);
  readonly #calls = new RecentSet(MAX_CALLS);
  readonly #results = new RecentSet(MAX_CALLS);
  readonly #open = new RecentSet(MAX_CALLS);
  #unnamed = 0;

  /** Starts before the first frame. */
  constructor(options: SpeechReaderOptions) {
    this.#options = options;
  }

  /** Tool calls of the main conversation without a result; a sub-agent's are inside of one, or a task. */
  get openTools(): number {
    return this.#open.size;
  }

  /** No tool runs any more: the turn is over, or the result that said so was lost. */
  closeTools(): void {
    this.#open.clear();
  }

  /** Reads a frame of one of the three types; whatever its shape is. */
  read(frame: JsonObject): Untimed[] {
    if (frame.type === "stream_event") return this.#streamEvent(frame);
    if (this.#isRepeated(frame)) {
      this.#options.ignore(`${frame.type}/repeated`);
      return [];
    }
    return frame.type === "assistant" ? this.#assistant(frame) : this.#user(frame);
  }

  /** A whole block was too large to be read; what was streamed of it stands. */
  lostBlock(): Untimed[] {
    const settled = this.#main.settle();
    return settled === null ? [] : [{ kind: "message", ...settled, parentToolUseId: null }];
  }

  #streamEvent(frame: JsonObject): Untimed[] {
    const event = objectMember(frame, "event");
    const type = stringMember(event, "type") ?? "(no type)";
    if (event === null || stringMember(frame, "parent_tool_use_id") !== null) {
      return this.#leaveOut(`stream_event/${type}`);
    }
    // 2.1.300 and later name the message on every step, earlier ones at its start only.
    const named = idOf(frame, "api_message_id");
    switch (type) {
      case "message_start": {
        const id = idOf(objectMember(event, "message"), "id") ?? named;
        return id === null ? this.#leaveOut(`stream_event/${type}`) : this.#openMessage(id);
      }
      case "content_block_delta":
        return this.#delta(objectMember(event, "delta"), named);
      case "message_stop":
        return this.#messageStop(frame, named);
      default:
        return this.#leaveOut(`stream_event/${type}`);
    }
  }

  #delta(delta: JsonObject | null, named: string | null): Untimed[] {
    const type = stringMember(delta, "type") ?? "(no type)";
    const [kind, text] = type === "text_delta"
      ? ["text", stringMember(delta, "text")] as const
      : type === "thinking_delta"
      ? ["thinking", stringMember(delta, "thinking")] as const
      : [null, null];
    const messageId = named ?? this.#main.current;
    if (kind === null || messageId === null || text === null || text === "") {
      return this.#leaveOut(`stream_event/${type}`);
    }
    if (this.#main.isForgotten(messageId)) return this.#leaveOut("stream_event/late");
    const withdrawn = this.#openMessage(messageId);
    if (kind === "text") this.#main.stream(messageId, text);
    else this.#main.think(messageId);
    return [...withdrawn, { kind, messageId, parentToolUseId: null, delta: text }];
  }

  #messageStop(frame: JsonObject, named: string | null): Untimed[] {
    const abandoned = objectMember(frame, "abandoned_blocks");
    const id = named ?? this.#main.current;
    if (abandoned === null) {
      // The whole block comes before the end of its stream (measured), so one that did not was lost.
      const settled = id === this.#main.current ? this.lostBlock() : [];
      this.#main.close(id);
      return settled;
    }
    const which = idOf(abandoned, "api_message_id") ?? id;
    const from = numberMember(abandoned, "from_block_index") ?? 0;
    const withdrawn = which === null ? null : this.#main.abandon(which, from);
    this.#main.close(which);
    return abandonedUpdate(withdrawn, "broken");
  }

  #assistant(frame: JsonObject): Untimed[] {
    const parentToolUseId = stringMember(frame, "parent_tool_use_id");
    const error = readAssistantError(frame);
    if (error !== null) {
      // A sub-agent's failure is its caller's business: its tool result says so.
      if (parentToolUseId !== null) return this.#leaveOut("assistant/sub-agent error");
      // Versions before 2.1.300 only stop the deltas, and then say this.
      const withdrawn = abandonedUpdate(this.#main.abandonStreamed(), "broken");
      return [...withdrawn, ...this.#refused(frame), apiErrorNotice(error)];
    }
    const message = objectMember(frame, "message");
    const book = parentToolUseId === null ? this.#main : this.#subagents;
    const messageId = idOf(message, "id") ?? book.current ?? `unnamed-${++this.#unnamed}`;
    if (book.isForgotten(messageId)) return this.#leaveOut("assistant/late");
    const updates = book === this.#main ? this.#openMessage(messageId) : [];
    for (const block of blocksOf(message)) {
      updates.push(...this.#block(book, block, { messageId, parentToolUseId }));
    }
    return updates;
  }

  #block(book: MessageBook, block: JsonObject, source: TextSource): Untimed[] {
    const { messageId, parentToolUseId } = source;
    const silent = parentToolUseId !== null && !this.#options.forwardSubagentText;
    const text = stringMember(block, block.type === "thinking" ? "thinking" : "text") ?? "";
    if (block.type === "text") {
      if (silent) return this.#leaveOut("assistant/sub-agent text");
      const reading = book.block(messageId, text);
      if (text === "") return [];
      const updates: Untimed[] = [];
      if (reading.unseen) updates.push({ kind: "text", ...source, delta: text });
      if (reading.text !== null) updates.push({ kind: "message", ...source, text: reading.text });
      return updates;
    }
    const { newThought } = book.otherBlock(messageId);
    if (block.type === "tool_use") return this.#toolCall(block, parentToolUseId);
    if (block.type !== "thinking" || silent) {
      return this.#leaveOut(`assistant/${stringMember(block, "type") ?? "(no type)"}`);
    }
    return text !== "" && newThought ? [{ kind: "thinking", ...source, delta: text }] : [];
  }

  #toolCall(block: JsonObject, parentToolUseId: string | null): Untimed[] {
    const id = idOf(block, "id");
    if (id === null || !this.#calls.add(id)) return this.#leaveOut("assistant/tool_use");
    if (parentToolUseId === null && !this.#results.has(id)) this.#open.add(id);
    const name = stringMember(block, "name") ?? "unknown";
    return [{ kind: "tool_call", id, name, input: block.input ?? null, parentToolUseId }];
  }

  #user(frame: JsonObject): Untimed[] {
    const parentToolUseId = stringMember(frame, "parent_tool_use_id");
    const updates: Untimed[] = parentToolUseId === null ? this.#refused(frame) : [];
    for (const block of blocksOf(objectMember(frame, "message"))) {
      const id = block.type === "tool_result" ? idOf(block, "tool_use_id") : null;
      if (id !== null && this.#results.add(id)) {
        this.#open.delete(id);
        const { content = "" } = block;
        const isError = block.is_error === true;
        updates.push({ kind: "tool_result", id, isError, content, parentToolUseId });
      } else if (
        frame.isSynthetic === true && OUTPUT_LIMIT.test(stringMember(block, "text") ?? "")
      ) {
        updates.push(notice("continued", "The output limit cut the message; the next goes on"));
      } else this.#options.ignore(`user/${stringMember(block, "type") ?? "(no type)"}`);
    }
    return updates;
  }

  /** What the model's safeguards stopped does not count: the model is asked again (measured). */
  #refused(frame: JsonObject): Untimed[] {
    const refused = idOf(frame, "refused_message_id");
    return abandonedUpdate(refused === null ? null : this.#main.abandon(refused, 0), "refused");
  }

  #openMessage(id: string): Untimed[] {
    if (id === this.#main.current) return [];
    const withdrawn = this.#main.open(id);
    // The model goes on only when it has every result.
    if (id === this.#main.current) this.#open.clear();
    return abandonedUpdate(withdrawn, "broken");
  }

  /** A frame with an id that was there with the same content. Not the id alone: what older versions do is not known. */
  #isRepeated(frame: JsonObject): boolean {
    const uuid = idOf(frame, "uuid");
    if (uuid === null) return false;
    const blocks = blocksOf(objectMember(frame, "message"));
    const shape = blocks.map((block) => `${block.type}${stringMember(block, "text")?.length}`);
    return !this.#frames.add(`${uuid} ${shape.join().slice(0, 100)}`);
  }

  #leaveOut(label: string): Untimed[] {
    this.#options.ignore(label);
    return [];
  }
}

function abandonedUpdate(
  withdrawn: Withdrawal | null,
  reason: TextAbandonedUpdate["reason"],
): Untimed[] {
  return withdrawn === null ? [] : [{ kind: "text_abandoned", ...withdrawn, reason }];
}

/** An id that may be kept: not empty, not endless. */
function idOf(value: unknown, key: string): string | null {
  const id = stringMember(value, key);
  return id === null || id === "" || id.length > MAX_ID_CHARS ? null : id;
}

/** The blocks of a message; one whose content is text has one block. */
function blocksOf(message: JsonObject | null): readonly JsonObject[] {
  const text = stringMember(message, "content");
  return text === null
    ? arrayMember(message, "content").filter(isObject)
    : [{ type: "text", text }];
}
