import { assert, assertEquals } from "@std/assert";
import { climb, LADDER, skipToKill, startLadder } from "../../src/supervision/ladder.ts";
import type { LadderState, LadderStep, RungName } from "../../src/supervision/ladder.ts";
import type { ProcessRow } from "../../src/supervision/process_row.ts";
import { row } from "./rows.ts";

const NATIVE = row(101, { ppid: 100, pgid: 100, sid: 100 });
const STRAY = row(120, { pgid: 119, sid: 119 });
const SUPERVISOR = row(100);

interface Seen {
  readonly owned?: readonly ProcessRow[];
  readonly foreign?: readonly ProcessRow[];
  readonly others?: readonly ProcessRow[];
  readonly blind?: boolean;
}

function step(state: LadderState, now: number, seen: Seen): LadderStep {
  const owned = seen.owned ?? [];
  const foreign = seen.foreign ?? [];
  return climb(state, {
    found: seen.blind === true ? null : { owned, foreign },
    rows: [SUPERVISOR, ...owned, ...foreign, ...(seen.others ?? [])],
    now,
    native: 101,
    group: 100,
    leaders: [100],
  });
}

/** Lets time pass with the same things left, and tells the signals with their times. */
function climbThrough(from: RungName, seen: Seen): { signals: string[]; last: LadderStep } {
  const signals: string[] = [];
  let state = startLadder(from, 0);
  let now = 0;
  while (true) {
    const one = step(state, now, seen);
    for (const signal of one.signals) {
      const target = signal.kind === "group" ? -signal.pgid : signal.pid;
      const said = `${signal.signal} ${target}`;
      if (!signals.some((line) => line.endsWith(said))) signals.push(`${now} ${said}`);
    }
    if (one.done !== null) return { signals, last: { ...one, waitMs: now } };
    assert(one.waitMs > 0 && one.waitMs <= 150, "a look is neither at once nor far away");
    state = one.state;
    now += one.waitMs;
  }
}

const firstTime = (lines: readonly string[], ending: string) =>
  Number(lines.find((line) => line.endsWith(ending))?.split(" ")[0]);

Deno.test("ladder: every rung leads to the last one, and only kill stays", () => {
  for (const name of Object.keys(LADDER) as RungName[]) {
    let rungs = 0;
    let at: RungName = name;
    for (let next = LADDER[at].next; next !== null; next = LADDER[at].next) {
      at = next;
      assert(++rungs < 4);
    }
    assertEquals(at, "kill");
  }
});

Deno.test("ladder: nothing left ends it at once, without a signal", () => {
  for (const from of ["settle", "term_group"] as const) {
    const one = step(startLadder(from, 0), 0, {});
    assertEquals([one.done, one.signals.length, one.state.retired.size], ["gone", 0, 0]);
  }
});

Deno.test("ladder: a stop asks the group, waits 2.5 s, asks the strays, waits 1 s, then kills one by one", () => {
  const { signals, last } = climbThrough("term_group", { owned: [NATIVE, STRAY] });
  assertEquals(signals.map((line) => line.slice(line.indexOf(" ") + 1)), [
    "SIGTERM -100",
    "SIGTERM -119",
    "SIGKILL 101",
    "SIGKILL 120",
  ]);
  assertEquals(firstTime(signals, "SIGTERM -100"), 0);
  const strays = firstTime(signals, "SIGTERM -119");
  const kill = firstTime(signals, "SIGKILL 101");
  assert(strays >= 2_500 && strays < 2_700, `strays at ${strays}`);
  assert(kill >= strays + 1_000 && kill < strays + 1_200, `kill at ${kill}`);
  assertEquals(last.done, "left");
  assert(last.waitMs >= 8_000 && last.waitMs < 8_100, `gave up at ${last.waitMs}`);
  assertEquals([last.state.escalated, last.state.retired.size], [true, 2]);
});

Deno.test("ladder: the polite signal to the group is no retirement", () => {
  const first = step(startLadder("term_group", 0), 0, { owned: [NATIVE] });
  const second = step(first.state, 30, {});
  assertEquals([second.done, second.state.retired.size, second.state.escalated], [
    "gone",
    0,
    false,
  ]);
});

Deno.test("ladder: the wait for the native process ends with it", () => {
  const first = step(startLadder("term_group", 0), 0, { owned: [NATIVE, STRAY] });
  const second = step(first.state, 50, { owned: [STRAY] });
  assertEquals(second.state.rung, "term_strays");
  assertEquals(second.signals, [{ kind: "group", pgid: 119, signal: "SIGTERM" }]);
});

Deno.test("ladder: after a normal end what goes by itself is not signalled", () => {
  const first = step(startLadder("settle", 0), 0, { owned: [STRAY] });
  assertEquals(first.signals, []);
  const late = step(first.state, LADDER.settle.waitMs, { owned: [STRAY] });
  assertEquals(late.state.rung, "term_strays");
  assertEquals(late.state.retired.size, 1);
});

Deno.test("ladder: a group with a stranger in it is signalled one by one", () => {
  const stranger = row(300, { pgid: 119 });
  const one = step(startLadder("term_strays", 0), 0, { owned: [STRAY], others: [stranger] });
  assertEquals(one.signals, [{ kind: "process", pid: 120, signal: "SIGTERM" }]);
});

Deno.test("ladder: another user's process is never signalled, and its group neither", () => {
  const sudo = row(140, { pgid: 119, uid: 0 });
  const { signals, last } = climbThrough("term_group", { owned: [STRAY], foreign: [sudo] });
  assertEquals(signals.map((line) => line.slice(line.indexOf(" ") + 1)), [
    "SIGTERM 120",
    "SIGKILL 120",
  ]);
  assertEquals(last.done, "left");
});

Deno.test("ladder: with only another user's process left it does not wait for the deadline", () => {
  const { signals, last } = climbThrough("settle", { foreign: [row(140, { uid: 0 })] });
  assertEquals(signals, []);
  assertEquals(last.done, "left");
  assert(last.waitMs < 2_000, `gave up at ${last.waitMs}`);
});

Deno.test("ladder: newcomers are asked too, and nobody twice on one rung", () => {
  const newcomer = row(130, { pgid: 129, sid: 129 });
  const first = step(startLadder("term_strays", 0), 0, { owned: [STRAY] });
  const second = step(first.state, 60, { owned: [STRAY, newcomer] });
  assertEquals(second.signals, [{ kind: "group", pgid: 129, signal: "SIGTERM" }]);
});

Deno.test("ladder: on the last rung everybody is killed at every look", () => {
  const first = step(startLadder("kill", 0), 0, { owned: [STRAY] });
  const second = step(first.state, 25, { owned: [STRAY] });
  assertEquals(second.signals, first.signals);
  assertEquals(second.state.retired.size, 1);
});

Deno.test("ladder: a process without a start time is not signalled, and not taken for gone", () => {
  const unborn = row(150, { start: -1, pgid: 0, sid: 0 });
  const one = step(startLadder("kill", 0), 0, { owned: [unborn] });
  assertEquals([one.done, one.signals.length], [null, 0]);
});

Deno.test("ladder: a failed look is never an empty one", () => {
  const { signals, last } = climbThrough("term_group", { blind: true });
  assertEquals(signals, []);
  assertEquals(last.done, "left");
  assertEquals(last.state.escalated, false);
});

Deno.test("ladder: whoever hurries is at the last rung at once, with what it has done before", () => {
  const asked = step(startLadder("term_group", 0), 0, { owned: [NATIVE, STRAY] });
  assertEquals(asked.signals.map(({ signal }) => signal), ["SIGTERM"]);
  const hurried = skipToKill(asked.state, 10);
  const killed = step(hurried, 10, { owned: [NATIVE, STRAY] });
  assertEquals(
    killed.signals.map((one) => one.kind === "process" ? [one.signal, one.pid] : one),
    [["SIGKILL", NATIVE.pid], ["SIGKILL", STRAY.pid]],
  );
  assert(killed.state.escalated);
  assert(skipToKill(killed.state, 20) === killed.state, "the last rung is the last");
});
