/**
 * The updates of a round as its caller holds them: left at once, never mistaken for whole when they are not.
 *
 * @module
 */
import { AdapterError } from "../base/errors.ts";
import { type Collected, UpdateCollector } from "../threads/collect_updates.ts";
import type { Update } from "../threads/updates.ts";
import type { ThreadRound } from "./thread_api.ts";
import { fileRefusal } from "./file_refusal.ts";
import type { ThreadHost } from "./thread_host.ts";

/** What makes the updates; ends when its signal aborts. */
export type RoundSource = (signal: AbortSignal) => AsyncGenerator<Update, void>;

/** Hands out the updates of a round. It begins with the first update that is asked for. */
export function openRound(
  source: RoundSource,
  { host, signal }: { readonly host: ThreadHost; readonly signal: AbortSignal | undefined },
): ThreadRound {
  const { closing, rounds } = host;
  const left = new AbortController();
  const signals = [left.signal, closing.signal];
  if (signal instanceof AbortSignal) signals.push(signal);
  const ending = AbortSignal.any(signals);
  const updates = source(ending);
  const inner = { next: updates.next.bind(updates), return: updates.return.bind(updates) };
  let isOver = false;
  let collected: Promise<Collected> | null = null;
  // Also when nobody looks: the lock of the thread must not wait for a reader that never comes.
  const leave = () => {
    left.abort();
    return inner.return();
  };
  const abort = () => void inner.return().catch(() => {});
  const end = () => {
    isOver = true;
    rounds.delete(leave);
    ending.removeEventListener("abort", abort);
  };
  return Object.assign(updates, {
    async next() {
      if (!isOver && !rounds.has(leave)) {
        rounds.add(leave);
        ending.addEventListener("abort", abort);
      }
      try {
        const step = await inner.next();
        // It was left for its caller, who must not take that for its end.
        if (step.done === true && !isOver && ending.aborted) {
          throw cancelled(closing.signal.aborted);
        }
        if (step.done === true) end();
        return step;
      } catch (caught) {
        end();
        const error = fileRefusal(caught, "thread");
        throw error.code === "cancelled" && closing.signal.aborted ? cancelled(true) : error;
      }
    },
    async return() {
      isOver = true;
      return await leave().finally(end);
    },
    /** As `return()`, and then it throws what it was given. */
    async throw(caught: unknown): Promise<never> {
      isOver = true;
      await leave().finally(end);
      throw caught;
    },
    /** Whoever asks again gets the same: of two readers each would have a part. */
    collect: () => collected ??= collect(updates),
  });
}

async function collect(updates: AsyncIterable<Update>): Promise<Collected> {
  const collector = new UpdateCollector();
  for await (const update of updates) collector.add(update);
  collector.end();
  return collector.value;
}

function cancelled(isClosed: boolean): AdapterError {
  return new AdapterError(
    "cancelled",
    isClosed
      ? "The library was closed before the round was over"
      : "The round was cancelled by its caller",
  );
}
