/**
 * The system's clocks.
 *
 * @module
 */
import type { Clock } from "../supervision/ports.ts";

/** Real time. A pending `after` keeps the process alive until it fires or is taken back. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(ms, act) {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
  // 5 us, where a message to oneself takes 25, and a timer of 0 ms 2 ms (measured).
  turn: () => new Promise((resolve) => void setImmediate(resolve)),
};

/** Resolves after `ms`, or earlier when `wake` resolves; leaves no timer behind. Never rejects. */
export function pause(clock: Clock, ms: number, wake?: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.after(ms, resolve);
    const early = () => {
      cancel();
      resolve();
    };
    wake?.then(early, early);
  });
}

/** `work`'s value, or `null` when it takes longer than `ms` or fails; `work` itself goes on. */
export async function within<T>(clock: Clock, ms: number, work: Promise<T>): Promise<T | null> {
  const settled = work.then((value): T | null => value, () => null);
  let cancel = () => {};
  const late = new Promise<null>((resolve) => {
    cancel = clock.after(ms, () => resolve(null));
  });
  const first = await Promise.race([settled, late]);
  cancel();
  return first;
}

/** Resolves when `signal` aborts; without a signal there is nothing to wait for. */
export function whenAborted(signal: AbortSignal | undefined): Promise<void> | undefined {
  if (signal === undefined) return undefined;
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
