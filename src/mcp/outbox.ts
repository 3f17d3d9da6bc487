/**
 * The queue of bytes to the peer: in order, in pieces, and watched.
 *
 * @module
 */
import { PEER_STALL_MS } from "../base/limits.ts";
import type { Clock } from "../supervision/ports.ts";

/** Why nothing more can be written. */
export type OutboxFault =
  /** The peer took nothing for {@linkcode PEER_STALL_MS}. */
  | "peer_stalled"
  /** A write failed, mostly because the peer is gone (EPIPE). */
  | "output_failed";

/** Where bytes to the peer go. */
export interface ByteSink {
  /** Resolves when the peer has taken them; rejects when it is gone. */
  write(bytes: Uint8Array): Promise<void>;
}

/** What an outbox needs. */
export interface OutboxOptions {
  readonly output: ByteSink;
  readonly clock: Clock;
  /** Called at most once. */
  readonly onFault: (fault: OutboxFault, detail: string) => void;
}

/**
 * One piece of a write. A pipe reports a write only when all of it was taken, so a large message in
 * one piece would make a slow peer look like one that stopped; 16 KiB in 5 s is slow enough.
 */
const PIECE_BYTES = 16 * 1024;
/** Above this the connection stops reading until the peer has taken something. */
const ROOM_BYTES = 2 * 1024 * 1024;

/** Writes messages in order; bounded by whoever asks {@linkcode Outbox.room} before making more. */
export class Outbox {
  readonly #options: OutboxOptions;
  #queue: Uint8Array[] = [];
  #queuedBytes = 0;
  #pumping = false;
  #stopped = false;
  #waiters: { readonly below: number; readonly resume: () => void }[] = [];

  /** Takes the output. */
  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  /** Bytes the peer has not taken yet. */
  get queuedBytes(): number {
    return this.#queuedBytes;
  }

  /** Queues bytes; dropped after a fault or {@linkcode Outbox.stop}. */
  push(bytes: Uint8Array): void {
    if (this.#stopped) return;
    for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
      this.#queue.push(bytes.subarray(start, start + PIECE_BYTES));
    }
    this.#queuedBytes += bytes.length;
    if (!this.#pumping) {
      this.#pumping = true;
      void this.#pump();
    }
  }

  /** Resolves when there is room for more messages, or nothing can be written any more. */
  room(): Promise<void> {
    return this.#below(ROOM_BYTES);
  }

  /** Resolves when the peer has taken everything, or nothing can be written any more. */
  flushed(): Promise<void> {
    return this.#below(0);
  }

  /** Writes nothing more. */
  stop(): void {
    this.#stopped = true;
    this.#queue = [];
    this.#queuedBytes = 0;
    this.#wake();
  }

  async #pump(): Promise<void> {
    let piece: Uint8Array | undefined;
    while ((piece = this.#queue.shift()) !== undefined) {
      const disarm = this.#options.clock.after(
        PEER_STALL_MS,
        () => this.#fail("peer_stalled", `it took nothing for ${PEER_STALL_MS} ms`),
      );
      try {
        await this.#options.output.write(piece);
      } catch (caught) {
        disarm();
        this.#fail("output_failed", caught instanceof Error ? caught.message : String(caught));
        return;
      }
      disarm();
      if (this.#stopped) return;
      this.#queuedBytes -= piece.length;
      this.#wake();
    }
    this.#pumping = false;
  }

  #fail(fault: OutboxFault, detail: string): void {
    if (this.#stopped) return;
    this.stop();
    this.#options.onFault(fault, detail);
  }

  #below(bytes: number): Promise<void> {
    if (this.#stopped || this.#queuedBytes <= bytes) return Promise.resolve();
    return new Promise((resume) => this.#waiters.push({ below: bytes, resume }));
  }

  #wake(): void {
    const ready = this.#waiters.filter(({ below }) => this.#stopped || this.#queuedBytes <= below);
    if (ready.length === 0) return;
    this.#waiters = this.#waiters.filter((waiter) => !ready.includes(waiter));
    for (const { resume } of ready) resume();
  }
}
