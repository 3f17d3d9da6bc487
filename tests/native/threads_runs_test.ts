/** Runs that resume a thread's session, and rounds of that thread, in two processes. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { type Claude, createClaude } from "../../src/library/claude.ts";
import { type Answer, answer, hold, type Script, text } from "../../src/loopback/mod.ts";
import { startThreadChild } from "./thread_child.ts";
import { asked, inThreads, say, type ThreadWorld } from "./threads_world.ts";

/** Answers, the one with this number not before it is released. */
function heldAt(held: number): { readonly script: Script; readonly release: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  let count = 0;
  const slow = (): Answer => answer([text("Begun, "), hold(promise), text("done.")]);
  return { script: () => count++ === held ? slow() : answer("Noted."), release: resolve };
}

/** A world whose runs are in the folders of its threads: a run's directory is its program's. */
async function inOneFolder(
  script: Script,
  body: (world: ThreadWorld & { readonly runs: Claude }) => Promise<void>,
): Promise<void> {
  await inThreads(script, async (world) => {
    const { executable, config } = world;
    const env = { ...Deno.env.toObject(), CLAUDE_CONFIG_DIR: config };
    await using runs = createClaude({ executable, env });
    await body({
      ...world,
      project: Deno.cwd(),
      thread: (path, options) => world.thread(path, { cwd: Deno.cwd(), ...options }),
      runs,
    });
  });
}

for (const how of ["by its id", "as the latest conversation"]) {
  Deno.test(`a run that goes on with a thread's session ${how} while another process is in a round fails, and the turn stays`, async () => {
    const { script, release } = heldAt(1);
    await inOneFolder(script, async (world) => {
      const room = world.thread("room/raced");
      await say(room, "first");
      const child = startThreadChild(world, { word: "held", count: 1 });
      await child.begun();
      const resume_session_id = await room.sessionId();
      const goOn = how === "by its id" ? { resume_session_id } : { continue_previous: true };
      await using run = world.runs.run({ prompt: "meanwhile", ...goOn });
      const { is_error, error } = await run.result;
      assertEquals([is_error, error?.code], [true, "session_busy"]);
      assertStringIncludes(error?.message ?? "", `process ${child.pid}`);
      if (how === "by its id") assertEquals(world.model.messages.length, 2, "it asked nothing");
      release();
      assertEquals(await child.ended, [0, ""]);
      await using later = world.runs.run({ prompt: "after it", resume_session_id });
      assertEquals((await later.result).is_error, false);
      await say(room, "last");
      for (const word of ["first", "held-0.", "after it"]) {
        assertStringIncludes(asked(world.model, -1), word);
      }
    });
  });
}

for (const how of ["by its id", "as the latest conversation"]) {
  Deno.test(`a run that has gone on with a thread's session ${how} is waited for by a round in another process`, async () => {
    const { script, release } = heldAt(1);
    await inOneFolder(script, async (world) => {
      const room = world.thread("room/raced");
      await say(room, "first");
      const resume_session_id = await room.sessionId();
      const goOn = how === "by its id" ? { resume_session_id } : { continue_previous: true };
      await using run = world.runs.run({ prompt: "the run's own", ...goOn });
      await world.model.arrived(2);
      // The CLI names its session before it asks, but that may not have been read yet.
      for await (const { event } of run.events) {
        if (JSON.stringify(event).includes("Begun")) break;
      }
      const busy = world.thread("room/raced", { whenBusy: "fail" });
      const refused = await say(busy, "too early").catch((caught) => caught);
      assertEquals([refused.name, refused.pid], ["ThreadBusy", Deno.pid]);
      const child = startThreadChild(world, { word: "patient", count: 1 });
      release();
      assertEquals((await run.result).is_error, false);
      assertEquals(await child.ended, [0, ""]);
      await say(room, "last");
      for (const word of ["first", "the run's own", "patient-0."]) {
        assertStringIncludes(asked(world.model, -1), word);
      }
    });
  });
}

Deno.test("print, which may not write, does not go on with a thread's session beside a round", async () => {
  const { script, release } = heldAt(1);
  await inOneFolder(script, async (world) => {
    const { thread, executable, config, model } = world;
    const room = thread("printed/1");
    await say(room, "first");
    const round = room.send("held");
    for (let kind = ""; kind !== "text";) kind = (await round.next()).value?.kind ?? "over";
    const print = async (prompt: string) => {
      const flags = ["--allow-run", "--allow-env", "--allow-read", "--no-prompt", "--no-check"];
      const main = new URL("../../mod.ts", import.meta.url).pathname;
      const options = ["--executable", executable, "--permission-mode", "dontAsk"];
      const resume = ["--resume", await room.sessionId()];
      const { code, stderr } = await new Deno.Command(Deno.execPath(), {
        args: ["run", ...flags, main, "print", ...options, ...resume, prompt],
        env: { CLAUDE_CONFIG_DIR: config },
        stdin: "null",
      }).output();
      return [code, new TextDecoder().decode(stderr)] as const;
    };
    const [code, stderr] = await print("meanwhile");
    assertEquals([code, model.messages.length], [1, 2], stderr);
    assertStringIncludes(stderr, "(session_busy)");
    release();
    assertEquals((await round.collect()).text, "Begun, done.");
    assertEquals(await print("after it"), [0, ""]);
    await say(room, "last");
    for (const word of ["held", "after it"]) assertStringIncludes(asked(model, -1), word);
  });
});

Deno.test("runs and rounds of two processes that race for one session lose no turn", async () => {
  await inOneFolder(() => answer("Noted."), async (world) => {
    const room = world.thread("room/raced");
    await say(room, "first");
    const resume_session_id = await room.sessionId();
    const child = startThreadChild(world, { word: "round", count: 6 });
    let hasEnded = false;
    void child.ended.then(() => hasEnded = true);
    const told: string[] = [];
    for (let n = 0, tries = 0; n < 6 || !hasEnded; tries++) {
      assert(tries < 2_000, "the runs never get a turn");
      await using run = world.runs.run({ prompt: `run-${n}.`, resume_session_id });
      const { is_error, error } = await run.result;
      if (is_error) assertEquals(error?.code, "session_busy", error?.message);
      else told.push(`run-${n++}.`);
    }
    assertEquals(await child.ended, [0, ""]);
    assertEquals(world.model.messages.length, 1 + 6 + told.length, "who is refused asks nothing");
    await say(room, "last");
    const words = ["first", ...told, ...Array.from({ length: 6 }, (_, n) => `round-${n}.`)];
    for (const word of words) assertStringIncludes(asked(world.model, -1), word);
  });
});
