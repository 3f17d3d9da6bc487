import { assertEquals, assertMatch } from "@std/assert";
import type { Answer, McpClient } from "../helpers/mcp_client.ts";
import { endProcess, liveProcesses } from "../helpers/processes.ts";
import {
  endLeftovers,
  isSame,
  leftOf,
  settledValue,
  SHAPES,
  startAdapter,
  startRun,
  waitUntilGone,
} from "./adapters.ts";
import type { LiveRun, Shape } from "./adapters.ts";

/** What a run that outlived nothing says of itself. */
interface Claim {
  readonly state: string;
  readonly code: string | undefined;
}

interface Stage {
  readonly client: McpClient;
  readonly runs: readonly LiveRun[];
  /** The fifo that lets runs answer. */
  readonly gates: readonly string[];
}

interface End {
  readonly name: string;
  readonly runs: "stay" | "gate";
  /** Deadlines to try, in seconds; a later one when a busy machine was not ready within the one before. */
  readonly timeouts?: readonly number[];
  /** What the adapter says afterwards; `null` when it is gone. */
  readonly claim: Claim | null;
  /** Makes the end happen. */
  readonly strike: (stage: Stage) => void | Promise<unknown>;
  /** Nobody is left to clean up: everything is still there, until the next adapter starts. */
  readonly sweptByTheNext?: true;
}

const killSupervisors = ({ runs }: Stage) => runs.forEach((run) => endProcess(run.supervisor.pid));
const VENDOR_FAILED: Claim = { state: "failed", code: "vendor_failed" };

const ENDS: readonly End[] = [
  {
    name: "a normal end",
    runs: "gate",
    claim: { state: "completed", code: undefined },
    strike: ({ gates }) => Promise.all(gates.map((gate) => Deno.writeTextFile(gate, "go\n"))),
  },
  {
    name: "a cancel",
    runs: "stay",
    claim: { state: "cancelled", code: "cancelled" },
    strike: ({ client, runs }) =>
      Promise.all(runs.map(({ id }) => client.callTool("claude.run.cancel", { run_id: id }))),
  },
  {
    name: "a timeout",
    runs: "stay",
    timeouts: [5, 15, 45],
    claim: { state: "failed", code: "timeout" },
    strike: () => {},
  },
  {
    name: "the end of stdin",
    runs: "stay",
    claim: null,
    strike: async ({ client }) => assertEquals(await client.close(), 0),
  },
  {
    name: "SIGTERM of the adapter",
    runs: "stay",
    claim: null,
    strike: async ({ client }) => {
      client.kill("SIGTERM");
      assertEquals((await client.ended).code, 0);
    },
  },
  {
    name: "SIGKILL of the adapter",
    runs: "stay",
    claim: null,
    strike: ({ client }) => client.kill("SIGKILL"),
  },
  {
    name: "SIGKILL of the supervisor",
    runs: "stay",
    claim: VENDOR_FAILED,
    strike: killSupervisors,
  },
  {
    name: "SIGKILL of claude",
    runs: "stay",
    claim: VENDOR_FAILED,
    strike: ({ runs }) => runs.forEach((run) => endProcess(run.native.pid)),
  },
  {
    name: "SIGKILL of adapter and supervisor, then the next start",
    runs: "stay",
    claim: null,
    sweptByTheNext: true,
    strike: async (stage) => {
      stage.client.kill("SIGSTOP"); // or it would see its supervisors die, and act
      killSupervisors(stage);
      stage.client.kill("SIGKILL");
      await stage.client.ended;
    },
  },
];

/** What one cell showed. */
interface Cell {
  readonly run: LiveRun;
  /** The settled value, of an adapter that lives. */
  readonly value: Answer | null;
  /** Found at the very moment at which somebody claimed that nothing is left. */
  readonly leftAtClaim: readonly string[];
}

/** Runs of several shapes in one adapter, and their end. */
async function play(end: End, shapes: readonly Shape[]): Promise<readonly Cell[]> {
  const folder = await Deno.makeTempDir();
  const client = await startAdapter();
  try {
    const gates = shapes.map(({ word }) => `${folder}/${word}`);
    if (end.runs === "gate") await new Deno.Command("mkfifo", { args: gates }).output();
    const runs = await Promise.all(
      shapes.map((shape, i) => startInTime(end, { client, shape, gate: gates[i]! })),
    );
    await end.strike({ client, runs, gates });
    if (end.claim !== null) return await Promise.all(runs.map((run) => judge(client, run)));
    // An adapter that ends in good order is done with everything; one that is killed leaves it to others.
    const { signal } = await client.ended;
    return await Promise.all(runs.map(async (run) => ({
      run,
      value: null,
      leftAtClaim: signal === null ? await leftOf(run) : [],
    })));
  } finally {
    await client.close();
    await Deno.remove(folder, { recursive: true });
  }
}

interface Start {
  readonly client: McpClient;
  readonly shape: Shape;
  readonly gate: string;
}

async function startInTime(end: End, { client, shape, gate }: Start): Promise<LiveRun> {
  const options = end.runs === "gate" ? { gate } : {};
  const [last = 600, ...shorter] = (end.timeouts ?? []).toReversed();
  for (const timeoutSeconds of shorter.toReversed()) {
    const run = await startRun(client, shape, { ...options, timeoutSeconds }).catch(() => null);
    if (run !== null) return run;
  }
  return startRun(client, shape, { ...options, timeoutSeconds: last });
}

async function judge(client: McpClient, run: LiveRun): Promise<Cell> {
  const value = await settledValue(client, run.id);
  return { run, value, leftAtClaim: await leftOf(run) };
}

/** The next start; tells what is left after it. */
async function startNext(runs: readonly LiveRun[]): Promise<readonly string[]> {
  const rows = await liveProcesses();
  for (const { native } of runs) {
    assertEquals(rows.some((row) => isSame(row, native)), true, "somebody has to end it");
  }
  await using next = await startAdapter();
  const left = await waitUntilGone(runs);
  assertEquals(await next.close(), 0);
  // Another adapter that happens to start on this machine may have been the first.
  for (const line of next.stderr.split("\n").filter((text) => text.includes("is gone"))) {
    assertMatch(line, /^(warn|info): A run of an adapter that is gone was cleaned up/);
  }
  return left;
}

for (const end of ENDS) {
  Deno.test(`clean-up after ${end.name}`, async (t) => {
    // Two adapters with three runs each: an adapter has four at most.
    const halves = [SHAPES.slice(0, 3), SHAPES.slice(3)];
    const cells = (await Promise.all(halves.map((shapes) => play(end, shapes)))).flat();
    const runs = cells.map(({ run }) => run);
    const left = await (end.sweptByTheNext ? startNext(runs) : waitUntilGone(runs));
    await endLeftovers(runs);
    for (const { run, value, leftAtClaim } of cells) {
      await t.step(`leaves nothing of ${run.shape.name}`, () => {
        assertEquals(leftAtClaim, [], "left at the moment of the claim");
        assertEquals(left.filter((line) => line.includes(run.id)), []);
        if (end.claim === null) return assertEquals(value, null);
        assertEquals([value?.state, value?.error?.code], [end.claim.state, end.claim.code]);
        const { confirmed, survivors, escalated } = value?.cleanup;
        assertEquals([value?.cleanup_confirmed, confirmed, survivors], [true, true, []]);
        if (run.shape.ignoresTerm) assertEquals(escalated, true);
      });
    }
  });
}
