/**
 * One native process read frame by frame by somebody who takes them at their own pace: a round of a conversation, a
 * turn of an executor.
 *
 * No frame is lost, and the native process is not made to wait for a reader that pauses: it gives up on an output that
 * nobody reads about 2 s after its work is done, and exits with 0 (measured). So frames are kept for the reader, and only
 * one that leaves 64 MiB of them, many times the longest answer, slows the process down.
 *
 * @module
 */
import type { FrameItem } from "../frames/frame_stream.ts";
import type { Cause } from "../runs/outcome.ts";
import type { ReceiptRecord } from "../runs/receipt_record.ts";
import type { Receipt } from "../supervision/receipts.ts";
import { Inbox } from "./inbox.ts";
import {
  type LifeOwner,
  type LifePorts,
  type LifeRequest,
  NativeLife,
  type StdoutReader,
} from "./native_life.ts";
import { StreamPump } from "./stream_pump.ts";

/** What a round is started with. */
export interface RoundRequest extends LifeRequest {
  /**
   * The longest silence in milliseconds, asked for whenever one may be over: no byte for so long ends the round.
   * `Infinity` is for ever, until the next byte. Only the process's silence counts, not that of a reader. It is told how
   * long it is quiet so far, for a bound on something else than silence.
   */
  readonly idleMs: (quietMs: number) => number;
  /** What ends a round that was silent for `ms`. */
  readonly idleCause: (ms: number) => Cause;
  /**
   * Bytes of frames that are kept for the reader.
   *
   * @default {67_108_864}
   */
  readonly maxHeldBytes?: number;
  /** Told of every receipt. */
  readonly onReceipt?: (receipt: Receipt) => void;
}

const MAX_HELD_BYTES = 64 * 1024 * 1024;

/** How a round ended. */
export interface RoundEnd {
  /** Why it was ended early, or `null`; see {@linkcode NativeLife.cause}. */
  readonly cause: Cause | null;
  readonly receipts: ReceiptRecord;
}

/** One round. It starts itself. */
export class FrameRound implements LifeOwner {
  /** Resolves after clean-up, and after the last frame was taken or the round was left. Never rejects. */
  readonly ended: Promise<RoundEnd>;
  readonly #request: RoundRequest;
  readonly #ports: LifePorts;
  readonly #inbox: Inbox<readonly FrameItem[]>;
  readonly #life: NativeLife;
  #pump: StreamPump | null = null;
  #takeBackIdle: (() => void) | null = null;

  /** Starts the process. */
  constructor(request: RoundRequest, ports: LifePorts) {
    this.#request = request;
    this.#ports = ports;
    this.#inbox = new Inbox(request.maxHeldBytes ?? MAX_HELD_BYTES);
    this.#life = new NativeLife(request, ports, this);
    this.ended = this.#life.ended.then(() => {
      this.#takeBackIdle?.();
      this.#inbox.close();
      return { cause: this.#life.cause, receipts: this.#life.receipts };
    });
  }

  /** What the supervisor has reported so far. */
  get receipts(): ReceiptRecord {
    return this.#life.receipts;
  }

  /** The first cause of an early end so far. */
  get cause(): Cause | null {
    return this.#life.cause;
  }

  /** Asks for the end; the first cause stays. Returns whether it still could make a difference. */
  stop(cause: Cause): boolean {
    const asked = this.#life.stop(cause);
    this.#inbox.release();
    return asked;
  }

  /**
   * What came, in the order it came; ends with the round, after its clean-up. For one reader. A reader that breaks off
   * cancels the round and waits until nothing of it is left.
   */
  async *batches(): AsyncGenerator<readonly FrameItem[], void> {
    try {
      for (let batch = await this.#inbox.take(); batch !== null; batch = await this.#inbox.take()) {
        yield batch;
      }
    } finally {
      this.stop({ code: "cancelled", message: "The reader of the round went away" });
      await this.ended;
    }
  }

  /** See {@linkcode LifeOwner}. */
  read(stdout: ReadableStream<Uint8Array>): StdoutReader {
    const pump = new StreamPump(stdout, {
      clock: this.#ports.clock,
      strict: false,
      onItems: (items) => {
        this.#armIdle();
        return this.#inbox.put(items, bytesOf(items));
      },
      onFault: (cause) => this.#life.fault(cause),
    });
    this.#pump = pump;
    this.#armIdle();
    return pump;
  }

  /** See {@linkcode LifeOwner}. */
  received(receipt: Receipt): void {
    if (receipt.receipt === "exit") this.#takeBackIdle?.();
    this.#request.onReceipt?.(receipt);
  }

  /** See {@linkcode LifeOwner}. */
  stopping(): void {
    this.#inbox.release();
  }

  /** One timer at a time, which looks at its end how long it really was quiet, so that a byte costs nothing. */
  #armIdle(): void {
    if (this.#takeBackIdle !== null || this.#life.receipts.exit !== null) return;
    const quiet = this.#pump?.quietMs() ?? 0;
    const bound = this.#request.idleMs(quiet);
    if (bound === Infinity) return;
    const left = Math.max(0, bound - quiet);
    this.#takeBackIdle = this.#ports.clock.after(left, () => {
      this.#takeBackIdle = null;
      const quietMs = this.#pump?.quietMs() ?? 0;
      const allowed = this.#request.idleMs(quietMs);
      if (quietMs >= allowed) this.stop(this.#request.idleCause(allowed));
      else this.#armIdle();
    });
  }
}

/** Of a frame past the bound only its place is kept. */
function bytesOf(items: readonly FrameItem[]): number {
  return items.reduce((sum, item) => sum + (item.kind === "oversized" ? 1 : item.bytes), 0);
}
