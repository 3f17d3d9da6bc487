import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { isAlive, processesOf } from "../../scripts/support/left_behind.ts";
import { AdapterError } from "../../src/base/errors.ts";
import { createClaude } from "../../src/library/claude.ts";
import { type Answer, answer, hold, type Script, text } from "../../src/loopback/mod.ts";
import { ThreadBusy } from "../../src/threads/thread_error.ts";
import { startThreadChild, type ThreadChild } from "./thread_child.ts";
import { asked, inThreads, say, type ThreadWorld } from "./threads_world.ts";

/** An answer that begins and ends when it is told to, and then others. */
function heldFirst(): { readonly script: Script; readonly release: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  let first: Answer | null = answer([text("Begun, "), hold(promise), text("done.")]);
  const script = () => {
    const reply = first ?? answer("After that.");
    first = null;
    return reply;
  };
  return { script, release: resolve };
}

/** The native processes of a world. */
async function natives({ root }: ThreadWorld): Promise<readonly number[]> {
  const all = await processesOf(root);
  return all.filter(({ command }) => command.includes("--input-format=stream-json")).map((row) =>
    row.pid
  );
}

Deno.test("closing the library ends rounds that run, wait or are not looked at, and starts no more", async () => {
  const { script, release } = heldFirst();
  await inThreads(script, async (world) => {
    const other = createClaude({ executable: world.executable });
    const room = world.threadOf(other, "closed/1");
    const first = room.send("go");
    for (let kind = ""; kind !== "text";) kind = (await first.next()).value?.kind ?? "over";
    const queued = say(room, "in the queue");
    queued.catch(() => {});
    await other[Symbol.asyncDispose]();
    assertEquals(await natives(world), [], "the round is over when the library is");
    await assertRejects(() => first.next(), AdapterError, "closed before the round was over");
    assertEquals((await first.next()).done, true);
    await assertRejects(() => queued, AdapterError);
    await assertRejects(() => say(room, "too late"), AdapterError, "closed");
    assertEquals(world.model.messages.length, 1);
    assertEquals((await say(world.thread("closed/1"), "go on")).text, "After that.");
  });
  release();
});

Deno.test("breaking off ends the round at once, also while nothing comes", async () => {
  const { script, release } = heldFirst();
  await inThreads(script, async (world) => {
    const round = world.thread("left/1").send("go");
    for (let kind = ""; kind !== "text";) kind = (await round.next()).value?.kind ?? "over";
    const pending = round.next(); // nothing comes any more
    pending.catch(() => {});
    await round.return();
    assertEquals(await natives(world), []);
    assertEquals((await say(world.thread("left/1"), "go on")).text, "After that.");
  });
  release();
});

Deno.test("a round that is cancelled while nobody looks gives the thread back, and is no whole answer", async () => {
  const { script, release } = heldFirst();
  await inThreads(script, async ({ thread }) => {
    const abort = new AbortController();
    const round = thread("aside/1").send("go", { signal: abort.signal });
    for (let kind = ""; kind !== "text";) kind = (await round.next()).value?.kind ?? "over";
    abort.abort();
    assertEquals((await say(thread("aside/1"), "go on")).text, "After that.");
    await assertRejects(() => round.next(), AdapterError, "cancelled by its caller");
  });
  release();
});

Deno.test("a reader that pauses for longer than the CLI waits for it gets the whole answer", async () => {
  const words = Array.from({ length: 2_000 }, (_, n) => `word-${n}`).join(" ");
  await inThreads([answer([text(words, { chunk: 16 })])], async ({ thread }) => {
    const round = thread("slow/1").send("go");
    for (let kind = ""; kind !== "text";) kind = (await round.next()).value?.kind ?? "over";
    await new Promise((resolve) => setTimeout(resolve, 6_000)); // it is the pause that is tested
    const { text: said, result } = await round.collect();
    assertEquals([said === words, result?.isError], [true, false]);
  });
});

Deno.test("a reader that does not come back keeps the thread until it leaves the round", async () => {
  await inThreads(() => answer("Noted."), async (world) => {
    const round = world.thread("slow/2").send("go");
    for (let kind = ""; kind !== "result";) kind = (await round.next()).value?.kind ?? "over";
    while ((await natives(world)).length > 0) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const busy = world.thread("slow/2", { whenBusy: "fail" });
    await assertRejects(() => say(busy, "too early"), ThreadBusy);
    const waiting = say(world.thread("slow/2"), "patient");
    await round.return();
    assertEquals((await waiting).text, "Noted.");
  });
});

Deno.test("two who collect one round get the same, and an error thrown into it ends it and comes back", async () => {
  await inThreads(() => answer("Noted."), async (world) => {
    const room = world.thread("readers/1");
    const round = room.send("go");
    const [one, other] = await Promise.all([round.collect(), round.collect()]);
    assertEquals([one.text, other.text], ["Noted.", "Noted."]);
    const thrown = room.send("go on");
    await thrown.next();
    await assertRejects(() => thrown.throw(new Error("the reader's own")), Error, "reader's own");
    assertEquals([await natives(world), (await thrown.next()).done], [[], true]);
    assertEquals((await say(room, "and on")).text, "Noted.");
  });
});

Deno.test("a program that sends message after message keeps no other one out", async () => {
  await inThreads(() => answer("Noted."), async (world) => {
    const child = startThreadChild(world, { word: "greedy", count: 8 });
    await child.begun();
    await say(world.thread("room/raced"), "patient");
    const before = world.model.messages.length;
    assert(before < 8, `the other one had ${before} rounds first`);
    assertEquals(await child.ended, [0, ""]);
    assertEquals(world.model.messages.length, 9);
  });
});

Deno.test("who waits for a round of the same thread can give up, and others are told who has it", async () => {
  const { script, release } = heldFirst();
  await inThreads(script, async (world) => {
    const before = Date.now();
    const child = startThreadChild(world, { word: "held", count: 1 });
    await child.begun();
    const room = world.thread("room/raced");
    const abort = new AbortController();
    const waiting = Promise.allSettled([
      say(room, "a", { signal: abort.signal }),
      say(room, "b", { signal: abort.signal }),
    ]);
    const refused = await assertRejects(
      () => say(world.thread("room/raced", { whenBusy: "fail" }), "c"),
      ThreadBusy,
    );
    assertEquals(refused.pid, Deno.pid, "this very process is before it");
    abort.abort();
    for (const one of await waiting) {
      assertStringIncludes(String((one as { reason?: unknown }).reason), "cancelled by its caller");
    }
    const busy = await assertRejects(
      () => say(world.thread("room/raced", { whenBusy: "fail" }), "d"),
      ThreadBusy,
    );
    assertEquals([busy.pid, busy.code], [child.pid, "session_busy"]);
    assert(busy.since !== null && busy.since >= before && busy.since <= Date.now());
    assertStringIncludes(busy.message, `process ${child.pid}`);
    const patient = say(room, "patient");
    release();
    assertEquals((await patient).text, "After that.");
    assertEquals(await child.ended, [0, ""]);
    assertStringIncludes(asked(world.model, 1), "held-0.");
    assertEquals(world.model.messages.length, 2, "who gave up has asked nothing");
  });
});

/** What is killed while an answer comes. */
const KILLED: readonly (readonly [
  what: string,
  pids: (
    child: ThreadChild,
    world: ThreadWorld,
  ) => Promise<readonly number[]>,
])[] = [
  ["the program", ({ pid }) => Promise.resolve([pid])],
  ["the program and its supervisor", async ({ pid }, { root }) => {
    const supervisors = (await processesOf(root)).filter(({ command }) =>
      /supervise(_entry\.ts)?$/.test(command)
    );
    assertEquals(supervisors.length, 1);
    return [supervisors[0]!.pid, pid];
  }],
];
for (const [what, pidsOf] of KILLED) {
  Deno.test(`${what} killed in the middle of a round: the next one waits until nothing of it is left`, async () => {
    const server = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen: () => {} },
      () => new Response(null, { status: 404 }),
    );
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const running: (readonly number[])[] = [];
    let world: ThreadWorld | null = null;
    await inThreads(async ({ body }) => {
      if (!JSON.stringify(body).includes("after-the-end")) {
        return answer([text("Begun, "), hold(held), text("done.")]);
      }
      running.push(await natives(world!));
      return answer("Two.");
    }, async (here) => {
      world = here;
      const mcp = `http://127.0.0.1:${server.addr.port}/mcp`;
      const child = startThreadChild(here, { word: "killed", count: 1, mcp });
      await child.begun();
      const [left] = await secretsOf(child.pid);
      assert(left !== undefined, "the token is in a file while the round runs");
      const [native] = await natives(here);
      for (const pid of await pidsOf(child, here)) Deno.kill(pid, "SIGKILL");
      await child.ended;
      assertEquals((await say(here.thread("room/raced"), "after-the-end")).text, "Two.");
      assertEquals([running.length, running[0]?.length], [1, 1], "one native process at a time");
      assert(running[0]?.[0] !== native && !await isAlive(native!));
      await say(here.thread("room/raced"), "after-the-end again");
      assertStringIncludes(asked(here.model, -1), "killed-0.");
      assertStringIncludes(asked(here.model, -1), '"after-the-end"');
      await using next = createClaude({ executable: here.executable });
      await say(here.threadOf(next, "room/other"), "after-the-end elsewhere");
      await next[Symbol.asyncDispose]();
      assertEquals(await secretsOf(child.pid), [], "what a killed program kept secret is removed");
    });
    release();
    await server.shutdown();
  });
}

/** The private folders of a program that hold something. */
async function secretsOf(pid: number): Promise<readonly string[]> {
  const beside = await Deno.makeTempDir();
  await Deno.remove(beside);
  const parent = beside.slice(0, beside.lastIndexOf("/"));
  const mine = new RegExp(`^claude-code-adapter-\\d+\\.${pid}\\.`);
  const found: string[] = [];
  for await (const { name } of Deno.readDir(parent)) {
    if (mine.test(name)) found.push(`${parent}/${name}`);
  }
  return found;
}
