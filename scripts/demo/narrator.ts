/** Turns a run's events into short lines for a person, while they come. */

import type { Answer, McpClient } from "../support/mcp_client.ts";
import { type Screen, shortened } from "./screen.ts";

/** A run to follow. */
export interface Followed {
  readonly client: McpClient;
  readonly screen: Screen;
  readonly runId: string;
}

/**
 * Follows a run through `claude.run.events` until it has settled, or until an event is `enough`.
 *
 * @throws {Error} When the events cannot be read.
 */
export async function narrate(
  { client, screen, runId }: Followed,
  enough: (event: Answer) => boolean = () => false,
): Promise<void> {
  const narrator = new Narrator(screen);
  let cursor = 0;
  for (;;) {
    const args = { run_id: runId, after_cursor: cursor, wait_seconds: 50 };
    const { isError, value, text } = await client.callTool("claude.run.events", args);
    if (isError) throw new Error(text);
    for (const { event } of value.events) {
      narrator.tell(event);
      if (enough(event)) return;
    }
    cursor = value.next_cursor;
    if (value.completed && !value.has_more) return;
  }
}

/** Whether an event asks for a tool. */
export function usesTool(event: Answer): boolean {
  return event.type === "assistant" &&
    event.message.content.some((block: Answer) => block.type === "tool_use");
}

/** Text is printed piece by piece as it streams, everything else as one line when it is whole. */
class Narrator {
  readonly #screen: Screen;
  #isTextOpen = false;

  constructor(screen: Screen) {
    this.#screen = screen;
  }

  tell(event: Answer): void {
    if (event.type === "stream_event") {
      this.#streamed(event.event);
    } else if (event.type === "system" && event.subtype === "init") {
      this.#line("started", `${event.model}, permission mode ${event.permissionMode}`);
    } else if (event.type === "assistant") {
      for (const block of event.message.content) {
        if (block.type === "tool_use") this.#line("tool", describeTool(block));
      }
    } else if (event.type === "user") {
      for (const block of event.message.content) {
        if (block.type === "tool_result") this.#line("result", describeResult(block));
      }
    }
  }

  #streamed(event: Answer): void {
    if (event.type === "content_block_start" && event.content_block.type === "text") {
      this.#screen.begin("claude", "cyan");
      this.#isTextOpen = true;
    } else if (event.type === "content_block_delta" && event.delta.type === "text_delta") {
      this.#screen.write(event.delta.text);
    } else if (event.type === "content_block_stop") {
      this.#endText();
    }
  }

  #line(label: string, text: string): void {
    this.#endText();
    this.#screen.line(label, text, label === "tool" ? "yellow" : "dim");
  }

  #endText(): void {
    if (this.#isTextOpen) this.#screen.write("\n");
    this.#isTextOpen = false;
  }
}

function describeTool(block: Answer): string {
  const what = block.input.description ?? block.input.file_path?.split("/").at(-1) ?? "";
  return `${block.name}: ${shortened(what, 70)}`;
}

function describeResult(block: Answer): string {
  const { content } = block;
  const text = typeof content === "string" ? content : JSON.stringify(content);
  return `${block.is_error === true ? "failed: " : ""}${shortened(text, 70)}`;
}
