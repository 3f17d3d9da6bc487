import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { createRecovery } from "../../src/host/recover.ts";
import type { Recovery } from "../../src/host/recover.ts";
import type { ProcessRow } from "../../src/supervision/process_row.ts";
import { settle } from "../helpers/fake_clock.ts";
import { row } from "../supervision/rows.ts";
import { ProcessWorld } from "./process_world.ts";

const TOKEN = "4026531836.50.500.run";
const CLEAN = { confirmed: true, retired: 0, escalated: false, survivors: [] };
const NATIVE = row(101, { pgid: 100, sid: 100, tokens: [TOKEN], name: "claude" });
/** What the supervisor knew by its parents only. */
const HIDDEN = row(130, { name: "hidden" });
const FOREIGN = row(140, { uid: 0, name: "sudo" });

interface Bench {
  readonly world: ProcessWorld;
  readonly recovery: Recovery;
  /** Times the supervisor was told to die. */
  readonly kills: () => number;
}

/** The run of supervisor 100, which has ended unless it hangs. */
function bench(rows: readonly ProcessRow[], isHung = false): Bench {
  const world = new ProcessWorld(...rows);
  const ended = Promise.withResolvers<void>();
  let kills = 0;
  if (!isHung) ended.resolve();
  const recovery = createRecovery({
    ports: world.ports,
    log: world.log,
    runId: "run-1",
    token: TOKEN,
    self: 50,
    supervisor: 100,
    endSupervisor() {
      kills += 1;
      world.rows.delete(100);
      ended.resolve();
    },
    ended: ended.promise,
    native: () => 101,
  });
  return { world, recovery, kills: () => kills };
}

Deno.test("recover: the run of a supervisor that died is ended, and that is logged", async () => {
  const { world, recovery, kills } = bench([NATIVE, row(120, { tokens: [TOKEN] }), row(7)]);
  const cleanup = await world.letPass(recovery.recover());
  assertEquals(cleanup, { ...CLEAN, retired: 1 });
  assertEquals([world.pids, kills()], [[7], 0]);
  assertStringIncludes(world.log.lines[0]!, "warn: A run was cleaned up");
  assertStringIncludes(world.log.lines[0]!, '"rung":"term_strays"');
});

Deno.test("recover: a supervisor that hangs goes first", async () => {
  const { world, recovery, kills } = bench([row(100), { ...NATIVE, ppid: 100 }], true);
  assertEquals((await world.letPass(recovery.recover())).confirmed, true);
  assertEquals([world.pids, kills()], [[], 1]);
});

Deno.test("recover: called while it works it is one, and called later it looks again", async () => {
  const { world, recovery } = bench([NATIVE]);
  world.immortal.add(101);
  const [one, two] = await world.letPass(Promise.all([recovery.recover(), recovery.recover()]));
  assertEquals([one.confirmed, one === two], [false, true]);
  assertEquals(one.survivors, [{ pid: 101, name: "claude" }]);
  world.rows.delete(101);
  assertEquals(await world.letPass(recovery.recover()), CLEAN);
});

Deno.test("recover: what the supervisor could not end is not taken for gone when no sign is left", async () => {
  const { world, recovery } = bench([FOREIGN]);
  recovery.survived([{ pid: 140, name: "sudo" }]);
  const cleanup = await world.letPass(recovery.recover());
  assertEquals([cleanup.confirmed, cleanup.survivors], [false, [{ pid: 140, name: "sudo" }]]);
  assertEquals(world.signals, [], "another user's process is not signalled");
  world.rows.set(140, { ...FOREIGN, start: 9_999 });
  assertEquals(await world.letPass(recovery.recover()), CLEAN, "it is another process now");
});

Deno.test("recover: it is signalled once more if it may be", async () => {
  const { world, recovery } = bench([HIDDEN, row(131)]);
  recovery.survived([{ pid: 130, name: "hidden" }, { pid: 131, name: "somebody else" }]);
  assertEquals(await world.letPass(recovery.recover()), { ...CLEAN, retired: 1 });
  assertEquals(world.pids, [131], "a name that differs is another process");
});

Deno.test("recover: nothing is confirmed when nobody could see who survived", async () => {
  const { world, recovery } = bench([HIDDEN]);
  world.before = (look) => {
    if (look === 1) throw new Error("dark");
  };
  recovery.survived([{ pid: 130, name: "hidden" }]);
  await settle();
  assertEquals((await world.letPass(recovery.recover())).confirmed, false);
  assertEquals(world.signals, []);
});

Deno.test("recover: where nobody can look nothing is confirmed and nobody is signalled", async () => {
  const { world, recovery } = bench([NATIVE]);
  world.before = () => {
    throw new Error("dark");
  };
  assertEquals((await world.letPass(recovery.recover())).confirmed, false);
  assertEquals(world.signals, []);
  assert(world.log.lines[0]!.startsWith("error: "));
});

Deno.test("recover: what the supervisor last saw without a marker is ended too, and only the last of it counts", async () => {
  const { world, recovery } = bench([NATIVE, HIDDEN, row(131, { name: "stranger" })]);
  recovery.saw([{ pid: 131, start: 131 }]);
  recovery.saw([{ pid: HIDDEN.pid, start: HIDDEN.start }]);
  const cleanup = await world.letPass(recovery.recover());
  assertEquals([cleanup.confirmed, world.pids], [true, [131]]);
});

Deno.test("recover: a recycled pid is not what the supervisor saw", async () => {
  const { world, recovery } = bench([HIDDEN]);
  recovery.saw([{ pid: HIDDEN.pid, start: HIDDEN.start + 1 }]);
  assertEquals((await world.letPass(recovery.recover())).confirmed, true);
  assertEquals(world.pids, [HIDDEN.pid]);
});
