/**
 * Bytes to lines, with the bound counted before the newline arrives.
 *
 * @module
 */

const NEWLINE = 0x0a;
const FIRST_CAPACITY = 4_096;

/** What a chunk completed. */
export interface SplitChunk {
  /** Complete lines without their newline, in order. Each is a copy and may be kept. */
  readonly lines: readonly Uint8Array[];
  /** The line after those passed the bound; nothing after it is read any more. */
  readonly oversized: boolean;
}

/**
 * Collects the bytes of one line at a time and cuts on 0x0A only: U+2028, U+0085 and a lone carriage
 * return are ordinary text inside a line.
 *
 * The pending line lives in one buffer that doubles, so the work is linear for any chunking (a list
 * of one-byte chunks would cost a hundred times its bytes).
 */
export class LineBuffer {
  readonly #maxBytes: number;
  #pending: Uint8Array<ArrayBuffer> = new Uint8Array(0);
  #length = 0;
  #oversized = false;

  /** Makes a buffer for lines of at most `maxBytes`, newline not counted. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Bytes of the line that has not ended yet. */
  get pendingBytes(): number {
    return this.#length;
  }

  /** Takes a chunk. After an oversized line every further chunk is ignored. */
  push(chunk: Uint8Array): SplitChunk {
    const lines: Uint8Array[] = [];
    let start = 0;
    while (!this.#oversized && start < chunk.length) {
      const newline = chunk.indexOf(NEWLINE, start);
      const end = newline === -1 ? chunk.length : newline;
      if (this.#length + (end - start) > this.#maxBytes) {
        this.#oversized = true;
        this.#pending = new Uint8Array(0);
        this.#length = 0;
        break;
      }
      if (newline !== -1 && this.#length === 0) {
        lines.push(chunk.slice(start, end)); // whole line in one chunk: no need to collect
      } else {
        this.#collect(chunk.subarray(start, end));
        if (newline !== -1) {
          lines.push(this.#pending.slice(0, this.#length));
          this.#length = 0;
        }
      }
      start = end + 1;
    }
    return { lines, oversized: this.#oversized };
  }

  #collect(bytes: Uint8Array): void {
    const needed = this.#length + bytes.length;
    if (needed > this.#pending.length) {
      const grown = new Uint8Array(Math.max(needed, FIRST_CAPACITY, this.#pending.length * 2));
      grown.set(this.#pending.subarray(0, this.#length));
      this.#pending = grown;
    }
    this.#pending.set(bytes, this.#length);
    this.#length = needed;
  }
}
