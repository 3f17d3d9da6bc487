import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { AdapterError } from "../../src/base/errors.ts";
import { MAX_ACTIVE_RUNS } from "../../src/base/limits.ts";
import type { RunArguments } from "../../src/contract/run_arguments.ts";
import type { SettledRun } from "../../src/engine/api.ts";
import type { Cleanup } from "../../src/supervision/receipts.ts";
import { settle } from "../helpers/fake_clock.ts";
import { CLEAN, type FakeSupervised } from "../helpers/fake_launcher.ts";
import { init, result } from "../helpers/frames.ts";
import { type TestEngine, testEngine } from "../helpers/test_engine.ts";

const ARGS: RunArguments = {
  prompt: "hello",
  permission_mode: "dontAsk",
  background_tasks: "allow",
  timeout_seconds: 600,
  max_events: 128,
};
const LEFT: Cleanup = {
  confirmed: false,
  retired: 2,
  escalated: true,
  survivors: [{ pid: 9, name: "sleep" }],
};

/** A run that answered, but left something that could not be ended; a later look would find `found`. */
async function unconfirmed(
  { engine, launcher }: TestEngine,
  found: Cleanup,
): Promise<{ readonly id: string; readonly native: FakeSupervised }> {
  const { run_id } = engine.start(ARGS, null);
  await settle();
  const native = launcher.last;
  native.found = found;
  native.starts().prints(init(), result()).ends(0, { cleanup: LEFT });
  await settle();
  return { id: run_id, native };
}

const codeOf = (act: () => unknown) => assertThrows(act, AdapterError).code;

Deno.test("look again: a release that is refused looks, and the next one is granted", async () => {
  const b = testEngine();
  const { id, native } = await unconfirmed(b, CLEAN);
  assertEquals(native.recoveries, 0);
  const refused = assertThrows(() => b.engine.release(id), AdapterError);
  assertEquals(refused.code, "cleanup_unconfirmed");
  assertStringIncludes(refused.message, "try again");
  await settle();
  assertEquals(native.recoveries, 1);
  assertEquals(b.engine.release(id), { run_id: id, released: true });
});

Deno.test("look again: what was found changes the clean-up and not how the run ended", async () => {
  const b = testEngine();
  const { id } = await unconfirmed(b, { ...CLEAN, retired: 1 });
  const before = b.engine.result(id) as SettledRun;
  assertEquals([before.cleanup_confirmed, before.cleanup_error?.code], [
    false,
    "cleanup_unconfirmed",
  ]);
  b.engine.cancel(id);
  await settle();
  const after = b.engine.result(id) as SettledRun;
  assertEquals([after.state, after.error], [before.state, before.error], "the first cause stays");
  assertEquals(after.result, "the answer");
  assertEquals([after.cleanup_confirmed, after.cleanup_error], [true, undefined]);
  assertEquals(after.cleanup, { confirmed: true, retired: 3, escalated: true, survivors: [] });
  assertEquals(b.logs.at(-1), "info: clean-up was confirmed by a later look");
});

Deno.test("look again: unconfirmed runs do not block new ones for ever", async () => {
  const b = testEngine();
  const left: FakeSupervised[] = [];
  for (let i = 0; i < MAX_ACTIVE_RUNS; i++) left.push((await unconfirmed(b, LEFT)).native);
  const refused = assertThrows(() => b.engine.start(ARGS, null), AdapterError);
  assertEquals(refused.code, "capacity");
  assertStringIncludes(refused.message, "looked at again now");
  await settle();
  assertEquals(codeOf(() => b.engine.start(ARGS, null)), "capacity", "they are still there");
  for (const native of left) native.found = CLEAN; // somebody ended them
  await settle();
  assertEquals(codeOf(() => b.engine.start(ARGS, null)), "capacity", "nobody has looked yet");
  await settle();
  assertEquals(b.engine.start(ARGS, null).state, "starting");
});

Deno.test("look again: one look at a time, and none at a run that is live or confirmed", async () => {
  const b = testEngine();
  const { id, native } = await unconfirmed(b, CLEAN);
  const gate = Promise.withResolvers<Cleanup>();
  native.recover = () => {
    native.recoveries += 1;
    return gate.promise;
  };
  for (let i = 0; i < 3; i++) {
    assertEquals(codeOf(() => b.engine.release(id)), "cleanup_unconfirmed");
  }
  assertEquals(native.recoveries, 1);
  gate.resolve(CLEAN);
  await settle();
  b.engine.cancel(id);
  assertEquals(native.recoveries, 1);
  const live = b.engine.start(ARGS, null).run_id;
  await settle();
  b.engine.cancel(live);
  assertEquals(codeOf(() => b.engine.release(live)), "run_active");
  assertEquals(b.launcher.last.recoveries, 0);
});
