/**
 * Events for a reader who may come at once, late or never, and may pause as long as it likes.
 *
 * @module
 */
import { MAX_EARLY_EVENT_BYTES, MAX_HELD_EVENT_BYTES } from "../base/limits.ts";

/** What an event takes besides its own bytes. */
const EVENT_BYTES = 128;

/** How much is kept. */
export interface ChannelBounds {
  /** Bytes kept for a reader who has come. */
  readonly heldBytes: number;
  /** Bytes kept while nobody has come. */
  readonly earlyBytes: number;
}

const BOUNDS: ChannelBounds = {
  heldBytes: MAX_HELD_EVENT_BYTES,
  earlyBytes: MAX_EARLY_EVENT_BYTES,
};

interface Held<T> {
  readonly event: T;
  readonly bytes: number;
}

/**
 * One writer, one reader. The writer never waits: a reader who stands still must hold up neither the process, which
 * gives up on an output that nobody reads (measured), nor the result. Past the bound the oldest events go, and the
 * reader is told how many.
 */
export class EventChannel<T> implements AsyncIterable<T> {
  #queue: Held<T>[] = [];
  #first = 0;
  #bytes = 0;
  #reader: "none" | "here" | "gone" = "none";
  #dropped = 0;
  #isEnded = false;
  #news: (() => void) | null = null;
  readonly #missing: (count: number) => T;
  readonly #bounds: ChannelBounds;

  /** `missing` makes the event that tells a reader how many it missed. */
  constructor(missing: (count: number) => T, bounds: ChannelBounds = BOUNDS) {
    this.#missing = missing;
    this.#bounds = bounds;
  }

  /** Adds an event of about so many bytes. */
  push(event: T, bytes = 0): void {
    if (this.#reader === "gone" || this.#isEnded) return;
    const held = { event, bytes: bytes + EVENT_BYTES };
    this.#queue.push(held);
    this.#bytes += held.bytes;
    const { heldBytes, earlyBytes } = this.#bounds;
    const bound = this.#reader === "here" ? heldBytes : earlyBytes;
    while (this.#bytes > bound && this.#queue.length - this.#first > 1) {
      this.#take();
      this.#dropped += 1;
    }
    this.#news?.();
  }

  /** No event follows. */
  end(): void {
    this.#isEnded = true;
    this.#news?.();
  }

  /** Reads; for one reader. A reader that breaks off misses the rest. */
  async *[Symbol.asyncIterator](): AsyncGenerator<T, void> {
    if (this.#reader !== "none") return;
    this.#reader = "here";
    try {
      for (;;) {
        while (this.#first < this.#queue.length) {
          if (this.#dropped > 0) {
            const missing = this.#missing(this.#dropped);
            this.#dropped = 0;
            yield missing;
          }
          yield this.#take();
        }
        if (this.#isEnded) return;
        await new Promise<void>((resolve) => this.#news = resolve);
      }
    } finally {
      this.#reader = "gone";
      this.#queue = [];
      this.#first = 0;
    }
  }

  /** The oldest event. Those that were taken are cut off when they are half of the list, so that each is moved once. */
  #take(): T {
    const { event, bytes } = this.#queue[this.#first++]!;
    this.#bytes -= bytes;
    if (this.#first * 2 >= this.#queue.length) {
      this.#queue.splice(0, this.#first);
      this.#first = 0;
    }
    return event;
  }
}
