import { assert, assertEquals } from "@std/assert";
import { answer, hold, route, text, toolUse } from "../../src/loopback/mod.ts";
import { isAlive } from "../../scripts/support/left_behind.ts";
import type { Answer, McpClient } from "../helpers/mcp_client.ts";
import { inWorld } from "./world.ts";

function background(command: string) {
  const description = "Work for a while";
  return answer([toolUse("Bash", { command, description, run_in_background: true })]);
}

const SCRIPT = () =>
  route([
    { is: "task_notification", reply: answer("The task is done.", { usage: { output: 50 } }) },
    { is: "tool_result", reply: answer("I started a task.") },
    { is: "prompt", reply: background("sleep 1; echo finished") },
  ]);

Deno.test("a background task's second result is a follow-up, and the answer stays the first", async () => {
  await inWorld({ script: SCRIPT, allowBash: true }, async ({ run }) => {
    const value = await run({ prompt: "start it" });
    assertEquals([value.state, value.is_error], ["completed", false]);
    assertEquals(value.result, "I started a task.");
    assertEquals(value.followups, [
      { result: "The task is done.", subtype: "success", is_error: false },
    ]);
    assertEquals(value.background_tasks, { open: 0, stopped: 0 });
    const costs = value.events.filter((event: Answer) => event.type === "result")
      .map((event: Answer) => event.total_cost_usd);
    assertEquals(costs.length, 2);
    assert(costs[1] > costs[0]);
    assertEquals(value.total_cost_usd, costs[1]);
  });
});

Deno.test("with background tasks off the same call runs in the foreground", async () => {
  await inWorld({ script: SCRIPT, allowBash: true }, async ({ run, model }) => {
    const value = await run({ prompt: "start it", background_tasks: "off" });
    assertEquals([value.state, value.result], ["completed", "I started a task."]);
    assertEquals(value.followups, []);
    const results = value.events.filter((event: Answer) => event.type === "result");
    assertEquals(results.length, 1);
    assert(JSON.stringify(model.messages[1]?.body?.messages).includes("finished"));
  });
});

Deno.test("a run that answered and waits for a task says so, and its end leaves no task", async () => {
  const script = () =>
    route([
      { is: "tool_result", reply: answer("I started a task.") },
      { is: "prompt", reply: background("echo $$ > pid; sleep 1; sleep 50") },
    ]);
  await inWorld({ script, allowBash: true }, async (world) => {
    const { start, settled, during, written, client } = world;
    const runId = await start({ prompt: "start it" });
    const pid = await during(runId, written("pid"));
    const activity = await activityOf(client, runId, /answered, waiting for 1 background task/);
    assert(activity.includes("Work for a while"));
    await client.callTool("claude.run.cancel", { run_id: runId });
    const value = await settled(runId);
    assertEquals([value.state, value.error.code], ["cancelled", "cancelled"]);
    assertEquals([value.result, value.cleanup_confirmed], ["I started a task.", true]);
    assert(!await isAlive(pid));
  });
});

Deno.test("the activity of a live run names what it does", async () => {
  const release = Promise.withResolvers<void>();
  const script = () => [answer([text("Once upon"), hold(release.promise), text(" a time.")])];
  await inWorld({ script }, async ({ start, settled, during, client, model }) => {
    const runId = await start({ prompt: "tell" });
    await during(runId, model.arrived(1));
    await activityOf(client, runId, /^writing/);
    release.resolve();
    assertEquals((await settled(runId)).result, "Once upon a time.");
  });
});

/** Reads on with the events until the activity is as wanted. */
async function activityOf(client: McpClient, runId: string, wanted: RegExp): Promise<string> {
  let cursor = 0;
  for (;;) {
    const args = { run_id: runId, after_cursor: cursor, wait_seconds: 50 };
    const { value } = await client.callTool("claude.run.events", args);
    if (wanted.test(value.activity ?? "")) return value.activity;
    assert(value.completed === false, `the run settled as ${value.state}`);
    cursor = value.next_cursor;
  }
}
