import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { processesOf } from "../../scripts/support/left_behind.ts";
import { createClaude } from "../../src/library/claude.ts";
import type { Thread } from "../../src/library/thread_api.ts";
import { answer, breakConnection, hold, text } from "../../src/loopback/mod.ts";
import { startThreadChild } from "./thread_child.ts";
import { asked, inThreads, say } from "./threads_world.ts";

Deno.test("a thread goes on over rounds, and the CLI keeps what was said", async () => {
  await inThreads([answer("One."), answer("Two."), answer("Three.")], async ({ model, thread }) => {
    const room = thread("room/1");
    for (const [index, word] of ["One.", "Two.", "Three."].entries()) {
      const { text, result, session } = await say(room, `message ${index}`);
      assertEquals([text, result?.isError], [word, false]);
      assertEquals(session?.id, await room.sessionId());
    }
    for (const part of ["message 0", "One.", "message 1", "Two.", "message 2"]) {
      assertStringIncludes(asked(model, 2), part);
    }
    assertEquals(model.messages.length, 3, "a round that finds no conversation asks nothing");
  });
});

Deno.test("a session that is gone begins anew with the turns that are handed over", async () => {
  await inThreads([answer("One."), answer("Two.")], async ({ model, config, thread }) => {
    await say(thread("room/2"), "first");
    await Deno.remove(`${config}/projects`, { recursive: true });
    const history = [
      { role: "user", text: "first" },
      { role: "assistant", text: "One." },
    ] as const;
    const { text } = await say(thread("room/2"), "second", { history });
    assertEquals(text, "Two.");
    for (const part of ["user| first", "assistant| One.", "second"]) {
      assertStringIncludes(asked(model, 1), part);
    }
  });
});

Deno.test("messages that are sent at once lose no turn", async () => {
  const words = Array.from({ length: 4 }, (_, index) => answer(`Answer ${index}.`));
  const released = Promise.withResolvers<void>();
  const last = answer([text("Slowly "), hold(released.promise), text("done.")]);
  await inThreads([...words, last], async ({ model, thread }) => {
    const room = thread("room/3");
    await Promise.all(words.map((_, index) => say(room, `at once ${index}`)));
    for (let index = 0; index < 4; index++) {
      assertStringIncludes(asked(model, 3), `at once ${index}`);
    }
    const busy = thread("room/3", { whenBusy: "fail" });
    const round = room.send("one more");
    assertEquals((await round.next()).value?.kind, "session");
    await assertRejects(() => say(busy, "too many"), Error, "Another round or run");
    released.resolve();
    const left = await Array.fromAsync(round);
    assertEquals(left.at(-1)?.kind, "result");
    assertEquals(model.messages.length, 5);
  });
});

Deno.test("a round that is cancelled leaves nothing, and the thread goes on after it", async () => {
  const released = Promise.withResolvers<void>();
  const script = [
    answer([text("Begun, "), hold(released.promise), text("never ended.")]),
    answer("After that."),
  ];
  await inThreads(script, async ({ model, thread }) => {
    const room = thread("room/4");
    const abort = new AbortController();
    const cancelled = say(room, "go", { signal: abort.signal });
    await model.arrived(1);
    abort.abort();
    await assertRejects(() => cancelled, Error, "cancelled by its caller");
    const { text } = await say(room, "go on");
    assertEquals(text, "After that.");
  });
  released.resolve();
});

Deno.test("a CLI that falls silent hits the idle bound, which the error names", async () => {
  const released = Promise.withResolvers<void>();
  const script = () => answer([text("Well "), hold(released.promise), text("…")]);
  await inThreads(script, async ({ thread }) => {
    const room = thread("room/5", { idleMs: 1_500 });
    const error = await assertRejects(() => say(room, "hello"));
    assert(error instanceof Error);
    assertEquals([error.name, error.message.includes("1500 ms")], ["IdleTimeout", true]);
  });
  released.resolve();
});

Deno.test("a thread stays in its directory", async () => {
  await inThreads([answer("One."), answer("Two.")], async ({ root, model, thread }) => {
    await say(thread("room/11"), "first");
    const elsewhere = thread("room/11", { cwd: root });
    await assertRejects(() => say(elsewhere, "second"), Error, "only there");
    assertEquals(model.messages.length, 1);
    await elsewhere.forget();
    assertEquals((await say(elsewhere, "second")).text, "Two.");
  });
});

Deno.test("a run of the library gives its events as they come, and its value", async () => {
  const script = [answer("Done.")];
  await inThreads(script, async ({ claude }) => {
    await using run = claude.run({ prompt: "hello" });
    const types: unknown[] = [];
    for await (const { event } of run.events) types.push((event as { type?: unknown }).type);
    assertEquals([types.includes("assistant"), types.at(-1)], [true, "result"]);
    const { is_error, result, native } = await run.result;
    assertEquals([is_error, result, native.admitted_by], [false, "Done.", "tree"]);
  });
});

Deno.test("two processes that race for one thread lose no turn in twenty rounds", async () => {
  await inThreads(() => answer("Noted."), async (world) => {
    const race = ["left", "right"].map((word) =>
      startThreadChild(world, { word, count: 10 }).ended
    );
    for (const [code, stderr] of await Promise.all(race)) assertEquals(code, 0, stderr);
    assertEquals(world.model.messages.length, 20);
    for (const word of ["left", "right"]) {
      for (let n = 0; n < 10; n++) assertStringIncludes(asked(world.model, 19), `${word}-${n}.`);
    }
  });
});

Deno.test("a fork begins with what was said and leaves its source as it is", async () => {
  const words = ["One.", "Two, apart.", "Two."].map((word) => answer(word));
  await inThreads(words, async ({ model, thread }) => {
    const room = thread("room/7");
    await say(room, "first");
    const apart = await say(room.fork("room/7/apart"), "second, apart");
    assertEquals(apart.text, "Two, apart.");
    for (const part of ["first", "One."]) assertStringIncludes(asked(model, 1), part);
    assertEquals((await say(room, "second")).text, "Two.");
    assert(!asked(model, 2).includes("apart"));
    assertEquals([await room.exists(), await thread("room/none").exists()], [true, false]);
    const costs = [await room.cost(), await room.fork("room/7/apart").cost()];
    assert(costs[0]!.threadUsd! > 0);
    assertEquals(costs[1]?.totalUsd, costs[0]?.totalUsd, "the CLI copies the total into the fork");
    assertEquals(costs[1]!.threadUsd! * 2, costs[0]!.threadUsd!, "of which one round is its own");
    await room.forget();
    await room.forget();
    assertEquals([await room.cost(), await room.exists()], [null, true]);
  });
});

Deno.test("what a thread keeps secret is in no argument, and its file is gone afterwards", async () => {
  const secret = "bearer-that-nobody-may-see";
  const seen: (string | null)[] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, (request) => {
    seen.push(request.headers.get("authorization"));
    return new Response("{}", { status: 404, headers: { "content-type": "application/json" } });
  });
  const released = Promise.withResolvers<void>();
  const script = [answer([text("Well, "), hold(released.promise), text("done.")])];
  await inThreads(script, async ({ model, root, executable, threadOf }) => {
    const url = `http://127.0.0.1:${server.addr.port}/mcp`;
    const headers = { Authorization: `Bearer ${secret}` };
    const logged: string[] = [];
    const log = { write: (...line: unknown[]) => void logged.push(JSON.stringify(line)) };
    await using logging = createClaude({ executable, log });
    const room = threadOf(logging, "room/8", {
      mcpServers: { host: { type: "http", url, headers } },
    });
    const round = say(room, "hello");
    await model.arrived(1);
    const commands = (await processesOf(root)).map(({ command }) => command);
    const native = commands.find((command) => command.includes("--mcp-config="));
    assert(native !== undefined, commands.join("\n"));
    assert(commands.every((command) => !command.includes(secret) && !command.includes("sk-ant")));
    const file = /--mcp-config=(\S+)/.exec(native)?.[1] ?? "";
    assertEquals((await Deno.stat(file)).mode! & 0o777, 0o600);
    released.resolve();
    assertEquals((await round).text, "Well, done.");
    assert(seen.includes(`Bearer ${secret}`), "the server was reached with it");
    await assertRejects(() => Deno.stat(file), Deno.errors.NotFound);
    // What the CLI and this library have written down, logs of MCP servers included.
    const filesWith = async (words: string) => {
      const args = ["-rlE", words, root];
      return (await new Deno.Command("grep", { args, stdin: "null" }).output()).stdout.length;
    };
    assert(await filesWith("hello") > 0, "the conversation is written down");
    assertEquals(await filesWith(`${secret}|sk-ant-made-up`), 0);
    assert(!logged.some((line) => line.includes(secret)), logged.join("\n"));
  });
  await server.shutdown();
});

Deno.test("two users with folders of their own never see each other", async () => {
  const words = ["Ann's.", "Bob's.", "Ann's again."].map((word) => answer(word));
  await inThreads(words, async ({ model, root, thread }) => {
    const [ann, bob] = ["ann", "bob"].map((name) =>
      thread("room/9", { configDir: `${root}/${name}` })
    ) as [Thread, Thread];
    await say(ann, "ann speaks");
    await say(bob, "bob speaks");
    assert(!asked(model, 1).includes("ann speaks"));
    await say(ann, "ann again");
    assert(asked(model, 2).includes("ann speaks") && !asked(model, 2).includes("bob speaks"));
  });
});

Deno.test("an answer that breaks off and is streamed again is there once, and its cost is known", async () => {
  const broken = answer([text("Half of the ans"), breakConnection()]);
  await inThreads([broken, answer("The whole answer.")], async ({ thread }) => {
    const { text: said, result } = await say(thread("room/10"), "hello");
    assertEquals(said, "The whole answer.");
    assert(result !== null && result.roundUsd !== null && result.roundUsd >= 0);
  });
});
