/**
 * Reads the native stdout into frames, watches frames that never end, and knows when to leave.
 *
 * @module
 */
import {
  DISCARDED_FRAME_STALL_MS,
  MAX_DISCARDED_FRAME_BYTES,
  MAX_FRAME_BYTES,
} from "../base/limits.ts";
import { type FrameItem, frameStream, type GuardState } from "../frames/frame_stream.ts";
import type { Cause } from "../runs/outcome.ts";
import type { Clock } from "../supervision/ports.ts";
import { MeteredStream } from "./metered_stream.ts";

/**
 * How long a stream that never pauses may keep the thread. A pipe that always has bytes is read without a pause, up to
 * 8 MB at a time, and whoever asks something meanwhile waits (measured: up to 160 ms for a ping).
 */
const TURN_MS = 5;

/** What a pump does with what it reads. */
export interface PumpOptions {
  readonly clock: Clock;
  /** A frame past the bound is a fault at once, not an omitted event. */
  readonly strict: boolean;
  /** Called with what came together, in order; more is read when it is done. Must not reject. */
  readonly onItems: (items: readonly FrameItem[]) => void | Promise<void>;
  readonly onFault: (cause: Cause) => void;
}

/** One run's stdout, read from its construction on. */
export class StreamPump {
  readonly #options: PumpOptions;
  readonly #metered: MeteredStream;
  readonly #done: Promise<void>;
  #takeBackStall: (() => void) | null = null;

  /** Takes over `stdout` and starts to read. */
  constructor(stdout: ReadableStream<Uint8Array>, options: PumpOptions) {
    this.#options = options;
    // Frames are text as soon as they are read.
    this.#metered = new MeteredStream(stdout, options.clock, true);
    this.#done = this.#read().catch((error) => {
      this.#metered.finish();
      options.onFault({ code: "internal_error", message: `Reading the stream failed: ${error}` });
    }).finally(() => this.#takeBackStall?.());
  }

  /** Milliseconds for which nothing has come, although it is waited for. */
  quietMs(): number {
    return this.#metered.quietMs();
  }

  /** Reads what is left after everything owned is gone, then leaves. */
  drain(): Promise<void> {
    return this.#metered.leave(this.#done);
  }

  async #read(): Promise<void> {
    const frames = frameStream(this.#metered.readable, { onBytes: (state) => this.#guard(state) });
    const { clock, onItems } = this.#options;
    let turn = clock.monotonic();
    for await (const batch of frames) {
      const taken = onItems(batch);
      if (taken !== undefined) await taken;
      if (clock.monotonic() - turn < TURN_MS) continue;
      await clock.turn?.();
      turn = clock.monotonic();
    }
  }

  #guard(state: GuardState): void {
    this.#takeBackStall?.();
    this.#takeBackStall = null;
    if (!state.discarding) return;
    const { clock, onFault, strict } = this.#options;
    if (strict || state.discardedBytes > MAX_DISCARDED_FRAME_BYTES) {
      const bound = strict ? MAX_FRAME_BYTES : MAX_DISCARDED_FRAME_BYTES;
      onFault({
        code: "frame_too_large",
        message: `One frame of the native output passed ${bound} bytes, which is the bound`,
      });
      return;
    }
    this.#takeBackStall = clock.after(DISCARDED_FRAME_STALL_MS, () =>
      onFault({
        code: "frame_too_large",
        message:
          `A frame past ${MAX_FRAME_BYTES} bytes stopped after ${state.discardedBytes} bytes, and nothing of it came for ${DISCARDED_FRAME_STALL_MS} ms`,
      }));
  }
}
