import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { createClaude } from "../../src/library/claude.ts";
import { answer, hold, text } from "../../src/loopback/mod.ts";
import { asked, inThreads, say, type ThreadWorld } from "./threads_world.ts";

const noted = () => answer("Noted.");
const HISTORY = [
  { role: "user", text: "what was said long ago" },
  { role: "assistant", text: "and answered" },
] as const;

/** The native file of a session in a world. */
async function fileOf({ config }: ThreadWorld, id: string): Promise<string> {
  for await (const { name } of Deno.readDir(`${config}/projects`)) {
    const path = `${config}/projects/${name}/${id}.jsonl`;
    if (await Deno.stat(path).catch(() => null) !== null) return path;
  }
  throw new Error(`there is no file of ${id}`);
}

const DAMAGES: readonly (readonly [what: string, damage: (text: string) => string])[] = [
  ["empty, as a full disk leaves it", () => ""],
  ["no lines of JSON", () => "garbage\n"],
  ["without a message", (text) => text.split("\n", 1)[0] + "\n"],
];
for (const [what, damage] of DAMAGES) {
  Deno.test(`a session file that is ${what}: the thread begins anew with its history`, async () => {
    await inThreads(noted, async (world) => {
      const { model, thread } = world;
      const room = thread("lost/1");
      await say(room, "first");
      const before = (await room.cost())!.threadUsd!;
      const file = await fileOf(world, await room.sessionId());
      const damaged = damage(await Deno.readTextFile(file));
      await Deno.writeTextFile(file, damaged);
      assertEquals(await room.exists(), false);
      const { text, notices, session } = await say(room, "second", { history: HISTORY });
      assertEquals([text, session?.id], ["Noted.", await room.sessionId()]);
      assertStringIncludes(asked(model, 1), "user| what was said long ago");
      const [notice] = notices;
      assertStringIncludes(notice?.message ?? "", "begins anew");
      assertEquals(await Deno.readTextFile(`${notice?.details.aside}`), damaged, "kept aside");
      assert((await room.cost())!.threadUsd! > before, "what was lost was paid nevertheless");
      await say(room, "third");
      assertStringIncludes(asked(model, 2), "second");
      assertEquals(await room.exists(), true);
    });
  });
}

Deno.test("a session file that the CLI cannot read is an error, and costs nothing of what is known", async () => {
  await inThreads(noted, async (world) => {
    const room = world.thread("lost/2");
    await say(room, "first");
    const before = await room.cost();
    const file = await fileOf(world, await room.sessionId());
    const kept = await Deno.readTextFile(file);
    await Deno.remove(file);
    await Deno.mkdir(file);
    await assertRejects(() => say(room, "second", { history: HISTORY }), Error, "Failed to resume");
    assertEquals(await room.cost(), before);
    await Deno.remove(file);
    await Deno.writeTextFile(file, kept);
    assertEquals((await say(room, "second")).text, "Noted.");
    assertStringIncludes(asked(world.model, -1), "first");
  });
});

Deno.test("a fork of a fork that was never sent to begins with everything that was said", async () => {
  await inThreads(noted, async ({ model, thread }) => {
    const room = thread("fork/1");
    await say(room, "in the beginning");
    await say(room.fork("fork/2").fork("fork/3"), "apart");
    assertStringIncludes(asked(model, 1), "in the beginning");
  });
});

Deno.test("a fork that had rounds of its own and lost them goes on with its history, not with its source", async () => {
  await inThreads(noted, async (world) => {
    const room = world.thread("fork/4");
    await say(room, "in the beginning");
    const fork = room.fork("fork/5");
    await say(fork, "apart");
    await Deno.remove(await fileOf(world, await fork.sessionId()));
    await say(fork, "further apart", { history: HISTORY });
    assertStringIncludes(asked(world.model, 2), "user| what was said long ago");
    assert(!asked(world.model, 2).includes("in the beginning"));
  });
});

Deno.test("costs: of a round, of a thread, over cancelled rounds, programs, forks and lost sessions", async () => {
  let cancelNext: Promise<void> | null = null;
  const script = () =>
    cancelNext === null ? noted() : answer([text("Begun, "), hold(cancelNext), text("done.")]);
  await inThreads(script, async (world) => {
    const { executable, model, thread, threadOf } = world;
    const room = thread("cost/1");
    const costs = async (of = room, words = "more") => {
      const { result } = await say(of, words, { history: HISTORY });
      return [units(result?.roundUsd), units(result?.threadUsd)];
    };
    const first = (await say(room, "first")).result!;
    const unit = first.roundUsd!;
    const units = (usd: number | null | undefined) =>
      typeof usd === "number" ? Math.round(usd / unit * 1e6) / 1e6 : null;
    assert(unit > 0);
    assertEquals(await costs(), [1, 2]);

    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    cancelNext = released;
    const abort = new AbortController();
    const cancelled = say(room, "cancelled", { signal: abort.signal });
    await model.arrived(3);
    abort.abort();
    await assertRejects(() => cancelled, Error, "cancelled");
    cancelNext = null;
    release();
    assertEquals(await costs(), [1, 3], "a cancelled round has said no cost");

    await using program = createClaude({ executable });
    assertEquals(await costs(threadOf(program, "cost/1")), [1, 4], "another program goes on");
    for await (const { kind } of thread("cost/5").send("left at its result")) {
      if (kind === "result") break;
    }
    assertEquals(units((await thread("cost/5").cost())?.threadUsd), 1);
    assertEquals(await costs(thread("cost/5")), [1, 2]);

    const fork = room.fork("cost/2");
    assertEquals(await costs(fork), [1, 1], "what is copied into a fork is its source's cost");
    assertEquals(await costs(fork), [1, 2]);
    assertEquals(await costs(), [1, 5]);

    await Deno.remove(await fileOf(world, await room.sessionId()));
    assertEquals(await costs(), [1, 6], "a session that begins anew begins its total anew");
    assertEquals(await costs(), [1, 7]);

    await fork.forget();
    assertEquals(await costs(fork), [1, null], "its total has its source's cost in it");
    assertEquals(await costs(fork), [1, null]);
    await room.forget();
    await Deno.remove(await fileOf(world, await room.sessionId()));
    assertEquals(await costs(), [1, null], "who has a history has had costs");
    assertEquals(await costs(thread("cost/3")), [1, null], "and so has who comes from elsewhere");
    await say(thread("cost/4"), "new");
    assertEquals(await costs(thread("cost/4")), [1, 2]);
  });
});
