/**
 * How what a run owns is brought to an end: a table of rungs, and the step that climbs it.
 *
 * @module
 */
import { CLEANUP_DEADLINE_MS, STRAY_TERM_GRACE_MS, TERM_GRACE_MS } from "../base/limits.ts";
import type { Ownership } from "./ownership.ts";
import type { ProcessRow } from "./process_row.ts";

/** A step of the ladder. */
export type RungName = "settle" | "term_group" | "term_strays" | "kill";

/** What a rung does, for how long, and what comes after it. */
export interface Rung {
  readonly signal: "SIGTERM" | "SIGKILL" | null;
  /**
   * `group`: the native group, once. `groups`: every group that is wholly owned as a group, the rest one by
   * one, newcomers too. `each`: every process one by one, at every look.
   */
  readonly targets: "none" | "group" | "groups" | "each";
  /** The longest stay. */
  readonly waitMs: number;
  /** Leave at once when the native process itself is gone: the stay is for its sake. */
  readonly untilNativeGone: boolean;
  /** The next rung; `null` stays until the deadline. */
  readonly next: RungName | null;
}

/**
 * After a normal end: what is on its way out by itself (an MCP server whose stdin was just closed) is not
 * signalled if it goes within this time. Costs nothing when nothing is left.
 */
export const SETTLE_MS = 250;

/** The ladder. A normal end starts at `settle`, a stop at `term_group`. */
export const LADDER: { readonly [name in RungName]: Rung } = {
  settle: {
    signal: null,
    targets: "none",
    waitMs: SETTLE_MS,
    untilNativeGone: false,
    next: "term_strays",
  },
  term_group: {
    signal: "SIGTERM",
    targets: "group",
    waitMs: TERM_GRACE_MS,
    untilNativeGone: true,
    next: "term_strays",
  },
  term_strays: {
    signal: "SIGTERM",
    targets: "groups",
    waitMs: STRAY_TERM_GRACE_MS,
    untilNativeGone: false,
    next: "kill",
  },
  // One by one: the supervisor leads the native group, and a SIGKILL to the group would end it before its
  // receipt.
  kill: {
    signal: "SIGKILL",
    targets: "each",
    waitMs: CLEANUP_DEADLINE_MS,
    untilNativeGone: false,
    next: null,
  },
};

/** One signal to send. */
export type Signal =
  | { readonly kind: "group"; readonly pgid: number; readonly signal: "SIGTERM" | "SIGKILL" }
  | { readonly kind: "process"; readonly pid: number; readonly signal: "SIGTERM" | "SIGKILL" };

/** Where the ladder stands. */
export interface LadderState {
  readonly rung: RungName;
  /** Clock readings, in milliseconds. */
  readonly startedAt: number;
  readonly rungAt: number;
  /** Looks taken on this rung. */
  readonly looks: number;
  /** `pid:start` of what this rung has signalled. */
  readonly signalled: ReadonlySet<string>;
  /** `pid:start` of what had to be signalled after the native process was told to end or had ended. */
  readonly retired: ReadonlySet<string>;
  readonly escalated: boolean;
}

/** What one look showed; `found` is `null` when the look failed. */
export interface LadderInput {
  readonly found: Ownership | null;
  readonly rows: readonly ProcessRow[];
  readonly now: number;
  /** The native process's pid, 0 when unknown. */
  readonly native: number;
  /** The native group. */
  readonly group: number;
  /** Members of the native group that are not owned and yet no strangers: a living supervisor. */
  readonly leaders: readonly number[];
}

/** What to do next. */
export interface LadderStep {
  readonly state: LadderState;
  readonly signals: readonly Signal[];
  /** Set when the ladder is finished. */
  readonly done: "gone" | "left" | null;
  /** How long to wait before the next look. */
  readonly waitMs: number;
}

/** The ladder before its first look. */
export function startLadder(rung: RungName, now: number): LadderState {
  return {
    rung,
    startedAt: now,
    rungAt: now,
    looks: 0,
    signalled: new Set(),
    retired: new Set(),
    escalated: false,
  };
}

/** The ladder on its last rung, whatever rung it stood on; there it changes nothing. */
export function skipToKill(state: LadderState, now: number): LadderState {
  if (state.rung === "kill") return state;
  return { ...state, rung: "kill", rungAt: now, looks: 0, signalled: new Set() };
}

/** One step: judges a look, climbs if it is time, and says whom to signal. */
export function climb(before: LadderState, input: LadderInput): LadderStep {
  const { found, now } = input;
  if (found !== null && found.owned.length + found.foreign.length === 0) {
    return { state: before, signals: [], done: "gone", waitMs: 0 };
  }
  const state = advance(before, input);
  const onlyForeign = found !== null && found.owned.length === 0 && state.rung === "kill";
  if (onlyForeign || now - state.startedAt >= CLEANUP_DEADLINE_MS) {
    return { state, signals: [], done: "left", waitMs: 0 };
  }
  const planned = plan(state, input);
  return {
    state: {
      ...state,
      looks: state.looks + 1,
      signalled: union(state.signalled, planned.rows),
      retired: state.rung === "term_group" ? state.retired : union(state.retired, planned.rows),
      escalated: state.escalated || (state.rung === "kill" && planned.signals.length > 0),
    },
    signals: planned.signals,
    done: null,
    waitMs: pollMs(state),
  };
}

function advance(state: LadderState, input: LadderInput): LadderState {
  const rung = LADDER[state.rung];
  if (rung.next === null) return state;
  const nativeGone = rung.untilNativeGone && state.looks > 0 && input.found !== null &&
    input.native > 0 && !input.found.owned.some((row) => row.pid === input.native);
  if (!nativeGone && input.now - state.rungAt < rung.waitMs) return state;
  return { ...state, rung: rung.next, rungAt: input.now, looks: 0, signalled: new Set() };
}

/** Quick at first, as most things go at once, then calmer: 30 ms growing to 150 ms. */
function pollMs(state: LadderState): number {
  if (state.rung === "kill") return 25;
  return Math.min(150, Math.round(30 * 1.5 ** state.looks));
}

interface Plan {
  readonly signals: readonly Signal[];
  readonly rows: readonly ProcessRow[];
}

function plan(state: LadderState, input: LadderInput): Plan {
  const { signal, targets } = LADDER[state.rung];
  if (signal === null || targets === "none") return { signals: [], rows: [] };
  const owned = (input.found?.owned ?? []).filter((row) => row.start >= 0);
  if (targets === "each") {
    return {
      signals: owned.map((row) => ({ kind: "process", pid: row.pid, signal })),
      rows: owned,
    };
  }
  const fresh = owned.filter((row) => !state.signalled.has(key(row)));
  if (targets === "groups") return planGroups(fresh, { ...input, signal });
  if (state.looks > 0) return { signals: [], rows: [] };
  return planGroups(fresh.filter((row) => row.pgid === input.group), { ...input, signal });
}

/** Groups that hold nothing but owned processes as groups, the others' members one by one. */
function planGroups(
  fresh: readonly ProcessRow[],
  options: LadderInput & { readonly signal: "SIGTERM" | "SIGKILL" },
): Plan {
  const ours = new Set([...options.leaders, ...(options.found?.owned ?? []).map((row) => row.pid)]);
  const shared = new Set(
    options.rows.filter((row) => row.alive && !ours.has(row.pid)).map((row) => row.pgid),
  );
  const signals: Signal[] = [];
  const groups = new Set<number>();
  for (const row of fresh) {
    if (row.pgid <= 1 || shared.has(row.pgid)) {
      signals.push({ kind: "process", pid: row.pid, signal: options.signal });
    } else if (!groups.has(row.pgid)) {
      groups.add(row.pgid);
      signals.push({ kind: "group", pgid: row.pgid, signal: options.signal });
    }
  }
  return { signals, rows: fresh };
}

function key(row: ProcessRow): string {
  return `${row.pid}:${row.start}`;
}

function union(set: ReadonlySet<string>, rows: readonly ProcessRow[]): ReadonlySet<string> {
  return rows.length === 0 ? set : new Set([...set, ...rows.map(key)]);
}
