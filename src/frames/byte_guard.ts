/**
 * The byte bound of a frame, enforced before anything is decoded.
 *
 * @module
 */
import { MAX_FRAME_BYTES } from "../base/limits.ts";
import { TypeSniffer } from "./type_sniffer.ts";

const LF = 0x0a;
/** Room for the usual frame; a larger one grows it, and gives it back afterwards. */
const SMALL_BUFFER_BYTES = 16 * 1024;

/** What is known of a frame that passed the bound and was discarded. */
export interface OversizedFrame {
  /** The 0-based number of its line in the stream; a blank line stands there instead. */
  readonly line: number;
  /** The frame's top-level `type`, or `null` when it has none. */
  readonly type: string | null;
  /** All its bytes, newline not counted. */
  readonly bytes: number;
  /** Whether its newline came; `false` when the stream ended inside it. */
  readonly complete: boolean;
}

/** Options of {@linkcode ByteGuard}. */
export interface ByteGuardOptions {
  /** A frame of exactly so many bytes before its newline still passes. Default: 1 MiB. */
  readonly maxFrameBytes?: number;
  /**
   * Called once a line, in order, when its end is known: its bytes, and whether a newline ended it. The
   * last line is reported without one if the stream ends in it.
   */
  readonly onLine?: (bytes: number, terminated: boolean) => void;
}

/**
 * Passes complete frames on, with their newlines, and discards any frame that is too large.
 *
 * A discarded frame is never buffered past the bound. Its newline stays in the stream, so a blank line
 * takes its place, and what is known of it is filed under that line's number: nothing that the stream
 * itself contains can be mistaken for such a notice. Each byte is looked at once, however the chunks
 * fall.
 *
 * @example
 * ```ts
 * import { ByteGuard } from "./byte_guard.ts";
 *
 * const guard = new ByteGuard({ maxFrameBytes: 3 });
 * const passed = guard.push(new TextEncoder().encode("abc\nabcd\n"));
 * console.assert(new TextDecoder().decode(passed[0]) === "abc\n\n");
 * console.assert(guard.takeOversized(1)?.bytes === 4);
 * ```
 */
export class ByteGuard {
  readonly #max: number;
  readonly #onLine: ((bytes: number, terminated: boolean) => void) | undefined;
  readonly #oversized = new Map<number, OversizedFrame>();
  #held = new Uint8Array(SMALL_BUFFER_BYTES);
  #heldBytes = 0;
  #line = 0;
  #sniffer: TypeSniffer | null = null;
  #discardedBytes = 0;

  /** Makes a guard; see {@linkcode ByteGuardOptions}. */
  constructor(options: ByteGuardOptions = {}) {
    this.#max = options.maxFrameBytes ?? MAX_FRAME_BYTES;
    this.#onLine = options.onLine;
  }

  /** Whether the frame that is coming in has passed the bound. */
  get discarding(): boolean {
    return this.#sniffer !== null;
  }

  /** Bytes of the frame that is being discarded, from its first one on; 0 when none is. */
  get discardedBytes(): number {
    return this.#discardedBytes;
  }

  /** Bytes of an incomplete frame that are kept; never more than the bound. */
  get heldBytes(): number {
    return this.#heldBytes;
  }

  /** Lines completed so far, which is also the number of the line that is coming in. */
  get lines(): number {
    return this.#line;
  }

  /** Takes the notice filed under a line, or `null` when that line is what the stream said. */
  takeOversized(line: number): OversizedFrame | null {
    const notice = this.#oversized.get(line);
    if (notice === undefined) return null;
    this.#oversized.delete(line);
    return notice;
  }

  /**
   * Takes the next bytes and returns those to pass on, which together end in a newline.
   *
   * What is returned may share memory with `chunk`, so the caller must not write to it again.
   */
  push(chunk: Uint8Array): Uint8Array[] {
    const passed: Uint8Array[] = [];
    let from = 0; // the first byte that is neither passed on nor discarded
    let lineStart = 0;
    for (let lf = chunk.indexOf(LF); lf !== -1; lf = chunk.indexOf(LF, lineStart)) {
      const bytes = this.#discardedBytes + this.#heldBytes + lf - lineStart;
      if (bytes > this.#max) {
        if (from < lineStart) passed.push(chunk.subarray(from, lineStart));
        this.#discard(chunk.subarray(lineStart, lf));
        this.#fileOversized(true);
        from = lf; // its newline is the blank line
      } else if (this.#heldBytes > 0) passed.push(this.#takeHeld());
      this.#onLine?.(bytes, true);
      this.#line += 1;
      lineStart = lf + 1;
    }
    if (from < lineStart) passed.push(chunk.subarray(from, lineStart));
    if (lineStart < chunk.length) this.#keep(chunk.subarray(lineStart));
    return passed;
  }

  /** Ends the stream: returns the unterminated last frame, or the blank line of one discarded. */
  flush(): Uint8Array[] {
    const bytes = this.#discardedBytes + this.#heldBytes;
    if (bytes === 0) return [];
    let last: Uint8Array;
    if (this.#sniffer === null) last = this.#takeHeld();
    else {
      this.#fileOversized(false);
      last = Uint8Array.of(LF);
    }
    this.#onLine?.(bytes, false);
    this.#line += 1;
    return [last];
  }

  /** Keeps the beginning of a frame, or discards it once it is past the bound. */
  #keep(part: Uint8Array): void {
    const bytes = this.#heldBytes + part.length;
    if (this.#sniffer !== null || bytes > this.#max) return this.#discard(part);
    if (bytes > this.#held.length) {
      // Doubling keeps the copies linear; one buffer, because a list of one-byte chunks costs 100 times more.
      const grown = new Uint8Array(Math.min(this.#max, Math.max(bytes, 2 * this.#held.length)));
      grown.set(this.#held.subarray(0, this.#heldBytes));
      this.#held = grown;
    }
    this.#held.set(part, this.#heldBytes);
    this.#heldBytes = bytes;
  }

  #takeHeld(): Uint8Array {
    const frame = this.#held.slice(0, this.#heldBytes);
    this.#dropHeld();
    return frame;
  }

  #dropHeld(): void {
    this.#heldBytes = 0;
    if (this.#held.length > SMALL_BUFFER_BYTES) this.#held = new Uint8Array(SMALL_BUFFER_BYTES);
  }

  #discard(part: Uint8Array): void {
    if (this.#sniffer === null) {
      this.#sniffer = new TypeSniffer();
      this.#sniffer.push(this.#held.subarray(0, this.#heldBytes));
      this.#discardedBytes = this.#heldBytes;
      this.#dropHeld();
    }
    this.#sniffer.push(part);
    this.#discardedBytes += part.length;
  }

  #fileOversized(complete: boolean): void {
    const type = this.#sniffer?.type ?? null;
    const notice = { line: this.#line, type, bytes: this.#discardedBytes, complete };
    this.#oversized.set(this.#line, notice);
    this.#sniffer = null;
    this.#discardedBytes = 0;
  }
}
