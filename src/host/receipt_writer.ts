/**
 * Writes receipts without ever holding up the clean-up.
 *
 * @module
 */
import { encodeUtf8 } from "../base/json.ts";
import { encodeReceipt } from "../supervision/receipts.ts";
import type { Receipt } from "../supervision/receipts.ts";
import { systemClock, within } from "./clock.ts";

/** How long the last receipts may take when the reader does not read; a reader that is gone takes no time. */
const FLUSH_MS = 2_000;

/** Receipts in order. */
export interface ReceiptWriter {
  /** Queues one; never throws, never waits. */
  write(receipt: Receipt): void;
  /** Waits, bounded, until all that was queued is written or cannot be. */
  flush(): Promise<void>;
}

/** Makes a writer on a file such as stderr. */
export function createReceiptWriter(
  file: { write(bytes: Uint8Array): Promise<number> },
): ReceiptWriter {
  let queue: Promise<void> = Promise.resolve();
  const put = async (bytes: Uint8Array) => {
    try {
      for (let at = 0; at < bytes.length;) at += await file.write(bytes.subarray(at));
    } catch {
      // EPIPE: the adapter is gone, and nobody is left to be told.
    }
  };
  return {
    write(receipt) {
      const bytes = encodeUtf8(encodeReceipt(receipt));
      queue = queue.then(() => put(bytes));
    },
    async flush() {
      await within(systemClock, FLUSH_MS, queue);
    },
  };
}
