/** A turn whose process and clock are the test's. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { AdapterError } from "../../src/base/errors.ts";
import { ToolBench } from "../../src/bridge/tool_bench.ts";
import { checkTurnOptions } from "../../src/executor/turn_options.ts";
import { createProcessTable } from "../../src/host/process_table.ts";
import { Turn } from "../../src/library/turn.ts";
import { FakeClock, settle } from "../helpers/fake_clock.ts";
import { FakeLauncher } from "../helpers/fake_launcher.ts";

const CANCELLED = new AdapterError("cancelled", "The turn was cancelled by its caller");

/** A turn with one tool that never answers, up to the start of its process. */
async function begun(disposeGraceMs: number) {
  const [clock, launcher] = [new FakeClock(), new FakeLauncher()];
  const bench = new ToolBench([{
    name: "wait",
    description: "d",
    inputSchema: { type: "object" },
    handler: () => new Promise<never>(() => {}),
  }], { clock });
  const host = {
    clock,
    launcher,
    log: { write: () => {} },
    admission: { checks: () => Promise.resolve([]) },
    env: {},
    table: createProcessTable(),
    sweep: () => Promise.resolve(),
  };
  const turn = new Turn({
    options: checkTurnOptions({ model: "m", apiKey: "k", disposeGraceMs }),
    system: null,
    stdin: "",
    bench,
    longestToolMs: 1_000,
    checkAnswer: null,
    signal: undefined,
  }, { host, executable: "/opt/claude", onFolder: () => {} });
  while (launcher.launched.length === 0) await settle();
  launcher.last.starts();
  await settle();
  const call = () =>
    bench.call({ name: "wait", input: {}, signal: new AbortController().signal, callId: null });
  return { bench, call, clock, launcher, turn };
}

/** Moves the clock until the process is told to end; how long that took. */
async function untilStopped({ clock, launcher }: Awaited<ReturnType<typeof begun>>) {
  const before = clock.monotonic();
  while (launcher.last.stops === 0) {
    assert(clock.monotonic() - before < 200_000, "it is never told");
    await clock.tick(1_000);
    // Closing the listener is real.
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return clock.monotonic() - before;
}

async function over({ launcher, turn }: Awaited<ReturnType<typeof begun>>) {
  launcher.last.ends(143);
  const error = await assertRejects(() => turn.result, AdapterError);
  assertEquals((error as AdapterError).code, "cancelled");
}

Deno.test("a turn that is given up answers its calls, waits for the process to end by itself, and only then ends it", async () => {
  const world = await begun(50_000);
  const answer = world.call();
  await settle();
  world.turn.stop(CANCELLED);
  await settle();
  assertEquals((await answer).isError, true);
  assertEquals(world.launcher.last.stops, 0, "not yet");
  assert(await untilStopped(world) >= 50_000);
  await over(world);
});

Deno.test("without a grace, or without a call, there is nothing to wait for", async () => {
  for (const [grace, calls] of [[0, true], [50_000, false]] as const) {
    const world = await begun(grace);
    if (calls) void world.call();
    await settle();
    world.turn.stop(CANCELLED);
    assert(await untilStopped(world) < 50_000);
    await over(world);
  }
});

Deno.test("a process that ends by itself in its grace is not told to", async () => {
  const world = await begun(50_000);
  void world.call();
  await settle();
  world.turn.stop(CANCELLED);
  await world.clock.tick(100);
  await over(world);
  assertEquals(world.launcher.last.stops, 0);
});
