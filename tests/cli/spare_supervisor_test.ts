/** A server keeps a supervisor ready between two runs, and never leaves it behind. */
import { assert, assertEquals } from "@std/assert";
import type { McpClient } from "../helpers/mcp_client.ts";
import { endProcess, liveProcesses, until, waitGone } from "../helpers/processes.ts";
import { assertNothingLeft, connect } from "./adapter.ts";

/** Supervisors without a run, children of the server. */
async function spares({ pid }: McpClient): Promise<readonly number[]> {
  const rows = await liveProcesses();
  const mine = rows.filter((row) => row.ppid === pid && row.supervises !== null);
  return mine.filter((row) => !rows.some(({ ppid }) => ppid === row.pid)).map((row) => row.pid);
}

/** A zombie still is. */
function existsInProc(pid: number): boolean {
  try {
    return Deno.statSync(`/proc/${pid}`).isDirectory;
  } catch {
    return false;
  }
}

async function spareOf(client: McpClient): Promise<number> {
  let found: readonly number[] = [];
  await until(async () => (found = await spares(client)).length > 0, { what: "a spare" });
  assertEquals(found.length, 1);
  return found[0]!;
}

async function answered(client: McpClient): Promise<void> {
  const { value, text } = await client.callTool("claude.run", { prompt: "hi" });
  assertEquals([value.result, value.cleanup_confirmed], ["hello", true], text);
}

Deno.test("the next run gets the supervisor that is ready, and its end is the server's", async () => {
  await using client = await connect("ok");
  assertEquals(await spares(client), [], "nothing before the first run");
  await answered(client);
  const first = await spareOf(client);
  await answered(client);
  await waitGone(first);
  const second = await spareOf(client);
  assert(second !== first);
  assertEquals(await client.close(), 0);
  await assertNothingLeft(client, []);
});

Deno.test({
  name: "a run whose ready supervisor was killed starts its own",
  ignore: Deno.build.os !== "linux", // it looks into /proc
  fn: killedSpare,
});

async function killedSpare(): Promise<void> {
  await using client = await connect("ok");
  await answered(client);
  const known = await spareOf(client);
  await endProcess(known);
  await until(() => !existsInProc(known), { what: "its parent to know" });
  await answered(client);
  // Whether its parent knows by then is chance: a run never fails for it.
  const unknown = await spareOf(client);
  Deno.kill(unknown, "SIGKILL");
  await answered(client);
}

Deno.test("a server that is killed takes its ready supervisor with it", async () => {
  await using client = await connect("ok");
  await answered(client);
  const spare = await spareOf(client);
  await endProcess(client.pid);
  await waitGone(spare);
});
