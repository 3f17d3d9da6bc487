/**
 * A process table in which signals have their effects, with a clock of its own.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import type { ProcessPorts } from "../../src/host/run_eyes.ts";
import type { ProcessRow } from "../../src/supervision/process_row.ts";
import { FakeClock } from "../helpers/fake_clock.ts";
import { keepLog } from "../helpers/launch.ts";
import type { KeptLog } from "../helpers/launch.ts";
import { lookOf } from "../supervision/rows.ts";

/** The table; tests change its rows as they like. */
export class ProcessWorld {
  readonly clock: FakeClock = new FakeClock();
  readonly log: KeptLog = keepLog();
  /** `MILLISECONDS SIGNAL TARGET` of what was sent; a group is negative. */
  readonly signals: string[] = [];
  readonly rows: Map<number, ProcessRow> = new Map();
  /** Pids that SIGTERM does not end. */
  readonly stubborn: Set<number> = new Set();
  /** Pids that nothing ends: another user's, or stuck in the kernel. */
  readonly immortal: Set<number> = new Set();
  /** Looks that were asked for. */
  looks = 0;
  /** Happens before a look, given its number; makes the look fail when it throws. */
  before: (look: number) => void = () => {};
  readonly #born: number;

  constructor(...rows: readonly ProcessRow[]) {
    for (const one of rows) this.rows.set(one.pid, one);
    this.#born = this.clock.now();
  }

  readonly ports: ProcessPorts = {
    clock: this.clock,
    look: () =>
      Promise.resolve().then(() => {
        this.looks += 1;
        this.before(this.looks);
        return lookOf([...this.rows.values()]);
      }),
    kill: (target, signal) => {
      this.signals.push(`${this.clock.now() - this.#born} ${signal} ${target}`);
      for (const { pid, pgid } of [...this.rows.values()]) {
        const isMeant = target < 0 ? pgid === -target : pid === target;
        const isEnded = !this.immortal.has(pid) &&
          (signal === "SIGKILL" || !this.stubborn.has(pid));
        if (isMeant && isEnded) this.rows.delete(pid);
      }
    },
  };

  /** The pids that are there. */
  get pids(): readonly number[] {
    return [...this.rows.keys()].toSorted((a, b) => a - b);
  }

  /** Lets time pass until `work` is done, which has to be within 30 s and leave no timer. */
  async letPass<T>(work: Promise<T>): Promise<T> {
    let isOver = false;
    const end = work.finally(() => isOver = true);
    const started = this.clock.now();
    while (!isOver) {
      await this.clock.tick(500);
      assert(this.clock.now() - started <= 30_000, "clean-up is bounded");
    }
    assertEquals(this.clock.pending, 0, "no timer is left");
    return await end;
  }
}
