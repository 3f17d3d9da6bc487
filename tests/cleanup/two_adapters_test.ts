import { assert, assertEquals } from "@std/assert";
import type { McpClient } from "../helpers/mcp_client.ts";
import { endProcess, isAlive } from "../helpers/processes.ts";
import {
  endLeftovers,
  leftOf,
  settledValue,
  SHAPES,
  startAdapter,
  startRun,
  waitUntilGone,
} from "./adapters.ts";
import type { LiveRun } from "./adapters.ts";

const [GROUP, SESSION, DAEMON] = SHAPES as [typeof SHAPES[0], typeof SHAPES[0], typeof SHAPES[0]];

/** Asserts that a run is as it was: supervisor, native process, and all that it announced. */
async function assertUntouched(client: McpClient, run: LiveRun): Promise<void> {
  for (const { pid, start } of [run.supervisor, run.native]) assert(await isAlive(pid, start));
  const left = await leftOf(run);
  for (const { pid } of run.processes) {
    assert(
      left.some((line) => line.includes(` ${pid} of `)),
      `process ${pid} of ${run.shape.word}`,
    );
  }
  const { value } = await client.callTool("claude.run.result", { run_id: run.id });
  assertEquals([value.state, value.completed], ["running", false]);
}

Deno.test("an adapter that starts, works and ends leaves the other one's runs alone", async () => {
  await using first = await startAdapter();
  const runs = [await startRun(first, GROUP), await startRun(first, DAEMON)];
  const second = await startAdapter();
  const its = await startRun(second, SESSION);
  for (const run of runs) await assertUntouched(first, run);
  await second.callTool("claude.run.cancel", { run_id: its.id });
  assertEquals((await settledValue(second, its.id)).cleanup_confirmed, true);
  assertEquals(await second.close(), 0);
  assertEquals(await waitUntilGone([its]), []);
  for (const run of runs) await assertUntouched(first, run);
  assertEquals(await first.close(), 0);
  assertEquals(await waitUntilGone(runs), []);
});

Deno.test("when one is killed and a third starts, the lost runs end and the others go on", async () => {
  await using first = await startAdapter();
  const kept = [await startRun(first, GROUP), await startRun(first, SESSION)];
  const second = await startAdapter();
  const lost = [await startRun(second, SESSION), await startRun(second, DAEMON)];
  try {
    second.kill("SIGSTOP");
    // The supervisor of one of them goes too; the other's does its work.
    endProcess(lost[0]!.supervisor.pid);
    second.kill("SIGKILL");
    await second.ended;
    await using third = await startAdapter();
    assertEquals(await waitUntilGone(lost), []);
    for (const run of kept) await assertUntouched(first, run);
    assertEquals((await third.callTool("claude.run.list")).value.runs, []);
  } finally {
    await second.close();
    await endLeftovers(lost);
  }
});

Deno.test("a supervisor that hangs after its adapter was killed is ended by the next start", async () => {
  const first = await startAdapter();
  const run = await startRun(first, SESSION);
  try {
    endProcess(run.supervisor.pid, "SIGSTOP");
    first.kill("SIGKILL");
    await first.ended;
    await using next = await startAdapter();
    assertEquals(await waitUntilGone([run], 30_000), []);
    assertEquals(await next.close(), 0);
  } finally {
    await first.close();
    await endLeftovers([run]);
  }
});
