/**
 * Folds the native frames of a turn into its events. Pure, bounded, never at fault.
 *
 * @module
 */
import {
  isObject,
  type JsonObject,
  type JsonValue,
  numberMember,
  objectMember,
  stringMember,
} from "../base/json.ts";
import type { FrameItem } from "../frames/frame_stream.ts";
import { readInit, readResult, readStructuredOutput, readToolNames } from "../frames/native.ts";
import { UpdateCollector } from "../threads/collect_updates.ts";
import { RoundReader, type RoundRecord } from "../threads/round_reader.ts";
import type { NoticeTopic, ResultUpdate, Update } from "../threads/updates.ts";
import type { ResultPart, TurnEvent, TurnUsage } from "./turn_events.ts";

/** What a reader is told of the lent tools. */
export interface ToolNaming {
  /** The caller's name for a name that the model sees; `null` for a tool that is not lent. */
  readonly givenName: (modelName: string) => string | null;
}

/** How the turn's beginning looks. */
export interface TurnStart {
  /** The model by its full name. */
  readonly model: string | null;
  /** Names of the tools, as the model sees them. */
  readonly tools: readonly string[];
  /** The status of each server of tools, such as `connected`. */
  readonly servers: readonly { readonly name: string; readonly status: string | null }[];
}

/** What the answer is made of. */
export interface TurnAnswer {
  /** The whole text. */
  readonly text: string;
  /** The model by its full name. */
  readonly model: string | null;
  /** Its result; `null` when there was none that could be read. */
  readonly result: ResultUpdate | null;
  /** `undefined` when there was none. */
  readonly structuredOutput: JsonValue | undefined;
}

/** The CLI's own tool for structured output: what it is given is the answer. */
const STRUCTURED_OUTPUT = "StructuredOutput";
/** Messages whose text is remembered to tell whether a replacement is one. */
const MAX_SHOWN = 16;

const WARNINGS: ReadonlySet<NoticeTopic> = new Set([
  "permission_denied",
  "model_fallback",
  "api_error",
  "rate_limit",
  "omitted",
]);

/** Reads one turn. */
export class TurnReader {
  readonly #naming: ToolNaming;
  readonly #round = new RoundReader({ resumed: false });
  readonly #collector = new UpdateCollector();
  readonly #calls = new Map<string, string>();
  readonly #hidden = new Set<string>();
  readonly #shown = new Map<string, string>();
  #start: TurnStart | null = null;
  #structuredOutput: JsonValue | undefined = undefined;

  /** Starts before the first frame. */
  constructor(naming: ToolNaming) {
    this.#naming = naming;
  }

  /** How the turn began; `null` while it has not. */
  get start(): TurnStart | null {
    return this.#start;
  }

  /** What the frames said about how it went. */
  get record(): RoundRecord {
    return this.#round.record;
  }

  /** What it answered so far. */
  get answer(): TurnAnswer {
    const { text, result } = this.#collector.value;
    const model = this.#start?.model ?? null;
    return { text, model, result, structuredOutput: this.#structuredOutput };
  }

  /** Takes the next item of the stream; returns what it tells, in order. Never throws. */
  read(item: FrameItem): readonly TurnEvent[] {
    const events: TurnEvent[] = item.kind === "frame" ? this.#frame(item.frame) : [];
    if (item.kind === "malformed") {
      const message = `A line that is no frame was passed over: ${item.quote}`;
      events.push({ type: "log", level: "info", message });
    }
    for (const update of this.#round.read(item)) {
      if (isAnswer(update)) this.#collector.add(update);
      events.push(...this.#update(update));
    }
    return events;
  }

  #frame(frame: JsonObject): TurnEvent[] {
    const init = readInit(frame);
    if (init !== null && this.#start === null) {
      const tools = readToolNames(frame);
      this.#start = { model: init.model, tools, servers: init.mcpServers };
      const given = tools.map((name) => this.#naming.givenName(name));
      return [{ type: "init", model: init.model, tools: given.filter((name) => name !== null) }];
    }
    this.#begun(frame);
    const result = readResult(frame);
    if (result !== null) this.#structuredOutput ??= readStructuredOutput(frame);
    return [];
  }

  /** A call's name comes with its first piece; the whole may be too large to be read. */
  #begun(frame: JsonObject): void {
    if (frame.type !== "stream_event") return;
    const block = objectMember(objectMember(frame, "event"), "content_block");
    const [id, name] = [stringMember(block, "id"), stringMember(block, "name")];
    if (id === null || name === null) return;
    if (name === STRUCTURED_OUTPUT) this.#hidden.add(id);
    else this.#calls.set(id, this.#naming.givenName(name) ?? name);
  }

  #update(update: Update): readonly TurnEvent[] {
    switch (update.kind) {
      case "text":
        return [this.#append(update.messageId, update.delta)];
      case "message":
        return this.#replace(update.messageId, update.text);
      case "text_abandoned":
        return this.#replace(update.messageId, update.kept);
      case "thinking": {
        const { messageId, delta } = update;
        return [{ type: "thought_delta", messageId, text: delta }];
      }
      case "tool_call":
        return this.#toolCall(update);
      case "tool_result": {
        const { id, isError, content } = update;
        if (this.#hidden.delete(id)) return [];
        const name = this.#calls.get(id) ?? "unknown";
        this.#calls.delete(id);
        return [{ type: "tool_result", id, name, isError, content: resultParts(content) }];
      }
      case "retry": {
        const { attempt, maxRetries, delayMs, status, error } = update;
        return [{ type: "retry", attempt, maxRetries, delayMs, status, reason: error }];
      }
      case "notice": {
        const level = WARNINGS.has(update.topic) ? "warn" : "info";
        return [{ type: "log", level, message: this.#message(update) }];
      }
      case "result":
        if (!update.followUp) return [];
        return [{ type: "followup", text: update.text, isError: update.isError }];
      case "session":
        return [];
    }
  }

  #toolCall(update: Update & { kind: "tool_call" }): readonly TurnEvent[] {
    const { id, input } = update;
    if (update.name === STRUCTURED_OUTPUT) {
      this.#hidden.add(id);
      return [];
    }
    const given = this.#naming.givenName(update.name);
    const name = given ?? update.name;
    this.#calls.set(id, name);
    return [{ type: "tool_call", id, name, input, lent: given !== null }];
  }

  #append(messageId: string, text: string): TurnEvent {
    this.#show(messageId, (this.#shown.get(messageId) ?? "") + text);
    return { type: "message_delta", messageId, text, replace: false };
  }

  /** Told only when it is something else than what was said piece by piece. */
  #replace(messageId: string, text: string): readonly TurnEvent[] {
    if (this.#shown.get(messageId) === text) return [];
    this.#show(messageId, text);
    return [{ type: "message_delta", messageId, text, replace: true }];
  }

  #show(messageId: string, text: string): void {
    this.#shown.delete(messageId);
    this.#shown.set(messageId, text);
    if (this.#shown.size <= MAX_SHOWN) return;
    this.#shown.delete(this.#shown.keys().next().value!);
  }

  /** The CLI's own messages name tools as the model sees them, and what is left out is told by its native name. */
  #message({ topic, message, details }: Update & { kind: "notice" }): string {
    if (topic === "omitted") {
      return `A part of the turn with ${
        numberMember(details, "bytes") ?? "too many"
      } bytes is too large to be told`;
    }
    return message.replace(
      /\bmcp__[A-Za-z0-9_-]+/g,
      (name) => this.#naming.givenName(name) ?? name,
    );
  }
}

/** Calls and their results, pictures for example, are told and forgotten: a turn may be long. */
function isAnswer(update: Update): boolean {
  if (update.kind === "notice") return update.topic === "continued";
  return update.kind !== "tool_call" && update.kind !== "tool_result";
}

/** Tokens as they are counted here; `null` when there is nothing to read. */
export function readUsage(usage: JsonObject | null): TurnUsage | null {
  if (usage === null) return null;
  const count = (name: string) => numberMember(usage, name) ?? 0;
  return {
    inputTokens: count("input_tokens"),
    outputTokens: count("output_tokens"),
    cacheReadTokens: count("cache_read_input_tokens"),
    cacheWriteTokens: count("cache_creation_input_tokens"),
  };
}

function resultParts(content: JsonValue): readonly ResultPart[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  if (!Array.isArray(content)) return [];
  return content.map((block): ResultPart => {
    const text = stringMember(block, "text");
    if (isObject(block) && block.type === "text" && text !== null) return { type: "text", text };
    const source = objectMember(block, "source");
    const [mediaType, data] = [stringMember(source, "media_type"), stringMember(source, "data")];
    return mediaType === null || data === null
      ? { type: "other" }
      : { type: "image", mediaType, data };
  });
}
