/**
 * A byte stream that can be left: it knows how long it has been quiet, and ends when it is told to.
 *
 * @module
 */
import { DRAIN_MAX_MS, DRAIN_QUIET_MS } from "../base/limits.ts";
import type { Clock } from "../supervision/ports.ts";
import { type ByteSource, freshChunks, reusedChunks } from "./byte_source.ts";

/** How often a reader that leaves looks whether the pipe is quiet. */
const DRAIN_LOOK_MS = 25;

/**
 * Wraps the native stdout.
 *
 * The end of a process is not the end of its stdout: a stranger can hold it open for ever. So the reader has to
 * be able to say "nothing has come for a while, that is all" and to close what is read downstream.
 */
export class MeteredStream {
  /** The same bytes; ends with the source, or at {@linkcode finish}. */
  readonly readable: ReadableStream<Uint8Array>;
  readonly #source: ByteSource;
  readonly #clock: Clock;
  #waitingSince: number | null = null;
  #finished = false;
  #ended = false;

  /**
   * Takes over `source`.
   *
   * @param isDoneAtOnce Who reads is done with a chunk when it asks for the next one, so that its memory is used again.
   */
  constructor(source: ReadableStream<Uint8Array>, clock: Clock, isDoneAtOnce = false) {
    this.#clock = clock;
    this.#source = isDoneAtOnce ? reusedChunks(source) : freshChunks(source);
    this.readable = new ReadableStream<Uint8Array>({
      pull: (controller) => this.#pull(controller),
      cancel: () => this.finish(),
    }, { highWaterMark: 0 });
  }

  /** The source ended or was left. */
  get ended(): boolean {
    return this.#ended;
  }

  /**
   * Milliseconds for which a read has been waiting in vain; 0 while the consumer is busy, since then nothing is
   * known about the source.
   */
  quietMs(): number {
    return this.#waitingSince === null ? 0 : this.#clock.monotonic() - this.#waitingSince;
  }

  /** Stops reading: what was read is still delivered, then the stream ends. */
  finish(): void {
    if (this.#finished) return;
    this.#finished = true;
    // Rejects when the source failed meanwhile; there is nothing left to do about it.
    this.#source.cancel().catch(() => {});
  }

  /**
   * Lets the consumer read what is left after everything owned is gone, then leaves.
   *
   * Usually the pipe ends at once. When a stranger holds it open, reading stops as soon as nothing has come for
   * {@linkcode DRAIN_QUIET_MS}, and after {@linkcode DRAIN_MAX_MS} in any case.
   *
   * @param consumed Resolves when the consumer has read to the end; must not reject.
   */
  async leave(consumed: Promise<void>): Promise<void> {
    const deadline = this.#clock.monotonic() + DRAIN_MAX_MS;
    let isConsumed = false;
    const done = consumed.then(() => void (isConsumed = true));
    while (
      !isConsumed && this.#clock.monotonic() < deadline && this.quietMs() < DRAIN_QUIET_MS
    ) {
      let takeBack = () => {};
      await Promise.race([
        done,
        new Promise<void>((resolve) => takeBack = this.#clock.after(DRAIN_LOOK_MS, resolve)),
      ]);
      takeBack();
    }
    this.finish();
    await done;
  }

  async #pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    this.#waitingSince = this.#clock.monotonic();
    let chunk: Uint8Array | null;
    try {
      chunk = await this.#source.next();
    } catch {
      chunk = null; // a broken pipe ends the stream, it is no fault of the run
    }
    this.#waitingSince = null;
    if (chunk === null) {
      this.#ended = true;
      controller.close();
    } else {
      controller.enqueue(chunk);
    }
  }
}
