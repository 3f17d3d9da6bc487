import { assert, assertEquals } from "@std/assert";
import { launchFake } from "../helpers/launch.ts";
import type { FakeRun } from "../helpers/launch.ts";
import type { FakeBehaviour } from "../helpers/fake_claude.ts";
import {
  endProcess,
  identityOf,
  isAlive,
  liveProcesses,
  markedWith,
  until,
} from "../helpers/processes.ts";
import { MARKER_NAME } from "../../src/supervision/marker.ts";
import type { Cleanup } from "../../src/supervision/receipts.ts";
import type { Identity } from "../../src/supervision/process_row.ts";

interface Leaver {
  readonly behaviour: FakeBehaviour;
  /** What the stand-in announces, or `null` when only the native process is of interest. */
  readonly announces: string | null;
  readonly escalates: boolean;
  readonly endsByItself: boolean;
}

const LEAVERS: readonly Leaver[] = [
  { behaviour: "group_child", announces: "child", escalates: false, endsByItself: true },
  { behaviour: "setsid_child", announces: "child", escalates: false, endsByItself: true },
  { behaviour: "double_fork_daemon", announces: "daemon", escalates: false, endsByItself: true },
  {
    behaviour: "spawns_child_ignoring_term",
    announces: "child",
    escalates: true,
    endsByItself: true,
  },
  { behaviour: "ignores_term", announces: null, escalates: true, endsByItself: false },
];

interface Ending {
  readonly name: string;
  /** Ends the run; gives the clean-up's claim. */
  readonly end: (run: FakeRun) => Promise<Cleanup | null>;
  readonly prompt: "stay" | "end";
}

const ENDINGS: readonly Ending[] = [
  { name: "a normal end", end: (run) => run.finish(), prompt: "end" },
  {
    name: "a stop",
    prompt: "stay",
    end: (run) => {
      run.supervised.stop();
      return run.finish();
    },
  },
  {
    name: "SIGKILL of the supervisor",
    prompt: "stay",
    end: async (run) => {
      endProcess(run.supervised.pid);
      assertEquals(await run.finish(), null, "a dead supervisor claims nothing");
      return run.supervised.recover();
    },
  },
  {
    name: "SIGKILL of the native process",
    prompt: "stay",
    end: async (run) => {
      endProcess((await run.receipt("started")).pid);
      return run.finish();
    },
  },
];

for (const leaver of LEAVERS) {
  for (const ending of ENDINGS) {
    if (ending.prompt === "end" && !leaver.endsByItself) continue;
    Deno.test(`clean-up: ${leaver.behaviour} after ${ending.name}`, async () => {
      const run = await launchFake(leaver.behaviour, { argv: ["--", ending.prompt] });
      const watched: Identity[] = [];
      if (ending.prompt === "stay") {
        const native = (await run.receipt("started")).pid;
        await run.frame((frame) =>
          frame.type === "stream_event" || frame.subtype === "fake_process"
        );
        watched.push(await identityOf(native));
        if (leaver.announces !== null) {
          watched.push(await identityOf(await run.pidOf(leaver.announces)));
        }
      }
      const cleanup = await ending.end(run);
      assertEquals([cleanup?.confirmed, cleanup?.survivors], [true, []]);
      if (leaver.announces !== null) {
        const pid = await run.pidOf(leaver.announces);
        assertEquals(
          (await liveProcesses()).some((row) => row.pid === pid && row.name === "sleep"),
          false,
        );
      }
      for (const one of watched) assertEquals(await isAlive(one.pid, one.start), false);
      assertEquals(await markedWith(run.runId), []);
      // A group of the native process is asked to end with it, so on a stop some need no more than that.
      const killed = ending.name === "SIGKILL of the native process" && leaver.announces === null;
      if (leaver.escalates && !killed) {
        assertEquals(cleanup?.escalated, true);
        assert((cleanup?.retired ?? 0) >= 1);
      }
    });
  }
}

Deno.test("clean-up: 200 short-lived children in sessions of their own are all ended", async () => {
  for (const prompt of ["end", "stay"]) {
    const run = await launchFake("fork_storm", { argv: ["--", prompt] });
    if (prompt === "stay") {
      await until(async () => (await markedWith(run.runId)).length > 50);
      run.supervised.stop();
    }
    const cleanup = await run.finish();
    assertEquals([cleanup?.confirmed, cleanup?.survivors], [true, []]);
    assertEquals(await markedWith(run.runId), []);
  }
});

Deno.test("clean-up: strangers, another run and a mention of the marker survive", async () => {
  const other = await launchFake("slow");
  const run = await launchFake("setsid_child", { argv: ["--", "stay"] });
  await other.frame((frame) => frame.type === "stream_event");
  await run.pidOf("child");
  const mine = (await markedWith(run.runId))[0]!.tokens.at(-1)!;
  const bystanders = [
    {},
    { MENTION: `${MARKER_NAME}=${mine}` },
    { MENTION: `x\n${MARKER_NAME}=${mine}\n` },
    { [`NOT_${MARKER_NAME}`]: mine },
    { [MARKER_NAME]: `${mine}x` },
  ].map((env) =>
    new Deno.Command("/bin/sh", {
      args: ["-c", "read line"],
      clearEnv: true,
      env: env as Record<string, string>,
      stdin: "piped",
      detached: true,
    }).spawn()
  );
  try {
    run.supervised.stop();
    assertEquals((await run.finish())?.confirmed, true);
    const others = [...bystanders.map((child) => child.pid), (await other.receipt("started")).pid];
    for (const pid of others) assertEquals(await isAlive(pid), true);
  } finally {
    for (const child of bystanders) {
      await child.stdin.close();
      await child.status;
    }
    other.supervised.stop();
  }
  assertEquals((await other.finish())?.confirmed, true);
  assertEquals(await markedWith(other.runId), []);
});

Deno.test("clean-up: a supervisor that is stopped in its tracks is ended by recover", async () => {
  const run = await launchFake("slow");
  await run.frame((frame) => frame.type === "stream_event");
  endProcess(run.supervised.pid, "SIGSTOP");
  const cleanup = await run.supervised.recover();
  assertEquals([cleanup.confirmed, cleanup.survivors], [true, []]);
  await run.finish();
  assertEquals(await markedWith(run.runId), []);
  assertEquals(await isAlive(run.supervised.pid), false);
});
