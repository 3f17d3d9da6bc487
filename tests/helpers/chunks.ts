/**
 * Byte streams cut into chunks, for tests of everything that reads one.
 *
 * @module
 */
import type { Random } from "./random.ts";

/** The sizes every recorded stream is cut into; the last is the whole. */
export const CHUNK_SIZES: readonly number[] = [1, 7, 4096, Infinity];

const encoder = new TextEncoder();

/** Text as UTF-8 bytes. */
export function utf8(text: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(text);
}

/** Bytes in chunks of one size. */
export function cut(bytes: Uint8Array, size: number): Uint8Array[] {
  if (size >= bytes.length) return bytes.length === 0 ? [] : [bytes];
  const chunks: Uint8Array[] = [];
  for (let i = 0; i < bytes.length; i += size) chunks.push(bytes.slice(i, i + size));
  return chunks;
}

/** Bytes in chunks of random sizes, empty ones included. */
export function cutRandomly(bytes: Uint8Array, random: Random, maxSize: number): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  for (let i = 0; i < bytes.length;) {
    const size = random.int(0, maxSize);
    chunks.push(bytes.slice(i, i + size));
    i += size;
  }
  return chunks;
}

/** A stream that gives one chunk for each pull. */
export function streamOf(chunks: Iterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = chunks[Symbol.iterator]();
  return new ReadableStream({
    pull(controller) {
      const { done, value } = iterator.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  }, { highWaterMark: 0 });
}

/** All batches of a stream in one list. */
export async function flatten<T>(batches: AsyncIterable<readonly T[]>): Promise<T[]> {
  const items: T[] = [];
  for await (const batch of batches) items.push(...batch);
  return items;
}

/** Chunks as one array of bytes. */
export function join(chunks: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}
