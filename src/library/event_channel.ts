/**
 * Events for a reader who may come at once, late or never.
 *
 * @module
 */

/** Events kept for a reader who has not come yet; the oldest go first. */
const MAX_EARLY = 1_024;
/** Events that a reader may lag behind before the writer waits. */
const MAX_AHEAD = 64;

/** One writer, one reader. */
export class EventChannel<T> implements AsyncIterable<T> {
  #queue: T[] = [];
  #reader: "none" | "here" | "gone" = "none";
  #dropped = 0;
  #isEnded = false;
  #isReleased = false;
  #news: (() => void) | null = null;
  #room: (() => void) | null = null;
  readonly #missing: (count: number) => T;

  /** `missing` makes the event that tells a late reader how many it missed. */
  constructor(missing: (count: number) => T) {
    this.#missing = missing;
  }

  /** Adds an event; resolves when the next may come. Only a reader who is there and slow makes it wait. */
  push(event: T): Promise<void> {
    if (this.#reader === "gone" || this.#isEnded) return Promise.resolve();
    this.#queue.push(event);
    if (this.#reader === "none" && this.#queue.length > MAX_EARLY) {
      this.#queue.shift();
      this.#dropped += 1;
    }
    this.#news?.();
    if (this.#reader === "none" || this.#isReleased || this.#queue.length < MAX_AHEAD) {
      return Promise.resolve();
    }
    return new Promise((resolve) => this.#room = resolve);
  }

  /** The writer does not wait any more. */
  release(): void {
    this.#isReleased = true;
    this.#room?.();
  }

  /** No event follows. */
  end(): void {
    this.#isEnded = true;
    this.#news?.();
  }

  /** Reads; for one reader. A reader that breaks off misses the rest, and nothing waits for it. */
  async *[Symbol.asyncIterator](): AsyncGenerator<T, void> {
    if (this.#reader !== "none") return;
    this.#reader = "here";
    try {
      if (this.#dropped > 0) yield this.#missing(this.#dropped);
      for (;;) {
        while (this.#queue.length > 0) {
          const event = this.#queue.shift()!;
          if (this.#queue.length < MAX_AHEAD) this.#room?.();
          yield event;
        }
        if (this.#isEnded) return;
        await new Promise<void>((resolve) => this.#news = resolve);
      }
    } finally {
      this.#reader = "gone";
      this.#queue = [];
      this.#room?.();
    }
  }
}
