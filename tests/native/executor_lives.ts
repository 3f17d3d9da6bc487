/** The life of executors and turns on the real CLI: many at once, given up at every stage, used after their end. */
import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { leftBehind } from "../../scripts/support/left_behind.ts";
import { AdapterError } from "../../src/base/errors.ts";
import type { TurnEvent } from "../../src/executor/turn_events.ts";
import { answer, hold, text, toolUse } from "../../src/loopback/mod.ts";
import { ended, inExecutorWorld, type NativeCase, tool } from "./executor_world.ts";

/** The cases, in order. */
export const LIVES: NativeCase[] = [];
const test = (name: string, body: () => Promise<void>) => LIVES.push({ name, body });

/** A tool that stands still until its turn gives it up. */
const wait = () =>
  tool(
    "wait",
    (_, { signal }) =>
      new Promise<never>((_, reject) =>
        signal.addEventListener("abort", () => reject(signal.reason), { once: true })
      ),
  );

const STAGES = [
  "execute",
  "ready",
  "spawned",
  "init",
  "message_delta",
  "tool_call",
] as const;

test("a turn that is given up at any stage is cancelled, and nothing of it is left", async () => {
  for (const stage of STAGES) {
    const script = [answer([text("Let me see."), toolUse("mcp__tools__wait", {})])];
    await inExecutorWorld({ script }, async ({ executor, root }) => {
      const stop = new AbortController();
      const turn = executor.execute({ prompt: "Go", tools: [wait()], signal: stop.signal });
      const events: TurnEvent[] = [];
      if (stage === "execute") stop.abort();
      for await (const event of turn.events) {
        events.push(event);
        if (event.type === stage) stop.abort();
      }
      const error = await assertRejects(() => turn.result, AdapterError);
      assertEquals([error.code, events.at(-1)?.type], ["cancelled", "result"], stage);
      assertEquals(await leftBehind(root), [], stage);
    });
  }
});

test("turns run side by side, and the end of their executor is the end of all of them", async () => {
  const script = () => answer([toolUse("mcp__tools__wait", {})]);
  await inExecutorWorld({ script }, async ({ executor, root }) => {
    let calls = 0;
    const all = Promise.withResolvers<void>();
    const { handler } = wait();
    const counted = tool("wait", (input, call) => {
      if (++calls === 10) all.resolve();
      return handler(input, call);
    });
    const turns = Array.from(
      { length: 10 },
      () => ended(executor.execute({ prompt: "Go", tools: [counted] })),
    );
    await Promise.race([all.promise, ...turns]);
    assertEquals(calls, 10);
    const [first, second] = [executor[Symbol.asyncDispose](), executor[Symbol.asyncDispose]()];
    await Promise.all([first, second]);
    assertEquals(await leftBehind(root), [], "when it is disposed of");
    for (const { error } of await Promise.all(turns)) assertEquals(error?.code, "cancelled");
    const refused = assertThrows(() => executor.execute({ prompt: "Go" }), AdapterError);
    assertEquals(refused.code, "cancelled");
    await executor[Symbol.asyncDispose]();
  });
});

test("a turn that is over cannot be given up any more: its answer stays", async () => {
  const never = new Promise<never>(() => {});
  const script = [answer("Done."), answer([text("Hm"), hold(never)])];
  await inExecutorWorld({ script }, async ({ executor }) => {
    const stop = new AbortController();
    const turn = executor.execute({ prompt: "Go", signal: stop.signal });
    const { text: said } = await turn.result;
    stop.abort();
    turn.cancel();
    assertEquals([said, turn.withdraw("nobody")], ["Done.", false]);
    assertEquals((await turn.result).text, "Done.");
    await turn[Symbol.asyncDispose]();
    const other = executor.execute({ prompt: "Go", signal: AbortSignal.timeout(2_000) });
    const { error, events } = await ended(other);
    assert(events.length > 0);
    assertEquals(error?.code, "cancelled", "a signal that times out");
  });
});
