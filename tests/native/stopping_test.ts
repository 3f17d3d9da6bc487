import { assert, assertEquals, assertRejects } from "@std/assert";
import { answer, hold, text, toolUse } from "../../src/loopback/mod.ts";
import { isAlive, processesOf } from "../../scripts/support/left_behind.ts";
import { inWorld, type World } from "./world.ts";

/** Not a bare `sleep 50`: the CLI refuses that one itself (measured). */
const LONG = "echo $$ > pid; sleep 1; sleep 50";

/** A daemon in a session of its own, whose parent is gone, and which does not listen to SIGTERM. */
const DAEMON =
  `(setsid sh -c 'trap "" TERM HUP INT; echo $$ > daemon; sleep 50; sleep 50' &) ; ${LONG}`;

function tool(command: string) {
  return () => () => answer([toolUse("Bash", { command, description: "Work for long" })]);
}

/** Waits for {@linkcode DAEMON}: the ids of its shell and of the daemon. */
function begun(world: World, runId: string): Promise<[string, string]> {
  return world.during(runId, Promise.all([world.written("pid"), world.written("daemon")]));
}

Deno.test("a cancelled run takes its running tool with it and says what it found", async () => {
  await inWorld({ script: tool(LONG), allowBash: true }, async (world) => {
    const runId = await world.start({ prompt: "work" });
    const pid = await world.during(runId, world.written("pid"));
    assert(await isAlive(pid));
    const asked = await world.client.callTool("claude.run.cancel", { run_id: runId });
    assertEquals([asked.isError, asked.value.cancel_requested], [false, true]);
    const value = await world.settled(runId);
    assertEquals([value.state, value.error.code], ["cancelled", "cancelled"]);
    assertEquals(value.cleanup.confirmed, true);
    assertEquals(value.cleanup.survivors, []);
    assertEquals(value.exit_code, 143);
    assert(!await isAlive(pid));
    assertEquals(await world.others(), []);
    const again = await world.client.callTool("claude.run.cancel", { run_id: runId });
    assertEquals(again.value.cancel_requested, false);
  });
});

Deno.test("a cancelled run takes a daemon of its tool with it that ignores SIGTERM", async () => {
  await inWorld({ script: tool(DAEMON), allowBash: true }, async (world) => {
    const runId = await world.start({ prompt: "work" });
    const [pid, daemon] = await begun(world, runId);
    assert(await isAlive(daemon));
    await world.client.callTool("claude.run.cancel", { run_id: runId });
    const value = await world.settled(runId);
    assertEquals([value.state, value.cleanup.confirmed], ["cancelled", true]);
    assert(!await isAlive(pid) && !await isAlive(daemon));
    assertEquals(await world.others(), []);
  });
});

Deno.test("a run that answers well leaves no daemon of its tools either", async () => {
  const command =
    "(setsid sh -c 'echo $$ > daemon; sleep 50; sleep 50' > /dev/null 2>&1 &); cat daemon";
  const script = () => [
    answer([toolUse("Bash", { command, description: "Start a daemon" })]),
    answer("It runs."),
  ];
  await inWorld({ script, allowBash: true }, async ({ run, written }) => {
    const value = await run({ prompt: "work" });
    assertEquals([value.state, value.result], ["completed", "It runs."]);
    assertEquals(value.cleanup.confirmed, true);
    assert(value.cleanup.retired >= 1);
    assert(!await isAlive(await written("daemon")));
  });
});

Deno.test("a deadline that passes while a tool runs is timeout, and the tool is gone", async () => {
  await inWorld({ script: tool(LONG), allowBash: true }, async (world) => {
    // On a busy machine the deadline may pass before the tool has begun; then it proves nothing yet.
    let pid: string | null = null;
    for (let seconds = 4; pid === null; seconds *= 2) {
      const runId = await world.start({ prompt: "work", timeout_seconds: seconds });
      pid = await world.during(runId, world.written("pid")).catch(() => null);
      const value = await world.settled(runId);
      assertEquals([value.state, value.error.code], ["failed", "timeout"]);
      assertEquals(value.cleanup.confirmed, true);
    }
    assert(!await isAlive(pid));
    assertEquals(await world.others(), []);
  });
});

Deno.test("cancelling the call of claude.run cancels its run", async () => {
  const script = () => [answer([text("Once"), hold(new Promise(() => {}))])];
  await inWorld({ script }, async ({ client, model, settled }) => {
    const caller = new AbortController();
    const options = { signal: caller.signal };
    const call = client.callTool("claude.run", { prompt: "tell" }, options);
    const failed = assertRejects(() => call, Error, "enough");
    await Promise.race([model.arrived(1), failed]);
    const [info] = (await client.callTool("claude.run.list")).value.runs;
    caller.abort(new Error("enough"));
    await failed;
    const value = await settled(info.run_id);
    assertEquals([value.state, value.cleanup_confirmed], ["cancelled", true]);
  });
});

Deno.test("a host that closes stdin while a tool runs leaves nothing running", async () => {
  await inWorld({ script: tool(DAEMON), allowBash: true }, async (world) => {
    const runId = await world.start({ prompt: "work" });
    const [pid, daemon] = await begun(world, runId);
    assert(await isAlive(pid) && await isAlive(daemon));
    assertEquals(await world.client.close(), 0, world.client.stderr);
    assert(!await isAlive(pid) && !await isAlive(daemon));
    assertEquals(await world.others(), []);
  });
});

Deno.test("a signal to the adapter while a tool runs leaves nothing running", async () => {
  await inWorld({ script: tool(LONG), allowBash: true }, async (world) => {
    const runId = await world.start({ prompt: "work" });
    const pid = await world.during(runId, world.written("pid"));
    world.client.kill("SIGTERM");
    const status = await world.client.ended;
    assertEquals([status.code, status.signal], [0, null], world.client.stderr);
    assert(!await isAlive(pid));
    assertEquals(await world.others(), []);
  });
});

Deno.test("an adapter that is killed leaves nothing running", async () => {
  await inWorld({ script: tool(LONG), allowBash: true, exitCode: 137 }, async (world) => {
    const runId = await world.start({ prompt: "work" });
    const pid = await world.during(runId, world.written("pid"));
    world.client.kill("SIGKILL");
    await world.client.ended;
    await allGone(world.root);
    assert(!await isAlive(pid));
  });
});

/** The supervisor outlives a killed adapter for its clean-up, and nobody is left who could say when it is done. */
async function allGone(root: string): Promise<void> {
  for (let look = 0; look < 200; look++) {
    if ((await processesOf(root)).length === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
