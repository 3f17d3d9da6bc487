/**
 * This process's own stdin and stdout as byte streams.
 *
 * @module
 */

import { pause, systemClock } from "./clock.ts";

/** When a full pipe that does not wait by itself is tried again, in milliseconds. */
export const OUTPUT_RETRY_MS = 10;

/** stdout, or something like it. */
export interface OutputPort {
  /**
   * Writes everything. Rejects with what the system says when that cannot be: the reader is gone (EPIPE), the disk is
   * full. Then every later write rejects too.
   */
  write(bytes: Uint8Array): Promise<void>;
}

/** What a peer's connection is made of. */
export interface StdioPort {
  /**
   * Chunks as they arrive; ends at the end of input. For one reader. A pending read keeps the process alive,
   * so a program that wants to end before its input does has to exit.
   */
  readonly input: ReadableStream<Uint8Array>;
  readonly output: OutputPort;
  /** Whether a person's terminal is on the other end of stdin. */
  readonly isTerminal: boolean;
}

/** The stdio of this process. */
export function openStdio(): StdioPort {
  return {
    input: Deno.stdin.readable,
    output: createOutput(Deno.stdout),
    isTerminal: Deno.stdin.isTerminal(),
  };
}

/** Writes in order, each message whole before the next. */
export function createOutput(file: { write(bytes: Uint8Array): Promise<number> }): OutputPort {
  let queue: Promise<void> = Promise.resolve();
  let broken: Error | null = null;
  const put = async (bytes: Uint8Array) => {
    if (broken !== null) throw broken;
    try {
      for (let at = 0; at < bytes.length;) at += await putSome(file, bytes.subarray(at));
    } catch (caught) {
      broken = caught instanceof Error ? caught : new Error(String(caught));
      throw broken;
    }
  };
  return {
    write(bytes) {
      const written = queue.then(() => put(bytes));
      queue = written.catch(() => {});
      return written;
    },
  };
}

type Sink = Parameters<typeof createOutput>[0];

/** Writes some of the bytes; none, after a moment, when whoever made the pipe has made it one that does not wait. */
async function putSome(file: Sink, bytes: Uint8Array): Promise<number> {
  try {
    return await file.write(bytes);
  } catch (caught) {
    // Measured: EAGAIN, once 64 KiB wait in the pipe.
    if (!(caught instanceof Deno.errors.WouldBlock)) throw caught;
    await pause(systemClock, OUTPUT_RETRY_MS);
    return 0;
  }
}
