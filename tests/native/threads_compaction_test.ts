import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { answer } from "../../src/loopback/mod.ts";
import { asked, inThreads, say } from "./threads_world.ts";

const isCompaction = (body: unknown) => JSON.stringify(body).includes("Respond with TEXT ONLY");

Deno.test("the appended prompt is the one the session began with, until it is compacted; off is anew each time", async () => {
  await inThreads(() => answer("Noted."), async ({ model, thread }) => {
    const send = (rule: string, options = {}) =>
      say(thread("rules", { appendSystemPrompt: rule, ...options }), "hello");
    const rule = () => /RULE-[A-Z]/.exec(asked(model, -1))?.[0];
    await send("RULE-A");
    assertEquals(rule(), "RULE-A");
    await send("RULE-B");
    assertEquals(rule(), "RULE-A", "as it was recorded with the session");
    await send("RULE-C", { systemPromptSnapshot: "off" });
    assertEquals(rule(), "RULE-C");
    const compact = thread("rules", { appendSystemPrompt: "RULE-D", nativeSyntax: true });
    const { notices, text } = await say(compact, "/compact");
    assertEquals(notices.map(({ details }) => details.status), ["started", "done"]);
    assertEquals([notices[1]?.details.trigger, text], ["manual", ""]);
    await send("RULE-E");
    assertEquals(rule(), "RULE-E", "after the compaction it is recorded anew");
  });
});

Deno.test("a conversation that has become too long is compacted, which is told, and nothing of the summary is", async () => {
  let asks = 0;
  await inThreads(({ body }) => {
    if (isCompaction(body)) return answer("the summary");
    asks += 1;
    return answer(`Answer ${asks}.`, asks === 1 ? { usage: { input: 985_000 } } : {});
  }, async ({ model, thread }) => {
    const room = thread("long");
    await say(room, "first");
    const { notices, text, messages, result } = await say(room, "second");
    assertEquals([text, messages.length, result?.isError], ["Answer 2.", 1, false]);
    assertEquals(notices.map(({ topic }) => topic), ["compaction", "compaction"]);
    assertEquals(notices[1]?.details.trigger, "auto");
    assert(Number(notices[1]?.details.pre_tokens) > Number(notices[1]?.details.post_tokens));
    assertStringIncludes(asked(model, -1), "the summary");
    assertEquals((await say(room, "third")).text, "Answer 3.");
  });
});
