/**
 * Messages while they are streamed: only what never became an `assistant` event of its own is of interest.
 *
 * Measured: the CLI prints each finished block as an `assistant` event before the block's `content_block_stop`, and
 * names the block from which on a message was given up. A run that is ended in the middle prints neither.
 *
 * @module
 */
import { type JsonObject, numberMember, objectMember, stringMember } from "../base/json.ts";
import { MAX_REPORT_TEXT_CHARS } from "../base/limits.ts";
import { readStreamStep } from "../frames/native.ts";

/** A block that was never finished. */
export interface OpenBlock {
  readonly kind: "text" | "thinking" | "tool_use";
  /** The text so far, or the tool's name. */
  text: string;
}

interface OpenMessage {
  readonly blocks: Map<number, OpenBlock>;
}

const NONE: readonly OpenBlock[] = [];

/** Follows the messages of one speaker after the other, by the tool call that the speaker belongs to. */
export class StreamBook {
  readonly #messages = new Map<string | null, OpenMessage>();

  /** Takes a `stream_event`; returns blocks that turn out to be given up. */
  take(parent: string | null, frame: JsonObject): readonly OpenBlock[] {
    const step = readStreamStep(frame);
    if (step === null) return NONE;
    switch (step.event) {
      case "message_start": {
        const lost = this.#end(parent);
        this.#messages.set(parent, { blocks: new Map() });
        return lost;
      }
      case "content_block_start":
        this.#begin(parent, step.index, objectMember(frame.event, "content_block"));
        return NONE;
      case "content_block_delta":
        this.#grow(parent, step.index, objectMember(frame.event, "delta"));
        return NONE;
      case "message_stop": {
        const left = this.#end(parent);
        return step.abandoned ? left : NONE;
      }
    }
    return NONE;
  }

  /** An `assistant` event came: the speaker's newest block is finished. */
  finished(parent: string | null): void {
    const blocks = this.#messages.get(parent)?.blocks;
    const last = blocks === undefined ? undefined : [...blocks.keys()].at(-1);
    if (last !== undefined) blocks?.delete(last);
  }

  /** Everything that is still open, by speaker. */
  *rest(): Iterable<readonly [string | null, readonly OpenBlock[]]> {
    for (const parent of [...this.#messages.keys()]) yield [parent, this.#end(parent)];
  }

  #begin(parent: string | null, index: number | null, block: JsonObject | null): void {
    const message = this.#messages.get(parent);
    const kind = stringMember(block, "type");
    if (message === undefined || index === null || message.blocks.size >= MAX_OPEN_BLOCKS) return;
    if (kind === "text" || kind === "thinking") {
      message.blocks.set(index, { kind, text: stringMember(block, kind) ?? "" });
    } else if (kind === "tool_use") {
      message.blocks.set(index, { kind, text: stringMember(block, "name") ?? "a tool" });
    }
  }

  #grow(parent: string | null, index: number | null, delta: JsonObject | null): void {
    const block = index === null ? undefined : this.#messages.get(parent)?.blocks.get(index);
    if (block === undefined || block.kind === "tool_use") return;
    const more = stringMember(delta, block.kind) ?? "";
    if (block.text.length < 2 * MAX_REPORT_TEXT_CHARS) block.text += more;
  }

  #end(parent: string | null): readonly OpenBlock[] {
    const message = this.#messages.get(parent);
    this.#messages.delete(parent);
    return message === undefined ? NONE : [...message.blocks.values()];
  }
}

/** Blocks of one message that are open at once; the CLI finishes one before the next begins. */
const MAX_OPEN_BLOCKS = 64;

/** The tokens that a message says it used; what was cached counts as input. Zero where nothing is said. */
export function readUsage(usage: JsonObject | null): { input: number; output: number } {
  const count = (key: string) => Math.max(0, numberMember(usage, key) ?? 0);
  return {
    input: count("input_tokens") + count("cache_read_input_tokens") +
      count("cache_creation_input_tokens"),
    output: count("output_tokens"),
  };
}
