import { assert, assertEquals } from "@std/assert";
import { type FoundProcess, isAlive, processesOf } from "../../scripts/support/left_behind.ts";
import { adapterEnv } from "../../scripts/support/place.ts";
import { McpClient } from "../helpers/mcp_client.ts";
import { inWorld, type World } from "../native/world.ts";
import {
  addMcpServer,
  answering,
  type Part,
  PARTS,
  PARTS_AT_THE_END,
  staying,
} from "./everything.ts";

/** One way to end a run of the real CLI. */
interface End {
  readonly name: string;
  /** The adapter's exit code; 137 is SIGKILL. */
  readonly exitCode?: number;
  readonly timeoutSeconds?: number;
  /**
   * Ends the run, and waits for whoever says that it is over: the answer, or the adapter's end. What the answer says
   * of the clean-up comes back.
   */
  readonly end: (world: World, runId: string) => Promise<Claim>;
}

/** What was claimed, and what was there at that moment apart from the adapter and an ending supervisor. */
interface Claim {
  readonly state: string | null;
  readonly confirmed: boolean | null;
  readonly alive: readonly FoundProcess[];
}

const CONFIRMED = (state: string) => ({ state, confirmed: true, alive: [] });
/** Nobody is left who could claim anything: what counts is what is found after a while. */
const GONE = { state: null, confirmed: null, alive: [] };

const ENDS: readonly (End & { readonly claim: Claim })[] = [
  {
    name: "the deadline",
    claim: CONFIRMED("failed"),
    timeoutSeconds: 15,
    end: answered,
  },
  {
    name: "a cancel",
    claim: CONFIRMED("cancelled"),
    async end(world, runId) {
      await world.client.callTool("claude.run.cancel", { run_id: runId });
      return await answered(world, runId);
    },
  },
  {
    name: "the host going away",
    claim: GONE,
    async end(world) {
      assertEquals(await world.client.close(), 0);
      return { ...GONE, alive: await others(world) };
    },
  },
  {
    name: "SIGKILL of the adapter",
    claim: GONE,
    exitCode: 137,
    async end(world) {
      world.client.kill("SIGKILL");
      await world.client.ended;
      await gone(world);
      return GONE;
    },
  },
  {
    name: "SIGKILL of the supervisor",
    claim: CONFIRMED("failed"),
    async end(world, runId) {
      kill((await supervisor(world)).pid);
      return await answered(world, runId);
    },
  },
  {
    name: "SIGKILL of claude",
    claim: CONFIRMED("failed"),
    async end(world, runId) {
      const native = (await processesOf(world.root)).find(({ command }) =>
        command.includes("--output-format=stream-json") && !command.startsWith("/bin/sh")
      );
      assert(native !== undefined);
      kill(native.pid);
      return await answered(world, runId);
    },
  },
  {
    name: "SIGKILL of the supervisor and the adapter, and the next adapter's start",
    claim: GONE,
    exitCode: 137,
    async end(world) {
      const { pid } = await supervisor(world);
      kill(pid);
      world.client.kill("SIGKILL");
      await world.client.ended;
      // Any adapter that starts on this machine does it; this one at the latest.
      await using next = await nextAdapter(world);
      await gone(world, next.pid);
      assertEquals(await next.close(), 0);
      return GONE;
    },
  },
];

Deno.test("nothing that the real CLI started outlives its run, whatever ends it", async (t) => {
  const steps = [
    { name: "its own end", fn: ownEnd },
    ...ENDS.map((end) => ({ name: end.name, fn: () => endedBy(end) })),
  ];
  // Three at once: a run is mostly waiting, and each has a world of its own.
  let next = 0;
  const work = async () => {
    while (next < steps.length) {
      await t.step({
        ...steps[next++]!,
        sanitizeOps: false,
        sanitizeResources: false,
        sanitizeExit: false,
      });
    }
  };
  await Promise.all([work(), work(), work()]);
});

async function ownEnd(): Promise<void> {
  await inWorld({ script: answering, allowBash: true }, async (world) => {
    await addMcpServer(world.project);
    const runId = await world.start({ prompt: "start everything" });
    const claim = await answered(world, runId);
    assertEquals(claim, CONFIRMED("completed"));
    await assertGone(await pidsOf(world, PARTS_AT_THE_END));
    await removeCache(world);
  });
}

async function endedBy({ end, claim, timeoutSeconds, exitCode = 0 }: typeof ENDS[number]) {
  await inWorld({ script: staying, allowBash: true, exitCode }, async (world) => {
    await addMcpServer(world.project);
    const runId = await world.start({
      prompt: "start everything",
      ...(timeoutSeconds === undefined ? {} : { timeout_seconds: timeoutSeconds }),
    });
    const pids = await world.during(runId, pidsOf(world, PARTS));
    for (const [part, pid] of pids) assert(await isAlive(pid), `${part} has ended by itself`);
    assertEquals(await end(world, runId), claim);
    await assertGone(pids);
    await removeCache(world);
  });
}

/** Where the CLI logs what MCP servers say, whatever its configuration folder is (measured). */
async function removeCache({ root }: World): Promise<void> {
  await Deno.remove(`${root}/home/.cache/claude-cli-nodejs`, { recursive: true });
  await Deno.remove(`${root}/home/.cache`);
}

async function pidsOf(world: World, parts: readonly Part[]): Promise<readonly [Part, string][]> {
  return await Promise.all(
    parts.map(async (part): Promise<[Part, string]> => [part, await world.written(part)]),
  );
}

async function assertGone(pids: readonly [Part, string][]): Promise<void> {
  for (const [part, pid] of pids) assert(!await isAlive(pid), `${part} is left`);
}

async function answered(world: World, runId: string): Promise<Claim> {
  const value = await world.settled(runId);
  const alive = await others(world);
  return { state: value.state, confirmed: value.cleanup_confirmed, alive };
}

/** What is there now apart from the adapter and a supervisor, which ends a moment after its last receipt. */
async function others(world: World): Promise<readonly FoundProcess[]> {
  return (await processesOf(world.root)).filter(({ pid, command }) =>
    pid !== world.client.pid && !isSupervisor(command)
  );
}

async function supervisor(world: World): Promise<FoundProcess> {
  const all = await processesOf(world.root);
  // Not the one that is kept ready: it has nothing below it.
  const found = all.find(({ pid, command }) =>
    isSupervisor(command) && all.some(({ ppid }) => ppid === pid)
  );
  assert(found !== undefined);
  return found;
}

/** From source and from a bundle a file of its own, of a binary the same program in another role. */
function isSupervisor(command: string): boolean {
  return /supervise_entry\.[jt]s$| supervise$/.test(command);
}

/** Another adapter in the same place, as a host starts it again. */
async function nextAdapter({ root, project, model }: World): Promise<McpClient> {
  const place = { root, project, home: `${root}/home`, config: `${root}/config` };
  const env = await adapterEnv({
    place: { ...place, [Symbol.asyncDispose]: () => Promise.resolve() },
    url: model.url,
  });
  return await McpClient.connect({ cwd: project, env, args: ["serve", "--executable=/bin/true"] });
}

/** Waits until nothing is there but the adapter `except`, and fails when it stays. */
async function gone(world: World, except?: number): Promise<void> {
  for (let looks = 0;; looks++) {
    const found = (await processesOf(world.root)).filter(({ pid }) => pid !== except);
    if (found.length === 0) return;
    if (looks === 400) assertEquals(found, [], "after 20 s");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function kill(pid: number): void {
  Deno.kill(pid, "SIGKILL");
}
