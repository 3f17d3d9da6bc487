/**
 * The adapter's end of the receipts.
 *
 * @module
 */
import { cutText } from "../base/json.ts";
import { MAX_RECEIPT_BYTES } from "../base/limits.ts";
import { createLineSplitter } from "../supervision/line_splitter.ts";
import type { SplitLine } from "../supervision/line_splitter.ts";
import type { Log } from "../supervision/ports.ts";
import { parseReceipt } from "../supervision/receipts.ts";
import type { Receipt } from "../supervision/receipts.ts";

/** A supervisor sends seven at most, `seen` ones apart; more is not a supervisor. */
const MAX_RECEIPTS = 64;
/** Lines that are not receipts and are logged; the rest is counted in silence. */
const MAX_LOGGED_LINES = 16;
/** How much of such a line is logged. */
const LOGGED_LINE_BYTES = 512;

/** Receipts as they arrive. */
export interface ReceiptReader {
  /** In order; ends when the stream ends. Of several `seen` in a row it may give only the last. For one reader. */
  readonly receipts: AsyncIterable<Receipt>;
  /** Calls `act` for each receipt at its arrival, before the reader gets it. */
  onReceipt(act: (receipt: Receipt) => void): void;
  /** Resolves to whether there was a first receipt, at its arrival or at the end without one. Never rejects. */
  readonly began: Promise<boolean>;
  /** Ends the receipts even though the stream is still open. */
  end(): void;
}

/** Reads a stream at once and to its end, whether anybody takes the receipts or not: bounded in memory. */
export function readReceipts(stream: ReadableStream<Uint8Array>, log: Log): ReceiptReader {
  const kept: Receipt[] = [];
  const watchers: ((receipt: Receipt) => void)[] = [];
  let news = Promise.withResolvers<void>();
  const began = Promise.withResolvers<boolean>();
  let ended = false;
  let received = 0;
  let hasDoneAnything = false;
  let strange = 0;
  let noise: string | null = null;

  const end = () => {
    // It could not start, or was ended before it did anything. Its last words say more than "lost".
    if (!ended && !hasDoneAnything) {
      const detail = noise ?? "it said nothing";
      kept.push({ receipt: "spawn_failed", fault: "supervisor", detail });
    }
    ended = true;
    began.resolve(false);
    news.resolve();
  };
  const skip = (shown: string) => {
    noise ??= cutText(shown, LOGGED_LINE_BYTES);
    strange += 1;
    if (strange > MAX_LOGGED_LINES) return;
    log.write("warn", "A line from the supervisor is not a receipt", {
      line: cutText(shown, LOGGED_LINE_BYTES),
    });
  };
  const take = (line: SplitLine) => {
    if (ended) return;
    if (line.kind === "overlong") return skip(`[a line of ${line.bytes} bytes]`);
    if (line.text.trim() === "") return;
    const receipt = parseReceipt(line.text);
    if (receipt === null) return skip(line.text);
    // These come as often as a run's processes change, for as long as it lives. They are not counted, else they
    // would push out how the run ended, and one that nobody has read yet gives way to the next.
    const isSeen = receipt.receipt === "seen";
    if (!isSeen) received += 1;
    if (received > MAX_RECEIPTS) return;
    began.resolve(true);
    hasDoneAnything ||= receipt.receipt !== "accepted";
    for (const watcher of watchers) watcher(receipt);
    if (isSeen && kept.at(-1)?.receipt === "seen") kept.pop();
    kept.push(receipt);
    news.resolve();
  };
  void pump(stream, take).then(end);

  async function* receipts(): AsyncGenerator<Receipt> {
    while (true) {
      const receipt = kept.shift();
      if (receipt !== undefined) yield receipt;
      else if (ended) return;
      else {
        await news.promise;
        news = Promise.withResolvers<void>();
        if (ended) news.resolve();
      }
    }
  }
  return {
    receipts: { [Symbol.asyncIterator]: receipts },
    onReceipt: (act) => void watchers.push(act),
    began: began.promise,
    end,
  };
}

async function pump(
  stream: ReadableStream<Uint8Array>,
  take: (line: SplitLine) => void,
): Promise<void> {
  const splitter = createLineSplitter(MAX_RECEIPT_BYTES);
  try {
    for await (const chunk of stream) splitter.push(chunk).forEach(take);
  } catch {
    // A stream that fails has ended; the missing clean-up receipt says the rest.
  }
  splitter.finish().forEach(take);
}
