/**
 * Runs the ladder against the real process table. The supervisor does this at every end; the adapter does it
 * when a supervisor died without its receipt.
 *
 * @module
 */
import { MAX_LISTED_SURVIVORS } from "../supervision/receipts.ts";
import type { Cleanup } from "../supervision/receipts.ts";
import { climb, skipToKill, startLadder } from "../supervision/ladder.ts";
import type { LadderState, RungName, Signal } from "../supervision/ladder.ts";
import type { Ownership } from "../supervision/ownership.ts";
import { pause, whenAborted } from "./clock.ts";
import type { ProcessPorts, RunEyes } from "./run_eyes.ts";

/** What the ladder needs from the outside: signals, time, and eyes on the run. */
export type RetirePorts = Pick<ProcessPorts, "clock" | "kill"> & Pick<RunEyes, "look">;

/** Which run, and where to start. */
export interface RetireOptions {
  readonly from: RungName;
  /** The native group. */
  readonly group: number;
  /** The native process, 0 when unknown. */
  readonly native: number;
  /** Members of the native group that stay: the supervisor itself. */
  readonly leaders: readonly number[];
  /** Resolves when the native process has ended: a look is worth taking at once, and its pid is nobody's. */
  readonly wake?: Promise<unknown>;
  /** Resolves when nothing is given any more time: the ladder then goes to its last rung. */
  readonly hurry?: Promise<void>;
  /** Gives up at once when it aborts: nothing is confirmed then. */
  readonly signal?: AbortSignal;
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
  let hurry = options.hurry;
  let nativeEnded = false;
  const onEnd = () => {
    wake = undefined;
    nativeEnded = true;
  };
  wake?.then(onEnd, onEnd);
  hurry?.then(() => {
    hurry = undefined;
    state = skipToKill(state, ports.clock.monotonic());
  });
  const aborted = whenAborted(options.signal);
  // Nearly every run leaves nothing behind: the look that says so is a quick one.
  if (options.from === "settle" && await isClear(ports)) {
    return { cleanup: report(state, NOTHING), rung: state.rung };
  }
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
    const isAborted = options.signal?.aborted === true;
    // Blind, the ladder still ends what this process may end without looking: its own group, politely, and
    // the native process, which is its own child: until it is reaped nobody else can get its pid. The last
    // chance is taken too, since looks that hang until they time out use up the whole time.
    if (seen === null && !isAborted) {
      blindly(ports, { ...options, state: step.state, nativeEnded, isLast: step.done !== null });
    }
    if (step.done !== null || isAborted) {
      return { cleanup: report(step.state, seen?.found ?? null), rung: step.state.rung };
    }
    for (const signal of step.signals) send(ports, signal);
    state = step.state;
    const news = [wake, hurry, aborted].filter((promise) => promise !== undefined);
    await pause(ports.clock, step.waitMs, news.length === 0 ? undefined : Promise.race(news));
  }
}

const NOTHING: Ownership = { owned: [], foreign: [] };

async function isClear(ports: RetirePorts): Promise<boolean> {
  const seen = await ports.look("quick").catch(() => null);
  return seen !== null && seen.found.owned.length + seen.found.foreign.length === 0;
}

function send(ports: RetirePorts, signal: Signal): void {
  if (signal.kind === "group") ports.kill(-signal.pgid, signal.signal);
  else ports.kill(signal.pid, signal.signal);
}

interface Blind extends RetireOptions {
  readonly state: LadderState;
  readonly nativeEnded: boolean;
  readonly isLast: boolean;
}

function blindly(ports: RetirePorts, options: Blind): void {
  if (options.leaders.length === 0 || options.native <= 1) return;
  if (options.isLast || options.state.rung === "kill") {
    if (!options.nativeEnded) ports.kill(options.native, "SIGKILL");
  } else if (options.state.rung !== "settle" && options.state.looks === 1) {
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
