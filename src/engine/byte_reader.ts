/**
 * Hands the native stdout on as it comes.
 *
 * @module
 */
import type { Clock } from "../supervision/ports.ts";
import { MeteredStream } from "./metered_stream.ts";

/** What a reader does with what it reads. */
export interface ByteReaderOptions {
  readonly clock: Clock;
  /** Takes a chunk; the next one is read when it is done. Must not reject. */
  readonly take: (bytes: Uint8Array) => Promise<void>;
}

/** One stdout, read from its construction on. */
export class ByteReader {
  readonly #metered: MeteredStream;
  readonly #done: Promise<void>;

  /** Takes over `stdout` and starts to read. */
  constructor(stdout: ReadableStream<Uint8Array>, { clock, take }: ByteReaderOptions) {
    this.#metered = new MeteredStream(stdout, clock);
    this.#done = hand(this.#metered.readable, take);
  }

  /** Reads what is left after everything owned is gone, then leaves. */
  drain(): Promise<void> {
    return this.#metered.leave(this.#done);
  }
}

async function hand(
  stream: ReadableStream<Uint8Array>,
  take: ByteReaderOptions["take"],
): Promise<void> {
  for await (const chunk of stream) await take(chunk);
}
