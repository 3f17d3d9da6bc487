/** A clock that only moves when a test moves it. */
import type { Clock } from "../../src/supervision/ports.ts";

interface Timer {
  readonly at: number;
  readonly act: () => void;
}

export class FakeClock implements Clock {
  #now = 1_000_000;
  readonly #timers = new Set<Timer>();

  now(): number {
    return this.#now;
  }

  monotonic(): number {
    return this.#now;
  }

  after(ms: number, act: () => void): () => void {
    const timer = { at: this.#now + ms, act };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** Timers that were neither fired nor taken back. */
  get pending(): number {
    return this.#timers.size;
  }

  /** Moves on by `ms`, firing what is due in order, and lets every consequence happen. */
  async tick(ms: number): Promise<void> {
    const until = this.#now + ms;
    for (;;) {
      await settle();
      let due: Timer | null = null;
      for (const timer of this.#timers) {
        if (timer.at <= until && (due === null || timer.at < due.at)) due = timer;
      }
      if (due === null) break;
      this.#timers.delete(due);
      this.#now = Math.max(this.#now, due.at);
      due.act();
    }
    this.#now = until;
    await settle();
  }
}

/** Lets promise chains and stream plumbing run until they wait for something from outside. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise<void>((resolve) => setTimeout(resolve, 0));
}
