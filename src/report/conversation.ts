/**
 * What is said and done in a run: `assistant`, `user` and `stream_event`.
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
import type { Agent, AgentBook } from "./agent_book.ts";
import type { EntryBook } from "./entry_book.ts";
import { readId, shortName } from "./names.ts";
import type { Denial, KeptText, NoticeEntry, SpeechEntry } from "./report.ts";
import type { RunClock } from "./run_clock.ts";
import { aboutOf, contentText, describeBlock, inputText } from "./tool_text.ts";
import { type OpenBlock, readUsage, StreamBook } from "./stream_book.ts";

/** Turns the frames of a conversation into entries. */
export class Conversation {
  readonly #book: EntryBook;
  readonly #agents: AgentBook;
  readonly #clock: RunClock;
  readonly #streams = new StreamBook();
  /** Tool calls seen, and those that failed. */
  toolCalls = 0;
  failedTools = 0;

  /** All three are shared with whoever reads the other events. */
  constructor(book: EntryBook, agents: AgentBook, clock: RunClock) {
    this.#book = book;
    this.#agents = agents;
    this.#clock = clock;
  }

  /** Takes the prompt, which no event has. */
  asked(prompt: string): void {
    this.#speech(this.#agents.main, "user", prompt);
  }

  /** Takes an `assistant` event. */
  assistant(frame: JsonObject): void {
    const parent = readId(frame, "parent_tool_use_id");
    const agent = this.#agents.speaker(parent);
    const message = objectMember(frame, "message");
    const error = readAssistantError(frame);
    if (error !== null) {
      this.#notice(agent, "bad", `Claude Code reports ${shortName(error.error ?? "an error")}`, {
        text: error.text,
      });
      return;
    }
    const messageId = stringMember(message, "id") ?? "";
    const model = shortName(stringMember(message, "model") ?? "model");
    if (model !== "<synthetic>") {
      this.#agents.heard(agent, messageId, model);
      const usage = readUsage(objectMember(message, "usage"));
      // Measured: without a reason for its end, the usage is that of the beginning, also when nothing is streamed.
      this.#agents.used(agent, messageId, { ...usage, isFinal: hasEnded(message) });
    }
    for (const block of blocksOf(message)) {
      this.#streams.finished(parent);
      this.#block(agent, block);
    }
  }

  /** Takes a `user` event: results of tools, the prompt of a sub-agent, what a person added. */
  user(frame: JsonObject): void {
    const agent = this.#agents.speaker(readId(frame, "parent_tool_use_id"));
    for (const block of blocksOf(objectMember(frame, "message"))) {
      if (isToolResult(block)) this.#result(agent, block);
      else if (block.type === "text") {
        this.#speech(agent, "user", stringMember(block, "text") ?? "");
      } else this.#speech(agent, "user", describeBlock(block));
    }
    agent.since = this.#clock.now;
  }

  /** Takes a `stream_event`. */
  streamed(frame: JsonObject): void {
    const parent = readId(frame, "parent_tool_use_id");
    const event = objectMember(frame, "event");
    const agent = this.#agents.speaker(parent);
    const message = objectMember(event, "message");
    const id = stringMember(frame, "api_message_id") ?? stringMember(message, "id");
    if (event?.type === "message_start" && id !== null) {
      // Nothing before it has a time: how long the first answer took to begin is all that tells when the run did.
      if (this.#clock.isUnset) this.#clock.wait(numberMember(frame, "ttft_ms"));
      this.#agents.heard(agent, id, shortName(stringMember(message, "model") ?? "model"));
    }
    const usage = objectMember(event, "usage") ?? objectMember(message, "usage");
    if (usage !== null && id !== null) {
      const isFinal = event?.type === "message_delta";
      this.#agents.used(agent, id, { ...readUsage(usage), isFinal });
    }
    this.#interrupted(agent, this.#streams.take(parent, frame));
  }

  /** The events are over: what was being streamed never ended. */
  finish(): void {
    for (const [parent, blocks] of this.#streams.rest()) {
      this.#interrupted(this.#agents.speaker(parent), blocks);
    }
  }

  /** Marks a tool call as refused; returns its entry's number when it is known. */
  denied(toolUseId: string | null): Denial["entry"] {
    const tool = toolUseId === null ? undefined : this.#agents.tool(toolUseId);
    if (tool === undefined) return null;
    if (tool.status === "error") this.failedTools -= 1;
    tool.status = "denied";
    return tool.id;
  }

  #block(agent: Agent, block: JsonObject): void {
    if (block.type === "text") {
      this.#speech(agent, "text", stringMember(block, "text") ?? "");
    } else if (block.type === "thinking" || block.type === "redacted_thinking") {
      this.#speech(agent, "thinking", stringMember(block, "thinking") ?? "(not shown by the API)");
    } else if (isToolResult(block)) {
      this.#result(agent, block);
    } else if (typeof block.type === "string" && /tool_use$/.test(block.type)) {
      this.#toolUse(agent, block);
    } else this.#speech(agent, "text", describeBlock(block));
  }

  #toolUse(agent: Agent, block: JsonObject): void {
    this.toolCalls += 1;
    if (!this.#book.hasRoom()) return;
    const input = block.input ?? null;
    const id = readId(block, "id") ?? `without an id ${this.toolCalls}`;
    this.#agents.openTool(agent, id, {
      name: shortName(stringMember(block, "name") ?? "unknown tool"),
      about: aboutOf(input),
      input: this.#book.budget.keep(inputText(input)),
    });
    const entry = this.#agents.tool(id)?.id;
    if (entry !== undefined) this.#agents.link(agent, entry);
  }

  #result(agent: Agent, block: JsonObject): void {
    const id = readId(block, "tool_use_id") ?? "";
    const isError = block.is_error === true;
    const entry = this.#agents.tool(id);
    if (isError && entry?.status !== "denied") this.failedTools += 1;
    if (entry === undefined) {
      const title = "The result of a tool call that is not in these events";
      this.#notice(agent, isError ? "warn" : "info", title, { text: contentText(block.content) });
      return;
    }
    entry.result = this.#book.budget.keep(contentText(block.content));
    if (entry.status !== "denied") entry.status = isError ? "error" : "ok";
    this.#agents.closeTool(id);
  }

  #speech(agent: Agent, kind: SpeechEntry["kind"], text: string, interrupted = false): void {
    if (text.trim() === "" || !this.#book.hasRoom()) return;
    const kept = this.#book.budget.keep(text);
    const entry = this.#book.add<SpeechEntry>(agent.list, { kind, text: kept, interrupted });
    if (kind !== "user") this.#agents.link(agent, entry.id);
  }

  #notice(
    agent: Agent,
    tone: NoticeEntry["tone"],
    title: string,
    { text }: { readonly text: string },
  ): void {
    if (!this.#book.hasRoom()) return;
    const kept: KeptText = this.#book.budget.keep(text);
    this.#book.add<NoticeEntry>(agent.list, { kind: "notice", tone, title, text: kept });
  }

  #interrupted(agent: Agent, blocks: readonly OpenBlock[]): void {
    for (const { kind, text } of blocks) {
      if (kind !== "tool_use") this.#speech(agent, kind, text, true);
      else {
        this.#notice(agent, "warn", `A call of ${shortName(text)} was never finished`, {
          text: "Its message was given up, or the events ended, while the call was being written.",
        });
      }
    }
  }
}

function hasEnded(message: JsonObject | null): boolean {
  return stringMember(message, "stop_reason") !== null;
}

/** The blocks of a message; text alone is one block. */
function blocksOf(message: JsonObject | null): readonly JsonObject[] {
  const text = stringMember(message, "content");
  if (text !== null) return [{ type: "text", text }];
  return arrayMember(message, "content").filter(isObject);
}

function isToolResult({ type }: JsonObject): boolean {
  return typeof type === "string" && /tool_result$/.test(type);
}
