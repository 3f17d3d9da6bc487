/** Readers of a turn's events on the real CLI: those who stand still, come late, leave, or never come. */
import { assert, assertEquals } from "@std/assert";
import type { TurnEvent } from "../../src/executor/turn_events.ts";
import { answer, text, toolUse } from "../../src/loopback/mod.ts";
import { inExecutorWorld, type NativeCase, tool } from "./executor_world.ts";

/** The cases, in order. */
export const READING: NativeCase[] = [];
const test = (name: string, body: () => Promise<void>) => READING.push({ name, body });

const WORDS = Array.from({ length: 5_000 }, (_, n) => `word-${n}`).join(" ");
const long = () => answer([text(WORDS, { chunk: 16 })]);

/** What a reader of these events has in the end. */
function shown(events: readonly TurnEvent[]): string {
  const messages = new Map<string, string>();
  for (const event of events) {
    if (event.type !== "message_delta") continue;
    const before = event.replace ? "" : messages.get(event.messageId) ?? "";
    messages.set(event.messageId, before + event.text);
  }
  return [...messages.values()].join("\n\n");
}

/** So that a turn that waits for its reader fails the test and does not hang it. */
const bounded = () => AbortSignal.timeout(30_000);

test("a reader that stands still holds up neither the process nor the result, and misses nothing", async () => {
  await inExecutorWorld({ script: long }, async ({ executor }) => {
    const turn = executor.execute({ prompt: "Go", signal: bounded() });
    const read: TurnEvent[] = [];
    for await (const event of turn.events) {
      read.push(event);
      // The CLI gives up on an output that nobody reads 2 s after its work is done.
      if (event.type === "message_delta" && read.length < 10) assertEquals(await said(turn), WORDS);
    }
    assertEquals([shown(read) === WORDS, read.at(-1)?.type], [true, "result"]);
  });
});

test("without a reader a turn ends well, and who comes after its end still reads it", async () => {
  await inExecutorWorld({ script: long }, async ({ executor }) => {
    const turn = executor.execute({ prompt: "Go", signal: bounded() });
    assertEquals(await said(turn), WORDS);
    const read = await Array.fromAsync(turn.events);
    assertEquals([shown(read) === WORDS, read.at(-1)?.type], [true, "result"]);
  });
});

test("a reader that stands still does not hold up the end of a turn that is cancelled", async () => {
  const script = [answer([text(WORDS, { chunk: 16 }), toolUse("mcp__tools__wait", {})])];
  await inExecutorWorld({ script }, async ({ executor }) => {
    const called = Promise.withResolvers<void>();
    const wait = tool("wait", () => (called.resolve(), new Promise<never>(() => {})));
    const turn = executor.execute({ prompt: "Go", tools: [wait] });
    const reader = turn.events[Symbol.asyncIterator]();
    await reader.next();
    await called.promise;
    await turn[Symbol.asyncDispose]();
    const rest = await Array.fromAsync({ [Symbol.asyncIterator]: () => reader });
    const last = rest.at(-1);
    assert(last?.type === "result");
    assertEquals(last.error?.code, "cancelled");
  });
});

async function said({ result }: { readonly result: Promise<{ readonly text: string }> }) {
  return (await result).text;
}
