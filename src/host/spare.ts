/**
 * One of something that takes a while to start, kept ready for the next who needs it: here a supervisor, whose start is
 * most of what a run costs more than the bare CLI (41 of 71 ms, measured).
 *
 * @module
 */
import type { Clock } from "../supervision/ports.ts";

/** After somebody needed one, so long until the next is started: the work that has just begun goes first. */
const START_AFTER_MS = 1_000;
/** So long one waits; then it is ended, and the next is started when somebody has needed one again. */
const KEEP_MS = 5 * 60_000;

/** What can be kept. */
export interface Keepable {
  /** Resolves when it has ended. Never rejects. */
  readonly ended: Promise<void>;
  /** Ends it while nobody has it; bounded. Never rejects. */
  dismiss(): Promise<void>;
}

/** Where they come from. */
export interface SpareOptions<T> {
  readonly start: () => Promise<T>;
  readonly clock: Clock;
}

/** Keeps one ready between two who need one. */
export class Spare<T extends Keepable> {
  readonly #options: SpareOptions<T>;
  #kept: T | null = null;
  #isStarting = false;
  #isClosed = false;
  #takeBack: (() => void) | null = null;
  /** What is being started or ended. */
  #work: Promise<void> = Promise.resolve();

  /** Starts nothing. */
  constructor(options: SpareOptions<T>) {
    this.#options = options;
  }

  /** The one that is ready, or `null`; another will be started for the next. */
  take(): T | null {
    const kept = this.#kept;
    this.#kept = null;
    this.#schedule(START_AFTER_MS, () => void (this.#work = this.#prepare()));
    return kept;
  }

  /** Ends the one that is ready; from now on none is kept. Never rejects. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#takeBack?.();
    await this.#work;
    await this.#dismiss();
  }

  /** A failure is the business of whoever needs one: they start their own, and are told. */
  async #prepare(): Promise<void> {
    if (this.#kept !== null || this.#isStarting || this.#isClosed) return;
    this.#isStarting = true;
    const started = await this.#options.start().catch(() => null);
    this.#isStarting = false;
    if (started === null) return;
    this.#kept = started;
    void started.ended.then(() => {
      if (this.#kept === started) this.#kept = null;
    });
    this.#schedule(KEEP_MS, () => void (this.#work = this.#dismiss()));
  }

  async #dismiss(): Promise<void> {
    const kept = this.#kept;
    this.#kept = null;
    await kept?.dismiss();
  }

  #schedule(ms: number, act: () => void): void {
    this.#takeBack?.();
    this.#takeBack = this.#isClosed ? null : this.#options.clock.after(ms, act);
  }
}
