/**
 * Progress notifications while a call waits.
 *
 * @module
 */
import { PROGRESS_GAP_MS, PROGRESS_INTERVAL_MS } from "../base/limits.ts";
import type { Clock } from "../supervision/ports.ts";

/** Sends one progress notification. `progress` grows with every call. */
export type ReportProgress = (progress: number, message: string) => void;

/** What a heartbeat needs. */
export interface HeartbeatOptions {
  readonly clock: Clock;
  /** `null` when the caller gave no progress token: then nothing is sent. */
  readonly report: ReportProgress | null;
  /** The message of the moment. What it throws is ignored: a heartbeat must not end the work. */
  readonly describe: () => string;
  /**
   * Resolves as soon as the message means something else than now, or when the signal aborts. What it throws is
   * ignored too.
   */
  readonly changed: (signal: AbortSignal) => Promise<void>;
}

/**
 * Reports until `work` is done: at once, then whenever the message changes, though never twice within a second, and
 * every 5 seconds when it does not. Many hosts give up on a silent call after 60 seconds; those that asked for
 * progress and reset their clock on it do not. Progress is the elapsed time in whole seconds, and always more than
 * the last one.
 */
export async function withHeartbeat<T>(
  work: () => Promise<T>,
  options: HeartbeatOptions,
): Promise<T> {
  if (options.report === null) return await work();
  const over = new AbortController();
  void beat(options.report, options, over.signal);
  try {
    return await work();
  } finally {
    over.abort();
  }
}

async function beat(
  report: ReportProgress,
  { clock, describe, changed }: HeartbeatOptions,
  over: AbortSignal,
): Promise<void> {
  const begun = clock.monotonic();
  for (let last = -1; !over.aborted;) {
    last = Math.max(last + 1, Math.floor((clock.monotonic() - begun) / 1000));
    report(last, message(describe));
    // Armed before the gap, so that what changes during it is told right after it.
    const round = new AbortController();
    const end = AbortSignal.any([over, round.signal]);
    await Promise.all([
      pause(PROGRESS_GAP_MS, clock, over),
      Promise.race([news(changed, end), pause(PROGRESS_INTERVAL_MS, clock, end)]),
    ]);
    round.abort();
  }
}

/** Something that fails brings no news. */
async function news(changed: HeartbeatOptions["changed"], end: AbortSignal): Promise<void> {
  try {
    await changed(end);
  } catch {
    await new Promise<void>((resolve) => {
      if (end.aborted) resolve();
      else end.addEventListener("abort", () => resolve(), { once: true });
    });
  }
}

function pause(ms: number, clock: Clock, end: AbortSignal): Promise<void> {
  if (end.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const finish = (): void => {
      disarm();
      end.removeEventListener("abort", finish);
      resolve();
    };
    const disarm = clock.after(ms, finish);
    end.addEventListener("abort", finish);
  });
}

function message(describe: () => string): string {
  try {
    return describe();
  } catch {
    return "waiting";
  }
}
