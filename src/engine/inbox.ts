/**
 * One place between a writer and a reader: the writer waits until the reader has taken what is there.
 *
 * @module
 */

/** After {@linkcode Inbox.release} so many values are kept for a reader that may still come; the rest is dropped. */
const MAX_KEPT = 64;

/** A queue that holds its writer back. For one writer and one reader. */
export class Inbox<T> {
  readonly #values: T[] = [];
  #room: (() => void) | null = null;
  #news: (() => void) | null = null;
  #isReleased = false;
  #isClosed = false;
  #dropped = 0;

  /** Values that came after {@linkcode release} and found no place. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Adds a value; resolves when the reader has taken it, or when the writer is not held back any more. */
  put(value: T): Promise<void> {
    if (this.#isReleased && this.#values.length >= MAX_KEPT) {
      this.#dropped += 1;
      return Promise.resolve();
    }
    this.#values.push(value);
    this.#news?.();
    if (this.#isReleased) return Promise.resolve();
    return new Promise((resolve) => this.#room = resolve);
  }

  /** The next value, or `null` at the end. */
  async take(): Promise<T | null> {
    while (this.#values.length === 0) {
      if (this.#isClosed) return null;
      await new Promise<void>((resolve) => this.#news = resolve);
    }
    const value = this.#values.shift()!;
    if (this.#values.length === 0) this.#room?.();
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
