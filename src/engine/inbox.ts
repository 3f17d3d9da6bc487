/**
 * A queue between a writer and a reader: the writer waits while more is held than may be.
 *
 * @module
 */

/** After {@linkcode Inbox.release} so many values are kept for a reader that may still come; the rest is dropped. */
const MAX_KEPT = 64;

/** A queue that holds its writer back. For one writer and one reader. */
export class Inbox<T> {
  readonly #values: { readonly value: T; readonly weight: number }[] = [];
  readonly #maxHeld: number;
  #held = 0;
  #room: (() => void) | null = null;
  #news: (() => void) | null = null;
  #isReleased = false;
  #isClosed = false;
  #dropped = 0;

  /** Holds values of so much weight before the writer has to wait. Default: 0, every value is waited for. */
  constructor(maxHeld = 0) {
    this.#maxHeld = maxHeld;
  }

  /** Values that came after {@linkcode release} and found no place. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Adds a value; resolves when there is room for more, or when the writer is not held back any more. */
  put(value: T, weight = 1): Promise<void> {
    if (this.#isReleased && this.#values.length >= MAX_KEPT) {
      this.#dropped += 1;
      return Promise.resolve();
    }
    this.#values.push({ value, weight });
    this.#held += weight;
    this.#news?.();
    if (this.#isReleased || this.#held <= this.#maxHeld) return Promise.resolve();
    return new Promise((resolve) => this.#room = resolve);
  }

  /** The next value, or `null` at the end. */
  async take(): Promise<T | null> {
    while (this.#values.length === 0) {
      if (this.#isClosed) return null;
      await new Promise<void>((resolve) => this.#news = resolve);
    }
    const { value, weight } = this.#values.shift()!;
    this.#held -= weight;
    if (this.#held <= this.#maxHeld) this.#room?.();
    return value;
  }

  /** Holds the writer back no more: the reader may never come again. */
  release(): void {
    this.#isReleased = true;
    this.#room?.();
  }

  /** No value follows. */
  close(): void {
    this.#isClosed = true;
    this.#news?.();
  }
}
