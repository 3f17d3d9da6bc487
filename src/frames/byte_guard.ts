/**
 * The byte bound of a frame, enforced before anything is decoded.
 *
 * @module
 */
import { MAX_FRAME_BYTES } from "../base/limits.ts";
import { TypeSniffer } from "./type_sniffer.ts";

/** The byte that ends a line. */
export const LF = 0x0a;
/** Room for the usual frame; a larger one grows it, and gives it back afterwards. */
const SMALL_BUFFER_BYTES = 16 * 1024;

/** Lines within the bound, whole and with their newlines; or the last line of a stream that ended in it. */
export interface GuardedLines {
  readonly kind: "lines";
  readonly bytes: Uint8Array;
}

/** What is known of a frame that passed the bound and was discarded; it stands in its place. */
export interface OversizedFrame {
  readonly kind: "oversized";
  /** The frame's top-level `type`, or `null` when it has none. */
  readonly type: string | null;
  /** All its bytes, newline not counted. */
  readonly bytes: number;
  /** Whether its newline came; `false` when the stream ended inside it. */
  readonly complete: boolean;
}

/** What the guard passes on. */
export type GuardedPart = GuardedLines | OversizedFrame;

/** Options of {@linkcode ByteGuard}. */
export interface ByteGuardOptions {
  /** A frame of exactly so many bytes before its newline still passes. Default: 1 MiB. */
  readonly maxFrameBytes?: number;
}

/**
 * Passes complete frames on, with their newlines, and discards any frame that is too large.
 *
 * A discarded frame is never buffered past the bound. What is known of it takes its place among the parts, so nothing
 * that the stream itself contains can be mistaken for such a notice. Lines that are together within the bound are not
 * told apart, since finding each newline in bytes costs more than anything else here (115 ns, and 15 in the text that
 * they become; measured).
 *
 * @example
 * ```ts
 * import { ByteGuard } from "./byte_guard.ts";
 *
 * const guard = new ByteGuard({ maxFrameBytes: 3 });
 * const parts = guard.push(new TextEncoder().encode("abc\nabcd\nab\na"));
 * console.assert(parts.map(({ kind }) => kind).join() === "lines,oversized,lines");
 * ```
 */
export class ByteGuard {
  readonly #max: number;
  #held = new Uint8Array(SMALL_BUFFER_BYTES);
  #heldBytes = 0;
  #sniffer: TypeSniffer | null = null;
  #discardedBytes = 0;

  /** Makes a guard; see {@linkcode ByteGuardOptions}. */
  constructor(options: ByteGuardOptions = {}) {
    this.#max = options.maxFrameBytes ?? MAX_FRAME_BYTES;
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

  /**
   * Takes the next bytes and returns what is complete with them.
   *
   * What is returned may share memory with `chunk`, so the caller must not write to it again.
   */
  push(chunk: Uint8Array): GuardedPart[] {
    const parts: GuardedPart[] = [];
    let from = 0; // the first byte that is neither passed on nor discarded
    if (this.#heldBytes > 0 || this.discarding) {
      const lf = chunk.indexOf(LF);
      this.#keep(lf === -1 ? chunk : chunk.subarray(0, lf));
      if (lf === -1) return parts;
      parts.push(this.#endLine(true));
      from = lf + 1;
    }
    const end = chunk.lastIndexOf(LF) + 1;
    if (end > from) this.#passLines(chunk.subarray(from, end), parts);
    from = Math.max(from, end);
    if (from < chunk.length) this.#keep(chunk.subarray(from));
    return parts;
  }

  /** Ends the stream: returns the unterminated last frame, or what is known of one discarded. */
  flush(): GuardedPart[] {
    return this.#heldBytes > 0 || this.discarding ? [this.#endLine(false)] : [];
  }

  /** Passes whole lines on, save those that are too large. */
  #passLines(lines: Uint8Array, parts: GuardedPart[]): void {
    const pass = (from: number, to: number) => {
      if (from < to) parts.push({ kind: "lines", bytes: lines.subarray(from, to) });
    };
    if (lines.length - 1 <= this.#max) return pass(0, lines.length);
    let from = 0; // the first byte that is not passed on yet
    for (let start = 0; start < lines.length;) {
      const lf = lines.indexOf(LF, start);
      if (lf - start > this.#max) {
        pass(from, start);
        this.#discard(lines.subarray(start, lf));
        parts.push(this.#endLine(true));
        from = lf + 1;
      }
      start = lf + 1;
    }
    pass(from, lines.length);
  }

  /** The line that is held or being discarded is over. */
  #endLine(complete: boolean): GuardedPart {
    if (this.#sniffer !== null) {
      const { type } = this.#sniffer;
      const bytes = this.#discardedBytes;
      this.#sniffer = null;
      this.#discardedBytes = 0;
      return { kind: "oversized", type, bytes, complete };
    }
    const bytes = new Uint8Array(this.#heldBytes + (complete ? 1 : 0));
    bytes.set(this.#held.subarray(0, this.#heldBytes));
    if (complete) bytes[this.#heldBytes] = LF;
    this.#dropHeld();
    return { kind: "lines", bytes };
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
}
