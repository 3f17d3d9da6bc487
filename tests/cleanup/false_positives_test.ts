import { assert, assertEquals } from "@std/assert";
import { createProcessTable } from "../../src/host/process_table.ts";
import { MARKER_NAME } from "../../src/supervision/marker.ts";
import { endProcess, isAlive, waitGone } from "../helpers/processes.ts";
import { PLAIN, settledValue, SHAPES, startAdapter, startRun } from "./adapters.ts";
import type { LiveRun } from "./adapters.ts";
import { lost, startBystanders } from "./bystanders.ts";

const STRAY = SHAPES.find(({ word }) => word === "session")!;
const tokenOf = (run: LiveRun) => run.supervisor.supervises!;

Deno.test("a cancel ends its run and nothing that only looks like it", async () => {
  await using client = await startAdapter();
  const other = await startRun(client, PLAIN);
  const run = await startRun(client, STRAY);
  await using bystanders = await startBystanders({ token: tokenOf(run), living: tokenOf(other) });
  await client.callTool("claude.run.cancel", { run_id: run.id });
  assertEquals((await settledValue(client, run.id)).cleanup_confirmed, true);
  await bystanders.assertAlive();
  assert(await isAlive(other.native.pid, other.native.start));
});

Deno.test("a recovery ends its run and nothing that only looks like it", async () => {
  await using client = await startAdapter();
  const other = await startRun(client, PLAIN);
  const run = await startRun(client, STRAY);
  await using bystanders = await startBystanders({ token: tokenOf(run), living: tokenOf(other) });
  endProcess(run.supervisor.pid);
  assertEquals((await settledValue(client, run.id)).cleanup_confirmed, true);
  await bystanders.assertAlive();
  assert(await isAlive(other.native.pid, other.native.start));
});

Deno.test("a sweep ends what is lost and nothing that only looks like it", async () => {
  const { namespace } = await createProcessTable().self();
  await using owner = await startAdapter();
  const other = await startRun(owner, PLAIN);
  const token = lost(namespace, "really-lost");
  await using bystanders = await startBystanders({ token, living: tokenOf(other) });
  // The last thing that the sweep has to find: when it is gone, the sweep has judged all the others.
  const victim = new Deno.Command("/bin/sh", {
    args: ["-c", "read line"],
    clearEnv: true,
    env: { [MARKER_NAME]: token },
    stdin: "piped",
    detached: true,
  }).spawn();
  try {
    await using next = await startAdapter();
    await waitGone(victim.pid, { ms: 20_000 });
    assertEquals(await next.close(), 0);
    await bystanders.assertAlive();
    assert(await isAlive(other.native.pid, other.native.start));
    assert(await isAlive(other.supervisor.pid, other.supervisor.start));
  } finally {
    await victim.stdin.close().catch(() => {});
    await victim.status;
  }
});
