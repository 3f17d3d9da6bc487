/**
 * Runs the ladder against the real process table. The supervisor does this at every end; the adapter does it
 * when a supervisor died without its receipt.
 *
 * @module
 */
import { MAX_LISTED_SURVIVORS } from "../supervision/receipts.ts";
import type { Cleanup } from "../supervision/receipts.ts";
import { climb, startLadder } from "../supervision/ladder.ts";
import type { LadderState, RungName, Signal } from "../supervision/ladder.ts";
import type { Look } from "../supervision/process_row.ts";
import type { Ownership } from "../supervision/ownership.ts";
import type { Clock } from "../supervision/ports.ts";
import { pause } from "./clock.ts";

/** What the ladder needs from the outside. */
export interface RetirePorts {
  readonly clock: Clock;
  /** A look and what it says about the run. Throws when the look did not work. */
  look(): Promise<{ readonly look: Look; readonly found: Ownership }>;
  /** Sends a signal to a process, or to a group with a negative id. Never throws. */
  kill(target: number, signal: "SIGTERM" | "SIGKILL"): void;
}

/** Which run, and where to start. */
export interface RetireOptions {
  readonly from: RungName;
  /** The native group. */
  readonly group: number;
  /** The native process, 0 when unknown. */
  readonly native: number;
  /** Members of the native group that stay: the supervisor itself. */
  readonly leaders: readonly number[];
  /** Resolves when a look is worth taking at once: the native process has ended. */
  readonly wake?: Promise<unknown>;
}

/** What the ladder did; `rung` is the last one it stood on. */
export interface Retired {
  readonly cleanup: Cleanup;
  readonly rung: RungName;
}

/** Climbs until nothing owned is left or the deadline passed. Never rejects; bounded by the ladder. */
export async function retire(ports: RetirePorts, options: RetireOptions): Promise<Retired> {
  let state = startLadder(options.from, ports.clock.monotonic());
  let wake = options.wake;
  wake?.then(() => wake = undefined, () => wake = undefined);
  while (true) {
    const seen = await ports.look().catch(() => null);
    const step = climb(state, {
      found: seen?.found ?? null,
      rows: seen?.look.rows ?? [],
      now: ports.clock.monotonic(),
      native: options.native,
      group: options.group,
      leaders: options.leaders,
    });
    if (step.done !== null) {
      return { cleanup: report(step.state, seen?.found ?? null), rung: step.state.rung };
    }
    for (const signal of step.signals) send(ports, signal);
    // Blind, the ladder still ends what this process may end without looking: its own group, politely, and
    // the native process, which is its own child and so cannot have been replaced by another.
    if (seen === null) blindly(ports, { ...options, state: step.state });
    state = step.state;
    await pause(ports.clock, step.waitMs, wake);
  }
}

function send(ports: RetirePorts, signal: Signal): void {
  if (signal.kind === "group") ports.kill(-signal.pgid, signal.signal);
  else ports.kill(signal.pid, signal.signal);
}

function blindly(
  ports: RetirePorts,
  options: RetireOptions & { readonly state: LadderState },
): void {
  if (options.leaders.length === 0 || options.native <= 1) return;
  if (options.state.rung === "kill") ports.kill(options.native, "SIGKILL");
  else if (options.state.rung !== "settle" && options.state.looks === 1) {
    ports.kill(-options.group, "SIGTERM");
  }
}

function report(state: LadderState, found: Ownership | null): Cleanup {
  const left = found === null ? [] : [...found.owned, ...found.foreign];
  return {
    confirmed: found !== null && left.length === 0,
    retired: state.retired.size,
    escalated: state.escalated,
    survivors: left.slice(0, MAX_LISTED_SURVIVORS).map(({ pid, name }) => ({ pid, name })),
  };
}
