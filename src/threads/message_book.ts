/**
 * The messages of one round: what was streamed of each, what of it is certain, and what no longer counts.
 *
 * Measured: a message comes as deltas first, then as one `assistant` frame for each of its blocks, all under one id. When
 * the connection breaks in between, the CLI starts again under another id. Since 2.1.300 it says so with
 * `abandoned_blocks`; before, the deltas only stop.
 *
 * @module
 */
import { RecentSet } from "./recent_set.ts";

/** Messages whose text is remembered. */
const MAX_MESSAGES = 256;
/** Messages of which only the id is remembered: what comes of them late is given up, so that it is not said twice. */
const MAX_FORGOTTEN = 4_096;
/** UTF-16 units of text held, all messages together. A model's longest answer is a tenth of it. */
const MAX_TEXT_CHARS = 8 * 1024 * 1024;
/** Blocks of one message; real ones have a handful. */
const MAX_BLOCKS = 1_024;

/** What of a message is withdrawn. */
export interface Withdrawal {
  readonly messageId: string;
  /** What still counts. */
  readonly kept: string;
}

/** What a block of text means for its message. */
export interface BlockReading {
  /** The whole text of the message so far; `null` when it is too long to be held. */
  readonly text: string | null;
  /** Whether nothing of this message was streamed, so that nobody has seen the block yet. */
  readonly unseen: boolean;
}

interface Message {
  /** Text of the blocks that came whole, by their place; a block without text is the empty text. */
  readonly blocks: string[];
  /** All of them together. */
  whole: string;
  /** Streamed since the last whole block of text. */
  pending: string;
  /** The text is too long, and nothing of it is held. */
  overflow: boolean;
  streamed: boolean;
  thought: boolean;
}

/** Follows the messages of one conversation. */
export class MessageBook {
  /** Oldest first. */
  readonly #messages = new Map<string, Message>();
  readonly #forgotten = new RecentSet(MAX_FORGOTTEN);
  #held = 0;
  #current: string | null = null;

  /** The message that is being streamed or said, or `null`. */
  get current(): string | null {
    return this.#current;
  }

  /** Whether it was there, but so long ago that its text is not known any more. */
  isForgotten(id: string): boolean {
    return this.#forgotten.has(id);
  }

  /**
   * Goes over to a message; returns what is withdrawn of the one before it: text that was streamed and never became a
   * block. A message that is known already does not begin again.
   */
  open(id: string): Withdrawal | null {
    if (this.#messages.has(id) || this.isForgotten(id)) return null;
    const withdrawn = this.abandonStreamed();
    this.#current = id;
    this.#message(id);
    return withdrawn;
  }

  /** The message's stream is over. Deltas without a name then belong to nobody, until the next one starts. */
  close(id: string | null): void {
    if (id === null || id === this.#current) this.#current = null;
  }

  /** A piece of the message's text was streamed. */
  stream(id: string, delta: string): void {
    const message = this.#message(id);
    message.streamed = true;
    if (message.overflow) return;
    message.pending += delta;
    this.#hold(id, delta.length);
  }

  /** A piece of the message's thinking was streamed. */
  think(id: string): void {
    this.#message(id).thought = true;
  }

  /** A whole block of text came. */
  block(id: string, text: string): BlockReading {
    const message = this.#message(id);
    const unseen = !message.streamed;
    if (message.overflow) return { text: null, unseen };
    const added = text.length - message.pending.length;
    message.pending = "";
    push(message.blocks, text);
    message.whole += text;
    this.#hold(id, added);
    return { text: message.overflow ? null : message.whole, unseen };
  }

  /** A whole block without text came: a tool call, a thought. Returns whether nothing of its kind was streamed. */
  otherBlock(id: string): { readonly newThought: boolean } {
    const message = this.#message(id);
    push(message.blocks, "");
    return { newThought: !message.thought };
  }

  /**
   * The whole block of the current message was lost, so what was streamed of it has to do. Returns the message's text
   * then, or `null` when nothing was missing.
   */
  settle(): { readonly messageId: string; readonly text: string } | null {
    const id = this.#current;
    const pending = id === null ? "" : this.#messages.get(id)?.pending ?? "";
    if (id === null || pending === "") return null;
    const { text } = this.block(id, pending);
    return text === null ? null : { messageId: id, text };
  }

  /** Gives up what of the current message was streamed and never became a block. */
  abandonStreamed(): Withdrawal | null {
    return this.#current === null ? null : this.abandon(this.#current, Infinity);
  }

  /** Gives up what a message said from a block on; returns what changed, or `null`. */
  abandon(id: string, fromBlock: number): Withdrawal | null {
    const message = this.#messages.get(id);
    if (message === undefined || message.overflow) return null;
    const dropped = message.blocks.splice(Math.max(0, fromBlock)).join("");
    const lost = dropped.length + message.pending.length;
    message.pending = "";
    this.#held -= lost;
    message.whole = message.blocks.join("");
    return lost === 0 ? null : { messageId: id, kept: message.whole };
  }

  #message(id: string): Message {
    let message = this.#messages.get(id);
    if (message === undefined) {
      message = {
        blocks: [],
        whole: "",
        pending: "",
        overflow: false,
        streamed: false,
        thought: false,
      };
      this.#messages.set(id, message);
      this.#hold(id, 0);
    }
    return message;
  }

  /** Counts text that is held now, and forgets the oldest messages when it is too much. */
  #hold(id: string, chars: number): void {
    this.#held += chars;
    for (const oldest of this.#messages.keys()) {
      if (this.#messages.size <= MAX_MESSAGES && this.#held <= MAX_TEXT_CHARS) return;
      if (oldest === id || oldest === this.#current) continue;
      this.#release(oldest);
      this.#messages.delete(oldest);
      this.#forgotten.add(oldest);
    }
    if (this.#held > MAX_TEXT_CHARS) this.#release(id);
  }

  /** Lets go of a message's text. */
  #release(id: string): void {
    const message = this.#messages.get(id);
    if (message === undefined) return;
    for (const block of message.blocks.splice(0)) this.#held -= block.length;
    this.#held -= message.pending.length;
    message.pending = message.whole = "";
    message.overflow = true;
  }
}

function push(blocks: string[], text: string): void {
  if (blocks.length < MAX_BLOCKS) blocks.push(text);
  else blocks[MAX_BLOCKS - 1] += text;
}
