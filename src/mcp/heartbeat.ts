/**
 * Progress notifications while a call waits.
 *
 * @module
 */
import { PROGRESS_INTERVAL_MS } from "../base/limits.ts";
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
}

/**
 * Reports about every 5 seconds until `work` is done. Many hosts give up on a silent call after 60
 * seconds; those that asked for progress and reset their clock on it do not. Progress is the elapsed
 * time in seconds, and always more than the last one.
 */
export async function withHeartbeat<T>(
  work: () => Promise<T>,
  { clock, report, describe }: HeartbeatOptions,
): Promise<T> {
  if (report === null) return await work();
  const begun = clock.monotonic();
  let last = 0;
  let disarm = clock.after(PROGRESS_INTERVAL_MS, beat);
  function beat(): void {
    last = Math.max(last + 1, Math.round((clock.monotonic() - begun) / 1000));
    report?.(last, message(describe));
    disarm = clock.after(PROGRESS_INTERVAL_MS, beat);
  }
  try {
    return await work();
  } finally {
    disarm();
  }
}

function message(describe: () => string): string {
  try {
    return describe();
  } catch {
    return "waiting";
  }
}
