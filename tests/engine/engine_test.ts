import {
  assert,
  assertEquals,
  assertObjectMatch,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { AdapterError, type ErrorCode } from "../../src/base/errors.ts";
import { jsonBytes, type JsonObject } from "../../src/base/json.ts";
import { MAX_EVENT_BYTES } from "../../src/base/limits.ts";
import type { RunArguments } from "../../src/contract/run_arguments.ts";
import type { SettledRun } from "../../src/engine/api.ts";
import type { ObservedItem } from "../../src/engine/run.ts";
import type { SessionLocks } from "../../src/supervision/ports.ts";
import { settle } from "../helpers/fake_clock.ts";
import type { FakeSupervised } from "../helpers/fake_launcher.ts";
import { followUp, init, result, says } from "../helpers/frames.ts";
import { type TestEngine, testEngine } from "../helpers/test_engine.ts";

const ARGS: RunArguments = {
  prompt: "hello",
  permission_mode: "dontAsk",
  background_tasks: "allow",
  timeout_seconds: 600,
  max_events: 128,
};
const NO_PAGE = { after_cursor: 0, limit: 128, max_bytes: 196_608 };
const LEFT = {
  confirmed: false,
  retired: 2,
  escalated: true,
  survivors: [{ pid: 9, name: "sleep" }],
};

interface Bench extends TestEngine {
  /** Starts a run and waits until it was launched. */
  run(args?: Partial<RunArguments>): Promise<{ id: string; native: FakeSupervised }>;
  settled(id: string): SettledRun;
}

function bench(options: Parameters<typeof testEngine>[0] = {}): Bench {
  const made = testEngine(options);
  const { engine, launcher } = made;
  return {
    ...made,
    async run(args = {}) {
      const { run_id } = engine.start({ ...ARGS, ...args }, null);
      await settle();
      return { id: run_id, native: launcher.last };
    },
    settled(id) {
      const value = engine.result(id);
      assert(value.completed, `run ${id} has not settled: ${JSON.stringify(value)}`);
      return value as SettledRun;
    },
  };
}

/** A whole successful run. */
async function succeed(b: Bench, args: Partial<RunArguments> = {}): Promise<string> {
  const { id, native } = await b.run(args);
  native.starts().prints(init(), says("the answer"), result()).ends();
  await settle();
  return id;
}

function codeOf(act: () => unknown): ErrorCode {
  return assertThrows(act, AdapterError).code;
}

Deno.test("engine: a run goes from starting over running to completed", async () => {
  const b = bench();
  const info = b.engine.start(ARGS, null);
  assertEquals([info.state, info.completed, info.session_id], ["starting", false, null]);
  assertEquals(info.created_at, 1_000);
  assertEquals(info.activity, "starting for 0 s");
  await settle();
  b.launcher.last.starts().prints(init());
  await settle();
  const live = b.engine.result(info.run_id);
  assertEquals([live.state, live.completed], ["running", false]);
  assertEquals(live.session_id, "11111111-1111-4111-8111-111111111111");
  b.launcher.last.prints(says("the answer"), result()).ends();
  await settle();
  const value = b.settled(info.run_id);
  assertEquals(value.state, "completed");
  assertEquals([value.is_error, value.error], [false, undefined]);
  assertEquals([value.result, value.subtype, value.total_cost_usd], [
    "the answer",
    "success",
    0.25,
  ]);
  assertEquals([value.exit_code, value.signal, value.permission_mode], [0, null, "dontAsk"]);
  assertEquals(value.native, {
    version: "2.1.332",
    executable: "/opt/claude",
    admitted_by: "tree",
  });
  assertEquals([value.cleanup_confirmed, value.cleanup?.retired], [true, 0]);
  assertEquals(value.final_event, result());
  assertEquals(value.events.length, 3);
  assertEquals(value.event_page.next_cursor, 3);
  assertEquals([value.events_truncated, value.stderr_tail], [false, undefined]);
  assertEquals("activity" in value, false);
  assertEquals(b.clock.pending, 0, "a settled run leaves no timer");
});

Deno.test("engine: completed stays false until clean-up is known, even after the result and the exit", async () => {
  const b = bench();
  const { id, native } = await b.run();
  native.starts().prints(init(), result()).reports({ receipt: "exit", code: 0, signal: null });
  await settle();
  assertEquals(b.engine.info(id).completed, false);
  native.reports({ receipt: "cleanup", cleanup: LEFT }).closesReceipts().closesStdout();
  await settle();
  const value = b.settled(id);
  assertEquals([value.state, value.error?.code], ["failed", "cleanup_unconfirmed"]);
  assertEquals(value.cleanup_error?.code, "cleanup_unconfirmed");
  assertEquals(value.result, "the answer");
  assertEquals(value.cleanup?.survivors, [{ pid: 9, name: "sleep" }]);
});

Deno.test("engine: a deadline armed at reservation stops a hung process, and its answer is kept", async () => {
  const b = bench();
  const { id, native } = await b.run({ timeout_seconds: 10 });
  native.starts().prints(init(), result());
  await b.clock.tick(9_999);
  assertEquals(native.stops, 0);
  await b.clock.tick(1);
  assertEquals(native.stops, 1);
  assertStringIncludes(b.engine.info(id).activity ?? "", "stopping (timeout)");
  native.ends(143);
  await settle();
  const value = b.settled(id);
  assertEquals([value.state, value.error?.code, value.result], ["failed", "timeout", "the answer"]);
  assertEquals(value.exit_code, 143);
});

Deno.test("engine: cancel asks once, is the first cause, and the second cancel changes nothing", async () => {
  const b = bench();
  const { id, native } = await b.run();
  native.starts();
  await settle();
  assertEquals(b.engine.cancel(id).cancel_requested, true);
  b.engine.cancel(id);
  assertEquals(native.stops, 1);
  native.prints("garbage\n").ends(143);
  await settle();
  const value = b.settled(id);
  assertEquals([value.state, value.error?.code], ["cancelled", "cancelled"]);
  assertEquals(b.engine.cancel(id).cancel_requested, false);
});

Deno.test("engine: a cancel that kills leaves out the polite time, with the first one's reason", async () => {
  const b = bench();
  const { id, native } = await b.run();
  native.starts();
  await settle();
  b.engine.cancel(id, { reason: "Somebody pressed Ctrl-C" });
  assertEquals([native.stops, native.kills], [1, 0]);
  b.engine.cancel(id, { kill: true });
  assertEquals([native.stops, native.kills], [1, 1]);
  native.ends(137, { signal: "SIGKILL" });
  await settle();
  assertEquals(b.settled(id).error, { code: "cancelled", message: "Somebody pressed Ctrl-C" });
  b.engine.cancel(id, { kill: true });
  assertEquals(native.kills, 1, "what has settled is left alone");
});

Deno.test("engine: an observer is told of everything at once, also of more than is kept", async () => {
  const seen: ObservedItem[] = [];
  const b = bench({ onItem: (observed) => void seen.push(observed) });
  const { id, native } = await b.run();
  const many = Array.from({ length: 600 }, (_, i) => says(`word ${i}`));
  const large = says("x".repeat(MAX_EVENT_BYTES));
  native.starts().prints(init(), ...many, "\n", large, result()).ends();
  await settle();
  assertEquals(b.settled(id).event_page.observed_events, 603);
  assertEquals(seen.map(({ event }) => event?.cursor), [
    ...Array.from({ length: 601 }, (_, i) => i + 1),
    undefined,
    602,
    603,
  ]);
  const { item, event } = seen.at(-2)!;
  assert(item.kind === "frame" && item.frame.message !== undefined, "whole");
  assertObjectMatch(event!.event as JsonObject, { omitted: true, reason: "event_byte_bound" });
  assert(seen.every(({ runId }) => runId === id));
});

Deno.test("engine: a cancel before the launch starts nothing", async () => {
  const b = bench();
  const { run_id } = b.engine.start(ARGS, null);
  b.engine.cancel(run_id);
  await settle();
  assertEquals(b.launcher.launched.length, 0);
  const { state, error, cleanup_confirmed } = b.settled(run_id);
  assertEquals([state, error?.code, cleanup_confirmed], ["cancelled", "cancelled", true]);
});

Deno.test("engine: a cancel while the launch is under way still reaches the supervisor", async () => {
  const b = bench();
  const gate = Promise.withResolvers<void>();
  b.launcher.gate = gate.promise;
  const { run_id } = b.engine.start(ARGS, null);
  await settle();
  b.engine.cancel(run_id);
  gate.resolve();
  await settle();
  assertEquals(b.launcher.last.stops, 1);
  b.launcher.last.ends(143);
  await settle();
  assertEquals(b.settled(run_id).state, "cancelled");
});

Deno.test("engine: a cancel after the native process ended does not throw the answer away", async () => {
  const b = bench();
  const { id, native } = await b.run();
  native.starts().prints(init(), result()).reports({ receipt: "exit", code: 0, signal: null });
  await settle();
  assertEquals(b.engine.cancel(id).cancel_requested, false);
  native.reports({ receipt: "cleanup", cleanup: b.launcher.last.found }).closesReceipts()
    .closesStdout();
  await settle();
  assertEquals(b.settled(id).state, "completed");
});

const FAULTS: readonly (readonly [string, readonly (JsonObject | string)[], ErrorCode])[] = [
  ["a malformed line", ["Debugger attached.\n"], "invalid_vendor_response"],
  ["a line that is an array", ["[1]\n"], "invalid_vendor_response"],
  ["a second result", [result(), result()], "invalid_vendor_response"],
  ["an invalid result", [result({ is_error: 1 })], "invalid_vendor_response"],
  ["a result above 128 KiB", [result({ result: "x".repeat(140_000) })], "result_too_large"],
  ["a result frame above 1 MiB", [result({ result: "x".repeat(1_100_000) })], "frame_too_large"],
];
for (const [name, frames, code] of FAULTS) {
  Deno.test(`engine: ${name} stops the run with ${code}`, async () => {
    const b = bench();
    const { id, native } = await b.run();
    native.starts().prints(init(), ...frames);
    await settle();
    assertEquals(native.stops, 1);
    native.ends(143);
    await settle();
    const value = b.settled(id);
    assertEquals([value.state, value.error?.code], ["failed", code]);
  });
}

Deno.test("engine: blank lines are ignored", async () => {
  const b = bench();
  const { id, native } = await b.run();
  native.starts().prints("\n", "  \n", init(), result(), "\n").ends();
  await settle();
  assertEquals(b.settled(id).state, "completed");
});

Deno.test("engine: a frame above 1 MiB is an omitted event and the run goes on", async () => {
  const b = bench();
  const { id, native } = await b.run();
  native.starts().prints(init(), says("x".repeat(1_200_000)), result()).ends();
  await settle();
  const value = b.settled(id);
  assertEquals(value.state, "completed");
  const marker = value.events[1] as JsonObject;
  assertEquals([marker.omitted, marker.reason, marker.type], [
    true,
    "frame_byte_bound",
    "assistant",
  ]);
  assertEquals([value.event_page.omitted_events, value.events_truncated], [1, true]);
});

Deno.test("engine: with oversized frames 'fail' the run stops as soon as the bound is passed", async () => {
  const b = bench({ oversizedFrames: "fail" });
  const { id, native } = await b.run();
  native.starts().prints(init(), "x".repeat(1_100_000));
  await settle();
  assertEquals(native.stops, 1);
  native.ends(143);
  await settle();
  assertEquals(b.settled(id).error?.code, "frame_too_large");
});

Deno.test("engine: an oversized frame of which nothing comes for 2 s is frame_too_large", async () => {
  const b = bench();
  const { id, native } = await b.run();
  native.starts().prints(init(), '{"type":"user","x":"' + "x".repeat(1_100_000));
  await b.clock.tick(1_500);
  native.prints("y");
  await b.clock.tick(1_999);
  assertEquals(native.stops, 0);
  await b.clock.tick(1);
  assertEquals(native.stops, 1);
  native.ends(143);
  await settle();
  assertEquals(b.settled(id).error?.code, "frame_too_large");
});

Deno.test("engine: a frame past 64 MiB is frame_too_large although it goes on", async () => {
  const b = bench();
  const { native } = await b.run();
  native.starts();
  const part = "x".repeat(8 * 1024 * 1024);
  for (let n = 0; n < 8; n++) native.prints(part);
  await settle();
  assertEquals(native.stops, 0);
  native.prints(part);
  await settle();
  assertEquals(native.stops, 1);
  native.ends(143);
  await settle();
});

Deno.test("engine: a follow-up result is kept beside the answer, with the last cost", async () => {
  const b = bench();
  const { id, native } = await b.run();
  native.starts().prints(init(), result(), init(), followUp({ total_cost_usd: 0.75 })).ends();
  await settle();
  const value = b.settled(id);
  assertEquals([value.state, value.result, value.total_cost_usd], [
    "completed",
    "the answer",
    0.75,
  ]);
  assertEquals(value.followups, [{ result: "later", subtype: "success", is_error: false }]);
});

Deno.test("engine: a stranger that holds stdout open does not keep the run from settling", async () => {
  const b = bench();
  const { id, native } = await b.run();
  native.starts().prints(init(), result()).reports(
    { receipt: "exit", code: 0, signal: null },
    { receipt: "cleanup", cleanup: b.launcher.last.found },
  ).closesReceipts();
  await b.clock.tick(100);
  assertEquals(b.engine.info(id).completed, false);
  await b.clock.tick(100);
  assertEquals(b.settled(id).state, "completed");
  assertEquals(native.stdoutCancelled, true);
});

Deno.test("engine: a stranger that keeps writing is left after 3 s", async () => {
  const b = bench();
  const { id, native } = await b.run();
  native.starts().prints(init(), result()).reports(
    { receipt: "exit", code: 0, signal: null },
    { receipt: "cleanup", cleanup: b.launcher.last.found },
  ).closesReceipts();
  for (let n = 0; n < 40 && !b.engine.info(id).completed; n++) {
    native.prints("\n");
    await b.clock.tick(100);
  }
  assertEquals(b.settled(id).state, "completed");
});

Deno.test("engine: a supervisor that dies without a receipt makes the adapter look itself", async () => {
  const b = bench();
  const { id, native } = await b.run();
  native.starts().prints(init(), result()).closesReceipts().closesStdout();
  await settle();
  const value = b.settled(id);
  assertEquals(native.recoveries, 1);
  assertEquals([value.state, value.error?.code], ["failed", "vendor_failed"]);
  assertEquals([value.cleanup_confirmed, value.exit_code], [true, null]);
  assertStringIncludes(value.error?.message ?? "", "supervisor was lost");
});

Deno.test("engine: when even that finds something left, it is cleanup_unconfirmed as well", async () => {
  const b = bench();
  const { id, native } = await b.run();
  native.found = LEFT;
  native.starts().closesReceipts().closesStdout();
  await settle();
  const value = b.settled(id);
  assertEquals(value.cleanup_error?.code, "cleanup_unconfirmed");
  assertEquals(codeOf(() => b.engine.release(id)), "cleanup_unconfirmed");
});

Deno.test("engine: a supervisor that hangs after a stop is given up after the ladder and its grace", async () => {
  const b = bench();
  const { id, native } = await b.run();
  native.starts();
  await settle();
  b.engine.cancel(id);
  await b.clock.tick(9_999);
  assertEquals(native.recoveries, 0);
  await b.clock.tick(1);
  assertEquals(native.recoveries, 1);
  await b.clock.tick(3_000);
  assertEquals(b.settled(id).state, "cancelled");
});

Deno.test("engine: a version that differs is incompatible_vendor and names both", async () => {
  const b = bench();
  const { id, native } = await b.run();
  native.reports(
    { receipt: "version", ok: false, stdout: "1.3.14\n", detail: "its output differs" },
    { receipt: "cleanup", cleanup: native.found },
  ).closesReceipts().closesStdout();
  await settle();
  const value = b.settled(id);
  assertEquals(value.error?.code, "incompatible_vendor");
  assertStringIncludes(value.error?.message ?? "", "1.3.14");
  assertStringIncludes(value.error?.message ?? "", "2.1.332 (Claude Code)");
  assertEquals(value.native.version, "1.3.14");
});

const SPAWN:
  readonly (readonly ["not_found" | "not_executable" | "too_large" | "other", ErrorCode])[] = [
    ["not_found", "dependency_unavailable"],
    ["not_executable", "dependency_unavailable"],
    ["too_large", "startup_failed"],
    ["other", "startup_failed"],
  ];
for (const [fault, code] of SPAWN) {
  Deno.test(`engine: a spawn that fails as ${fault} is ${code}`, async () => {
    const b = bench();
    const { id, native } = await b.run();
    native.reports(
      { receipt: "spawn_failed", fault, detail: "why" },
      { receipt: "cleanup", cleanup: native.found },
    ).closesReceipts().closesStdout();
    await settle();
    assertEquals(b.settled(id).error?.code, code);
  });
}

Deno.test("engine: a supervisor that cannot be started is startup_failed with nothing left", async () => {
  const b = bench();
  b.launcher.launchFault = new AdapterError("startup_failed", "no more processes");
  const { run_id } = b.engine.start(ARGS, null);
  await settle();
  const value = b.settled(run_id);
  assertEquals([value.error?.code, value.cleanup_confirmed], ["startup_failed", true]);
  assertEquals(b.clock.pending, 0);
});

Deno.test("engine: what cannot start keeps nothing and evicts nobody", async () => {
  const b = bench();
  const first = await succeed(b);
  b.launcher.locateFault = new AdapterError("dependency_unavailable", "no claude");
  assertEquals(codeOf(() => b.engine.start(ARGS, null)), "dependency_unavailable");
  assertEquals(b.engine.list().map((run) => run.run_id), [first]);
});

Deno.test("engine: a fifth active run is capacity, and a settled one makes room for it", async () => {
  const b = bench();
  const runs = [];
  for (let n = 0; n < 4; n++) runs.push(await b.run());
  assertEquals(codeOf(() => b.engine.start(ARGS, null)), "capacity");
  assertEquals(b.engine.list().length, 4);
  runs[0]!.native.starts().prints(init(), result()).ends();
  await settle();
  const fifth = await b.run();
  assertEquals(b.engine.list().length, 5);
  for (const { native } of [...runs.slice(1), fifth]) native.starts().ends();
  await settle();
});

Deno.test("engine: the 33rd run evicts the oldest settled one, whose handle is then unknown", async () => {
  const b = bench();
  const ids: string[] = [];
  for (let n = 0; n < 33; n++) ids.push(await succeed(b));
  assertEquals(b.engine.list().length, 32);
  assertEquals(codeOf(() => b.engine.info(ids[0]!)), "unknown_run");
  assertEquals(b.engine.list()[0]!.run_id, ids[1]);
});

Deno.test("engine: release forgets a settled run and refuses an active one", async () => {
  const b = bench();
  const { id, native } = await b.run();
  assertEquals(codeOf(() => b.engine.release(id)), "run_active");
  native.starts().prints(init(), result()).ends();
  await settle();
  assertEquals(b.engine.release(id), { run_id: id, released: true });
  for (
    const act of [
      () => b.engine.info(id),
      () => b.engine.result(id),
      () => b.engine.cancel(id),
      () => b.engine.release(id),
      () => b.engine.events(id, NO_PAGE),
    ]
  ) assertEquals(codeOf(act), "unknown_run");
});

Deno.test("engine: a session that is or may be in use is session_busy before anything starts", async () => {
  const b = bench();
  const session = "11111111-1111-4111-8111-111111111111";
  const first = await b.run({ resume_session_id: session });
  for (const args of [{ resume_session_id: ` ${session}` }, { continue_previous: true }]) {
    assertEquals(codeOf(() => b.engine.start({ ...ARGS, ...args }, null)), "session_busy");
  }
  assertEquals(b.launcher.launched.length, 1);
  first.native.starts().prints(init(), result()).ends();
  await settle();
  const second = await b.run({ continue_previous: true });
  const resume = () => b.engine.start({ ...ARGS, resume_session_id: "another" }, null);
  assertEquals(codeOf(resume), "session_busy");
  second.native.starts().prints(init());
  await settle();
  resume(); // now it is known which one the second continues
  await settle();
  for (const native of b.launcher.launched.slice(1)) native.ends(143);
  await settle();
});

Deno.test("engine: sessions that a run goes on with are held from before its start until its end", async () => {
  const held: string[] = [];
  const sessions: SessionLocks = {
    hold(id) {
      if (id === "taken") return Promise.reject(new AdapterError("session_busy", "by another"));
      held.push(id);
      return Promise.resolve(() => Promise.resolve(void held.splice(held.indexOf(id), 1)));
    },
  };
  const b = bench({ sessions });
  const { run_id: refused } = b.engine.start({ ...ARGS, resume_session_id: "taken" }, null);
  await settle();
  assertEquals(b.launcher.launched.length, 0);
  assertEquals(b.settled(refused).error?.code, "session_busy");
  assertEquals(b.settled(refused).cleanup_confirmed, true);

  const named = await b.run({ resume_session_id: "named" });
  const latest = await b.run();
  assertEquals(held, ["named"]);
  latest.native.starts().prints(init(), result()).ends();
  await settle();
  assertEquals(held, ["named"], "a conversation of a run's own is nobody else's");
  named.native.starts().prints(init());
  await settle();
  assertEquals(held.length, 2, "a title led to it");
  named.native.prints(result()).ends();
  await settle();
  assertEquals(held, []);
  const ended = await b.run({ continue_previous: true });
  ended.native.starts().prints(init());
  await settle();
  assertEquals(held.length, 1);
  ended.native.ends(143);
  await settle();
  assertEquals(held, []);
});

Deno.test("engine: a session that only the CLI knew is found when it reports it, and the later run stops", async () => {
  const b = bench();
  const first = await b.run();
  const second = await b.run();
  first.native.starts().prints(init());
  await settle();
  second.native.starts().prints(init());
  await settle();
  assertEquals([first.native.stops, second.native.stops], [0, 1]);
  second.native.ends(143);
  first.native.prints(result()).ends();
  await settle();
  assertEquals(b.settled(second.id).error?.code, "session_busy");
  assertEquals(b.settled(first.id).state, "completed");
});

Deno.test("engine: waiting ends at the settled run, at the bound, at an abort and at a new event", async () => {
  const b = bench();
  const { id, native } = await b.run();
  const order: string[] = [];
  const abort = new AbortController();
  const wait = (name: string, more: { afterCursor?: number; signal?: AbortSignal }, seconds = 50) =>
    void b.engine.wait(id, { seconds, ...more }).then(() => order.push(name));
  wait("event", { afterCursor: 0 });
  wait("bound", {}, 5);
  wait("abort", { signal: abort.signal });
  wait("settled", {});
  native.starts().prints(init());
  await settle();
  assertEquals(order, ["event"]);
  abort.abort();
  await b.clock.tick(5_000);
  assertEquals(order, ["event", "abort", "bound"]);
  native.prints(result()).ends();
  await settle();
  assertEquals(order, ["event", "abort", "bound", "settled"]);
  await b.engine.wait(id, { seconds: 50 });
  assertEquals(b.clock.pending, 0);
});

Deno.test("engine: events are read in pages while a run lives and after it settled", async () => {
  const b = bench();
  const { id, native } = await b.run();
  native.starts().prints(init(), says("a"));
  await settle();
  const page = b.engine.events(id, { ...NO_PAGE, limit: 1 });
  assertEquals(page.events.map((row) => row.cursor), [1]);
  assertEquals([page.has_more, page.state], [true, "running"]);
  assertEquals(
    codeOf(() => b.engine.events(id, { ...NO_PAGE, after_cursor: 3 })),
    "invalid_cursor",
  );
  native.prints(result()).ends();
  await settle();
  assertEquals(b.engine.events(id, { ...NO_PAGE, after_cursor: 2 }).events.length, 1);
});

Deno.test("engine: a settled value stays within 512 KiB whatever its parts, and says what it cut", async () => {
  const b = bench();
  const { id, native } = await b.run({ max_events: 256 });
  native.starts().prints(init());
  for (let n = 0; n < 300; n++) native.prints(says("e".repeat(900)));
  const denial = {
    tool_name: "Bash",
    tool_use_id: "t",
    tool_input: { command: "x".repeat(9_000) },
  };
  native.prints(
    result({ result: "r".repeat(60_000), permission_denials: Array(20).fill(denial).slice(0, 5) }),
  ).ends(1, { stderr: "\u0001".repeat(60_000) });
  await settle();
  const value = b.settled(id);
  assert(jsonBytes(value) <= 512 * 1024, `${jsonBytes(value)} bytes`);
  assertEquals(value.error?.code, "vendor_failed");
  assertEquals(value.events_truncated, true);
  assertEquals(value.permission_denials.count, 5);
  assert((value.stderr_tail?.length ?? 0) <= 8_192);
});

Deno.test("engine: work is unavailable while a run is unbound, and follows the bound ones", async () => {
  const b = bench();
  const owner = "22222222-2222-4222-8222-222222222222";
  const bound = b.engine.start(ARGS, owner).run_id;
  await settle();
  const first = b.engine.work();
  assertEquals(first.resources, [
    { kind: "claude.run", id: bound, acquired_by: owner, state: "active" },
  ]);
  const { id, native } = await b.run();
  assertEquals(codeOf(() => b.engine.work()), "work_unavailable");
  native.starts().ends(1, { cleanup: LEFT });
  b.launcher.launched[0]!.starts().prints(init(), result()).ends();
  await settle();
  assertEquals(codeOf(() => b.engine.work()), "work_unavailable");
  assertEquals(codeOf(() => b.engine.release(id)), "cleanup_unconfirmed");
  assertEquals(first.format_version, 1);
});

Deno.test("engine: shutdown admits nothing more, cancels every run and waits for their clean-up", async () => {
  const b = bench();
  const a = await b.run();
  const c = await b.run();
  a.native.starts();
  let over = false;
  const end = b.engine.shutdown().then(() => over = true);
  assertEquals(codeOf(() => b.engine.start(ARGS, null)), "cancelled");
  assertEquals([a.native.stops, c.native.stops], [1, 1]);
  a.native.ends(143);
  await settle();
  assertEquals(over, false);
  c.native.ends(143);
  await end;
  assertEquals(b.settled(a.id).state, "cancelled");
  assertEquals(b.settled(c.id).state, "cancelled");
  await b.engine.shutdown();
});

Deno.test("engine: shutdown is bounded even when nothing ever answers", async () => {
  const b = bench();
  const { native } = await b.run();
  native.recover = () => new Promise(() => {});
  let over = false;
  void b.engine.shutdown().then(() => over = true);
  await b.clock.tick(12_000);
  assertEquals(over, true);
  assertEquals(b.logs.at(-1), "error: a run ended without confirmed clean-up");
});
