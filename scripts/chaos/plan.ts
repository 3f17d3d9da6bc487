/**
 * What each cycle of the chaos run does: a function of the seed and the cycle's number, and of nothing else.
 *
 * @module
 */
import { Random } from "../../tests/helpers/random.ts";

/** What is run. */
export interface Kind {
  readonly name: string;
  readonly weight: number;
  /** What the run does when nobody disturbs it. */
  readonly ends: "answers" | "fails" | "never";
}

/**
 * The stand-ins. `stdout_held` is not among them: the stranger that it leaves is meant to outlive the run. With the
 * prompt `stay` those that leave something stay too.
 */
export const FAKE_KINDS: readonly Kind[] = [
  { name: "ok end", weight: 3, ends: "answers" },
  { name: "slow stay", weight: 3, ends: "never" },
  { name: "group_child end", weight: 1, ends: "answers" },
  { name: "group_child stay", weight: 2, ends: "never" },
  { name: "setsid_child end", weight: 1, ends: "answers" },
  { name: "setsid_child stay", weight: 2, ends: "never" },
  { name: "double_fork_daemon end", weight: 1, ends: "answers" },
  { name: "double_fork_daemon stay", weight: 2, ends: "never" },
  { name: "spawns_child_ignoring_term end", weight: 1, ends: "answers" },
  { name: "spawns_child_ignoring_term stay", weight: 2, ends: "never" },
  { name: "mixed end", weight: 1, ends: "answers" },
  { name: "mixed stay", weight: 4, ends: "never" },
  { name: "fork_storm end", weight: 1, ends: "answers" },
  { name: "fork_storm stay", weight: 1, ends: "never" },
  { name: "ignores_term stay", weight: 2, ends: "never" },
  { name: "hang_after_result stay", weight: 2, ends: "never" },
  { name: "flood_stdout end", weight: 1, ends: "answers" },
  { name: "flood_stderr end", weight: 1, ends: "answers" },
  { name: "followup_result end", weight: 1, ends: "answers" },
  { name: "exit_7 end", weight: 1, ends: "fails" },
  { name: "crash_signal end", weight: 1, ends: "fails" },
  { name: "partial_answer end", weight: 1, ends: "fails" },
];

/** The real CLI; `native.ts` has what the model says to each. */
export const NATIVE_KINDS: readonly Kind[] = [
  { name: "hello", weight: 1, ends: "answers" },
  { name: "stream", weight: 2, ends: "never" },
  { name: "foreground tool", weight: 2, ends: "never" },
  { name: "background tool", weight: 2, ends: "never" },
  { name: "daemon of a tool", weight: 2, ends: "never" },
  { name: "daemon left behind", weight: 2, ends: "answers" },
];

/** A process of the run. */
export type Target = "adapter" | "supervisor" | "claude" | "tool";

/** One signal to one of them; `tool` is one of the processes below claude. */
export interface Strike {
  readonly target: Target;
  readonly signal: "SIGTERM" | "SIGKILL" | "SIGSTOP";
}

/** How a run is ended. */
export interface End {
  readonly name: string;
  readonly weight: number;
  /** What is asked over MCP, before the strikes. */
  readonly asks: "nothing" | "cancel" | "timeout" | "stdin_eof";
  readonly strikes: readonly Strike[];
  /** What is asked after them. */
  readonly then?: "cancel";
}

const kill = (target: Target): Strike => ({ target, signal: "SIGKILL" });
const term = (target: Target): Strike => ({ target, signal: "SIGTERM" });

/** Every way to end a run; the first is to let it be. */
export const ENDS: readonly End[] = [
  { name: "its own end", weight: 3, asks: "nothing", strikes: [] },
  { name: "cancel", weight: 4, asks: "cancel", strikes: [] },
  { name: "timeout", weight: 2, asks: "timeout", strikes: [] },
  { name: "stdin EOF", weight: 3, asks: "stdin_eof", strikes: [] },
  { name: "SIGTERM adapter", weight: 2, asks: "nothing", strikes: [term("adapter")] },
  { name: "SIGKILL adapter", weight: 3, asks: "nothing", strikes: [kill("adapter")] },
  { name: "SIGTERM supervisor", weight: 2, asks: "nothing", strikes: [term("supervisor")] },
  { name: "SIGKILL supervisor", weight: 3, asks: "nothing", strikes: [kill("supervisor")] },
  { name: "SIGTERM claude", weight: 2, asks: "nothing", strikes: [term("claude")], then: "cancel" },
  { name: "SIGKILL claude", weight: 3, asks: "nothing", strikes: [kill("claude")] },
  {
    name: "SIGKILL tool, cancel",
    weight: 2,
    asks: "nothing",
    strikes: [kill("tool")],
    then: "cancel",
  },
  {
    name: "SIGSTOP claude, cancel",
    weight: 1,
    asks: "nothing",
    strikes: [{ target: "claude", signal: "SIGSTOP" }],
    then: "cancel",
  },
  {
    name: "SIGKILL supervisor+claude",
    weight: 2,
    asks: "nothing",
    strikes: [kill("supervisor"), kill("claude")],
  },
  {
    name: "SIGKILL adapter+claude",
    weight: 2,
    asks: "nothing",
    strikes: [kill("adapter"), kill("claude")],
  },
  { name: "cancel, SIGKILL supervisor", weight: 2, asks: "cancel", strikes: [kill("supervisor")] },
  { name: "cancel, SIGKILL adapter", weight: 1, asks: "cancel", strikes: [kill("adapter")] },
  {
    name: "SIGKILL adapter+supervisor",
    weight: 2,
    asks: "nothing",
    strikes: [kill("supervisor"), kill("adapter")],
  },
  {
    name: "SIGKILL adapter+supervisor+claude",
    weight: 1,
    asks: "nothing",
    strikes: [kill("supervisor"), kill("adapter"), kill("claude")],
  },
];

/** When the end begins. */
export type Moment =
  | { readonly after: "events"; readonly count: number }
  | { readonly after: "delay"; readonly ms: number };

/** One cycle. */
export interface Plan {
  readonly cycle: number;
  readonly kind: Kind;
  readonly end: End;
  readonly moment: Moment;
  /** Between what is asked and the strikes, in milliseconds. */
  readonly pauseMs: number;
  /** Chooses among several tool processes: 0 up to but not including 1. */
  readonly lot: number;
}

/** What is random about a run of chaos. */
export interface PlanOptions {
  readonly seed: number;
  readonly kinds: readonly Kind[];
  /** The longest delay before the end begins. */
  readonly maxDelayMs: number;
}

/** Plans one cycle. */
export function planCycle(cycle: number, { seed, kinds, maxDelayMs }: PlanOptions): Plan {
  // The golden ratio spreads neighbouring cycles over the seeds.
  const random = new Random(seed + Math.imul(cycle, 0x9e3779b9));
  const kind = weighted(kinds, random);
  const ends = kind.ends === "never" ? ENDS.slice(1) : ENDS;
  return {
    cycle,
    kind,
    end: kind.ends !== "never" && random.chance(0.4) ? ENDS[0]! : weighted(ends, random),
    moment: random.chance(0.4)
      ? { after: "events", count: random.int(1, 3) }
      : { after: "delay", ms: random.int(0, maxDelayMs) },
    pauseMs: random.int(0, 250),
    lot: random.next(),
  };
}

/** One line that says what a cycle does. */
export function describePlan({ cycle, kind, end, moment }: Plan): string {
  const when = moment.after === "events" ? `${moment.count} events` : `${moment.ms} ms`;
  return `cycle ${cycle}: '${kind.name}', ${end.name} after ${when}`;
}

function weighted<T extends { readonly weight: number }>(list: readonly T[], random: Random): T {
  let left = random.next() * list.reduce((sum, { weight }) => sum + weight, 0);
  for (const one of list) {
    left -= one.weight;
    if (left < 0) return one;
  }
  return list.at(-1)!;
}
