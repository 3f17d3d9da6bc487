/**
 * Native bytes to frames: byte guard, streaming UTF-8 decoder, line splitter, parser.
 *
 * @module
 */
import { TextLineStream } from "@std/streams/text-line-stream";
import { ByteGuard, type OversizedFrame } from "./byte_guard.ts";
import { type ParsedLine, parseFrame } from "./parse_frame.ts";

/** One line of the stream. */
export type FrameItem = LineItem | OversizedItem;

/** A line that was read. */
export type LineItem = ParsedLine & {
  /** Bytes of the line as they came, newline not counted. */
  readonly bytes: number;
  /** `false` on a last line that the stream ended in; it may be half a frame. */
  readonly terminated: boolean;
};

/** A frame past the bound, in the place where it stood. */
export interface OversizedItem extends Omit<OversizedFrame, "line"> {
  readonly kind: "oversized";
}

/** What the guard holds at the moment. */
export interface GuardState {
  /** The frame that is coming in has passed the bound. */
  readonly discarding: boolean;
  /** Bytes of that frame so far, from its first one on. */
  readonly discardedBytes: number;
}

/** Options of {@linkcode frameStream}. */
export interface FrameStreamOptions {
  /** A frame of exactly so many bytes before its newline still passes. Default: 1 MiB. */
  readonly maxFrameBytes?: number;
  /**
   * Called after each chunk of bytes went through the guard, and so also while a frame is discarded and
   * nothing comes out. Must not throw.
   */
  readonly onBytes?: (state: GuardState) => void;
}

/** Lines handed out at once, at most: enough to make their cost vanish, few enough to stay prompt. */
const MAX_BATCH_LINES = 256;

/**
 * Turns native output into frames, in order, nothing left out: one item for each line.
 *
 * Lines end at LF only; a CR before it is removed. Invalid UTF-8 becomes U+FFFD and a byte order mark at
 * the start is dropped. Items come in batches of what is there already, because an item of its own
 * through a web stream costs more than to parse it (measured). Nothing is read ahead of demand by more
 * than a few chunks. Cancelling cancels the source, and an error of the source is passed on.
 *
 * @example
 * ```ts
 * import { frameStream } from "./frame_stream.ts";
 *
 * const bytes = new Blob(['{"type":"a"}\n\n{"type":"b"}']).stream();
 * const kinds: string[] = [];
 * for await (const batch of frameStream(bytes)) kinds.push(...batch.map((item) => item.kind));
 * console.assert(kinds.join() === "frame,blank,frame");
 * ```
 */
export function frameStream(
  source: ReadableStream<Uint8Array>,
  options: FrameStreamOptions = {},
): ReadableStream<FrameItem[]> {
  const lengths = new LineLengths();
  const guard = new ByteGuard({
    ...(options.maxFrameBytes !== undefined && { maxFrameBytes: options.maxFrameBytes }),
    onLine: (bytes, terminated) => lengths.add(bytes, terminated),
  });
  const lines = source
    .pipeThrough(guardStream(guard, options.onBytes))
    // Measured: left to itself the runtime's decoder also drops a U+FEFF that begins a later chunk.
    .pipeThrough(new TextDecoderStream("utf-8", { ignoreBOM: true }))
    .pipeThrough(new TextLineStream())
    .getReader();
  let line = 0;
  let cancelled = false;

  const toItem = (text: string): FrameItem => {
    const { bytes, terminated } = lengths.take();
    const oversized = guard.takeOversized(line);
    const parsed = parseFrame(line === 0 && text.startsWith("\ufeff") ? text.slice(1) : text);
    line += 1;
    if (oversized === null) return { ...parsed, bytes, terminated };
    return { kind: "oversized", type: oversized.type, bytes, complete: terminated };
  };

  return new ReadableStream<FrameItem[]>({
    async pull(controller) {
      const batch: FrameItem[] = [];
      do {
        const { done, value } = await lines.read();
        if (cancelled) return;
        if (done) {
          if (batch.length > 0) controller.enqueue(batch);
          return controller.close();
        }
        batch.push(toItem(value));
        // A line whose newline went through the guard is on its way, so waiting for it is safe.
      } while (lengths.complete > 0 && batch.length < MAX_BATCH_LINES);
      controller.enqueue(batch);
    },
    cancel(reason) {
      cancelled = true;
      return lines.cancel(reason);
    },
  }, { highWaterMark: 0 });
}

function guardStream(
  guard: ByteGuard,
  onBytes?: (state: GuardState) => void,
): TransformStream<Uint8Array, BufferSource> {
  return new TransformStream({
    transform(chunk, controller) {
      for (const bytes of guard.push(chunk)) controller.enqueue(bytes as Uint8Array<ArrayBuffer>);
      onBytes?.(guard);
    },
    flush(controller) {
      for (const bytes of guard.flush()) controller.enqueue(bytes as Uint8Array<ArrayBuffer>);
    },
  });
}

/** The lengths of the lines between the guard and the parser, so that no line is measured again. */
class LineLengths {
  #queue: number[] = [];
  #taken = 0;
  #complete = 0;

  /** How many lines with a newline are on their way. */
  get complete(): number {
    return this.#complete;
  }

  add(bytes: number, terminated: boolean): void {
    this.#queue.push(bytes);
    if (terminated) this.#complete += 1;
  }

  take(): { bytes: number; terminated: boolean } {
    const bytes = this.#queue[this.#taken++] ?? 0;
    const terminated = this.#complete > 0;
    if (terminated) this.#complete -= 1;
    if (this.#taken * 2 >= this.#queue.length) {
      // At most as many are moved as were taken, so this stays linear, and the queue as short as what is open.
      this.#queue.splice(0, this.#taken);
      this.#taken = 0;
    }
    return { bytes, terminated };
  }
}
