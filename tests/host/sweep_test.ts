import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { MAX_SWEPT_RUNS, sweep } from "../../src/host/sweep.ts";
import type { ProcessRow } from "../../src/supervision/process_row.ts";
import { row } from "../supervision/rows.ts";
import { ProcessWorld } from "./process_world.ts";

const NAMESPACE = 4026531836;
const SELF = row(50, { start: 500 });
const DEAD = `${NAMESPACE}.40.400.dead`;
const LIVING = `${NAMESPACE}.60.600.living`;

/** A world with this adapter in it, and a way to sweep it. */
class World extends ProcessWorld {
  readonly stop = new AbortController();
  knowsNamespace = true;

  constructor(...rows: readonly ProcessRow[]) {
    super(SELF, ...rows);
  }

  /** Sweeps, letting time pass; tells how much it took. */
  async sweep(inside: readonly string[] = []): Promise<number> {
    const { knowsNamespace } = this;
    const self = { identity: { pid: 50, start: 500 }, namespace: NAMESPACE, knowsNamespace };
    const ports = { ...this.ports, log: this.log, self: () => Promise.resolve(self) };
    const started = this.clock.now();
    await this.letPass(sweep(ports, { inside, signal: this.stop.signal }));
    return this.clock.now() - started;
  }
}

const NATIVE = row(101, { pgid: 100, sid: 100, start: 1, tokens: [DEAD], name: "claude" });
const TOOL = row(120, { tokens: [DEAD], name: "sleep" });
const SUPERVISOR = row(100, { supervises: DEAD, name: "deno" });
const withParent = { ...NATIVE, ppid: 100 };
const BYSTANDERS = [
  row(60, { start: 600 }),
  row(61, { ppid: 60, supervises: LIVING }),
  row(62, { ppid: 61, pgid: 61, sid: 61, tokens: [LIVING] }),
  row(63, { tokens: ["4026532999.40.400.elsewhere"] }),
  row(64, { tokens: [`${NAMESPACE}.41.410.root`], uid: 0 }),
  row(65),
];

Deno.test("sweep: nothing is left, so one look is all", async () => {
  const world = new World(...BYSTANDERS);
  await world.sweep();
  assertEquals([world.looks, world.signals, world.log.lines], [1, [], []]);
});

Deno.test("sweep: a run without anybody is ended at once, gently, and nothing else is", async () => {
  const world = new World(NATIVE, TOOL, ...BYSTANDERS);
  await world.sweep();
  assertEquals(world.signals, ["0 SIGTERM -100", "30 SIGTERM -120"]);
  assertEquals(world.pids, [50, 60, 61, 62, 63, 64, 65]);
  assertEquals(world.log.lines.length, 1);
  const line = world.log.lines[0]!;
  assertStringIncludes(line, "warn: A run of an adapter that is gone was cleaned up {");
  const said = JSON.parse(line.slice(line.indexOf("{")));
  assertEquals(said, {
    run: "dead",
    adapter: 40,
    found: [{ pid: 101, name: "claude" }, { pid: 120, name: "sleep" }],
    rung: "term_strays",
    confirmed: true,
    retired: 1,
    escalated: false,
    survivors: [],
  });
});

Deno.test("sweep: what another user runs for a lost run is reported and not signalled", async () => {
  const world = new World(NATIVE, row(64, { tokens: [DEAD], uid: 0, name: "sudo" }));
  await world.sweep();
  assertEquals(world.signals, ["0 SIGTERM -100"]);
  assertStringIncludes(
    world.log.lines[0]!,
    "error: A run of an adapter that is gone could not be",
  );
  assertStringIncludes(world.log.lines[0]!, '"survivors":[{"pid":64,"name":"sudo"}]');
});

Deno.test("sweep: what ignores SIGTERM is killed", async () => {
  const world = new World(NATIVE, TOOL);
  world.stubborn.add(101).add(120);
  await world.sweep();
  assertEquals(world.pids, [50]);
  assertEquals(
    world.signals.filter((line) => line.includes("KILL")).map((line) => line.split(" ")[2]),
    ["101", "120"],
  );
  assertStringIncludes(world.log.lines[0]!, '"rung":"kill","confirmed":true,"retired":2');
});

Deno.test("sweep: a supervisor that is cleaning up is left to it", async () => {
  const world = new World(SUPERVISOR, withParent, TOOL);
  world.before = () => {
    if (world.clock.now() > 1_003_000) [100, 101, 120].forEach((pid) => world.rows.delete(pid));
  };
  await world.sweep();
  assertEquals(world.signals, []);
  assertEquals(world.log.lines.map((line) => line.split(" {")[0]), [
    "info: A run of an adapter that is gone was cleaned up by its supervisor",
  ]);
});

Deno.test("sweep: a supervisor that hangs is ended after its own deadline, then its run", async () => {
  const world = new World(SUPERVISOR, withParent, TOOL);
  await world.sweep();
  assertEquals(world.signals.map((line) => line.replace(/^10\d\d\d /, "10 s: ")), [
    "10 s: SIGKILL 100",
    "10 s: SIGTERM -100",
    "10 s: SIGTERM -120",
  ]);
  assertEquals(world.pids, [50]);
});

Deno.test("sweep: a supervisor that dies meanwhile leaves what only its children could show", async () => {
  const hidden = row(130, { ppid: 100, name: "hidden" });
  const world = new World(SUPERVISOR, withParent, hidden);
  world.before = () => {
    if (world.clock.now() < 1_001_000) return;
    world.rows.delete(100);
    if (world.rows.has(130)) world.rows.set(130, { ...hidden, ppid: 1 });
  };
  await world.sweep();
  assertEquals(world.pids, [50]);
  assert(world.signals.every((line) => Number(line.split(" ")[0]) >= 1_000));
  assertStringIncludes(world.log.lines[0]!, '"confirmed":true');
});

Deno.test("sweep: an adapter that only the second look sees keeps its run", async () => {
  const world = new World(NATIVE);
  world.before = (look) => look === 2 && world.rows.set(40, row(40, { start: 400 }));
  await world.sweep();
  assertEquals([world.looks, world.signals, world.log.lines], [2, [], []]);
});

Deno.test("sweep: a living run inside a lost one is spared, its adapter too", async () => {
  const inner = row(60, { start: 600, ppid: 101, pgid: 100, sid: 100, tokens: [DEAD] });
  const its = row(70, { tokens: [DEAD, LIVING] });
  const world = new World(NATIVE, inner, its);
  await world.sweep();
  assertEquals(world.pids, [50, 60, 70]);
  assertEquals(world.signals, ["0 SIGTERM 101"], "not as a group: the adapter is in it");
});

Deno.test("sweep: an adapter that is a part of a lost run does not end itself", async () => {
  const world = new World(NATIVE);
  world.rows.set(50, { ...SELF, pgid: 100, sid: 100, ppid: 101, tokens: [DEAD] });
  await world.sweep([DEAD]);
  assertEquals([world.signals, world.log.lines], [[], []]);
});

Deno.test("sweep: where nobody can look, nobody is ended, and that is said", async () => {
  const blind = new World(NATIVE);
  blind.before = () => {
    throw new Error("dark");
  };
  const nameless = new World(NATIVE);
  nameless.knowsNamespace = false;
  for (const world of [blind, nameless]) {
    await world.sweep();
    assertEquals(world.signals, []);
    assertEquals(world.log.lines.length, 1);
    assertStringIncludes(world.log.lines[0]!, "warn: Nobody could look");
  }
});

Deno.test("sweep: looks that fail on the way hold nothing up for ever and end nobody unseen", async () => {
  const world = new World(SUPERVISOR, withParent);
  world.before = (look) => {
    if (look > 2) throw new Error("dark");
  };
  const took = await world.sweep();
  assert(took >= 10_000 && took < 21_000, `${took}`);
  assertEquals(world.signals, []);
});

Deno.test("sweep: it ends with the adapter, at whatever it is", async () => {
  for (const rows of [[SUPERVISOR, withParent], [NATIVE]]) {
    for (const at of [1, 2, 3, 4]) {
      const world = new World(...rows);
      world.stubborn.add(101);
      let signals = 0;
      world.before = (look) => {
        if (look !== at) return;
        world.stop.abort();
        signals = world.signals.length;
      };
      assert(await world.sweep() < 1_000);
      assertEquals(world.signals.length, signals, "nothing is signalled after that");
      assert(world.log.lines.every((line) => line.startsWith("info: The end of this adapter")));
    }
  }
});

Deno.test("sweep: many runs are ended together, with a bound that is said", async () => {
  const runs = Array.from(
    { length: MAX_SWEPT_RUNS + 3 },
    (_, i) => row(1_000 + i, { tokens: [`${NAMESPACE}.40.400.run${i}`] }),
  );
  const world = new World(...runs);
  await world.sweep();
  assertEquals(world.rows.size, 1 + 3);
  assertStringIncludes(world.log.lines[0]!, '"runs":35,"swept":32');
  assertEquals(world.log.lines.length, 1 + MAX_SWEPT_RUNS);
});
