import { assert, assertEquals, assertMatch } from "@std/assert";
import { fakeClaude } from "../helpers/fake_claude.ts";
import type { Answer, McpClient } from "../helpers/mcp_client.ts";
import { endProcess, liveProcesses, markedWith, until } from "../helpers/processes.ts";
import type { ProcessRow } from "../../src/supervision/process_row.ts";
import { isSame, PLAIN, settledValue, SHAPES, startAdapter, startRun } from "./adapters.ts";

/** A run that may not have got far. */
interface EarlyRun {
  readonly id: string;
  readonly supervisor: ProcessRow;
}

/** Starts a run and gives it as soon as its supervisor can be seen, whatever that has done so far. */
async function startEarly(client: McpClient): Promise<EarlyRun> {
  const { value } = await client.callTool("claude.run.start", { prompt: "plain stay" });
  const id = String(value.run_id);
  let supervisor: ProcessRow | undefined;
  await until(async () => {
    supervisor = (await liveProcesses()).find((row) => row.supervises?.endsWith(`.${id}`));
    return supervisor !== undefined;
  }, { what: "the supervisor" });
  return { id, supervisor: supervisor! };
}

/** The settled value; at that moment nothing may be left. */
async function settleWithNothingLeft(client: McpClient, run: EarlyRun): Promise<Answer> {
  const value = await settledValue(client, run.id);
  const rows = await liveProcesses();
  assertEquals(rows.filter((row) => row.tokens.some((token) => token.endsWith(`.${run.id}`))), []);
  assertEquals(rows.filter((row) => isSame(row, run.supervisor)), []);
  assertEquals([value.cleanup_confirmed, value.cleanup.survivors], [true, []]);
  assertEquals(value.is_error, true);
  return value;
}

const EARLY =
  /^(startup_failed: .*ended before Claude Code was started|vendor_failed: .*its supervisor was lost)/;
const LOST = /its supervisor was lost, so the exit status is unknown; (.*)\)/;

Deno.test("SIGKILL of the supervisor while it starts ends the run with an error, and nothing is left", async () => {
  await using client = await startAdapter();
  for (let round = 0; round < 5; round++) {
    const run = await startEarly(client);
    endProcess(run.supervisor.pid);
    const value = await settleWithNothingLeft(client, run);
    assertEquals(value.state, "failed");
    // Before or after its first receipt, whichever the signal met.
    assertMatch(`${value.error.code}: ${value.error.message}`, EARLY);
  }
});

Deno.test("SIGKILL of the supervisor in the version check ends the probe and what it started", async () => {
  await using client = await startAdapter({}, fakeClaude("version_hangs"));
  const run = await startEarly(client);
  await until(async () => (await markedWith(run.id)).length >= 2, { what: "the probe" });
  endProcess(run.supervisor.pid);
  const value = await settleWithNothingLeft(client, run);
  assertEquals([value.state, value.error.code], ["failed", "startup_failed"]);
  assertEquals(value.native.version, null);
  assertMatch(value.error.message, /supervisor of the run ended before Claude Code was started/);
});

Deno.test("SIGKILL of the supervisor of a streaming run says what was found and ended", async () => {
  await using client = await startAdapter();
  const stray = SHAPES.find(({ word }) => word === "session")!;
  const run = await startRun(client, stray);
  endProcess(run.supervisor.pid);
  const value = await settleWithNothingLeft(client, run);
  assertEquals([value.state, value.error.code], ["failed", "vendor_failed"]);
  const found = LOST.exec(value.error.message)?.[1] ?? "";
  assertMatch(found, /^\d process(es)? of the run had to be ended, and nothing is left$/);
  assertEquals(found.startsWith(`${value.cleanup.retired} `), true, found);
  assert(value.cleanup.retired >= 1, "the child in its own session did not end with the group");
});

Deno.test("SIGKILL of the supervisor in its clean-up leaves the rest to the adapter", async () => {
  await using client = await startAdapter();
  const stubborn = SHAPES.find(({ ignoresTerm }) => ignoresTerm)!;
  const run = await startRun(client, stubborn);
  await client.callTool("claude.run.cancel", { run_id: run.id });
  const { value: live } = await client.callTool("claude.run.result", { run_id: run.id });
  assertEquals(live.completed, false);
  assertMatch(live.activity, /^stopping \(cancelled\)/);
  endProcess(run.supervisor.pid);
  const value = await settleWithNothingLeft(client, run);
  assertEquals(
    [value.state, value.error.code],
    ["cancelled", "cancelled"],
    "the first cause stays",
  );
  assertEquals(value.cleanup.escalated, true);
});

Deno.test("SIGKILL of the supervisor and then of claude at once is one failed run", async () => {
  await using client = await startAdapter();
  const run = await startRun(client, PLAIN);
  endProcess(run.supervisor.pid);
  endProcess(run.native.pid);
  const value = await settleWithNothingLeft(client, run);
  assertEquals([value.state, value.error.code], ["failed", "vendor_failed"]);
  assert(value.cleanup.retired <= 1);
});
