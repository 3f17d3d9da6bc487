import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { answer, hold, type LoggedRequest, text } from "../../src/loopback/mod.ts";
import { inWorld } from "./world.ts";

/** Everything the model was told in one request. */
function told(request: LoggedRequest | undefined): string {
  return JSON.stringify(request?.body?.messages);
}

Deno.test("a run can be given its session id, and another can resume it", async () => {
  const session = crypto.randomUUID();
  const script = () => [answer("I will remember."), answer("It was APPLE.")];
  await inWorld({ script }, async ({ run, model }) => {
    const first = await run({ prompt: "remember APPLE", session_id: session });
    assertEquals([first.state, first.session_id], ["completed", session]);
    const second = await run({ prompt: "which word?", resume_session_id: session });
    assertEquals([second.state, second.session_id], ["completed", session]);
    assertStringIncludes(told(model.messages[1]), "remember APPLE");
    assertStringIncludes(told(model.messages[1]), "I will remember.");
    assert(second.total_cost_usd > first.total_cost_usd);
  });
});

Deno.test("continue_previous goes on with the last conversation of the directory", async () => {
  const script = () => [answer("I will remember."), answer("It was PEAR.")];
  await inWorld({ script }, async ({ run, model }) => {
    const first = await run({ prompt: "remember PEAR" });
    const second = await run({ prompt: "which word?", continue_previous: true });
    assertEquals([second.state, second.session_id], ["completed", first.session_id]);
    assertStringIncludes(told(model.messages[1]), "remember PEAR");
  });
});

Deno.test("a conversation that was not persisted cannot be resumed", async () => {
  await inWorld({ script: () => [answer("Gone.")] }, async ({ run, model }) => {
    const first = await run({ prompt: "forget", no_session_persistence: true });
    assertEquals(first.state, "completed");
    const second = await run({ prompt: "go on", resume_session_id: first.session_id });
    assertEquals([second.state, second.error.code], ["failed", "resume_failed"]);
    assertEquals(model.messages.length, 1);
  });
});

Deno.test("an unknown conversation is resume_failed and asks the model nothing", async () => {
  await inWorld({ script: () => [] }, async ({ run, model }) => {
    const value = await run({ prompt: "go on", resume_session_id: crypto.randomUUID() });
    assertEquals([value.state, value.error.code], ["failed", "resume_failed"]);
    assertStringIncludes(value.error.message, "No conversation found");
    assertEquals(value.cleanup_confirmed, true);
    assertEquals(model.messages.length, 0);
  });
});

Deno.test("a second run of a session that is in use is session_busy, and starts nothing", async () => {
  const release = Promise.withResolvers<void>();
  const script = () => [
    answer("I will remember."),
    answer([text("It was "), hold(release.promise), text("APPLE.")]),
  ];
  await inWorld({ script }, async ({ run, start, settled, during, model, client }) => {
    const { session_id } = await run({ prompt: "remember APPLE" });
    const running = await start({ prompt: "which word?", resume_session_id: session_id });
    await during(running, model.arrived(2));
    const args = { prompt: "and again?", resume_session_id: session_id };
    const refused = await client.callTool("claude.run", args);
    assertEquals(refused.isError, true);
    assertEquals(refused.value.error.code, "session_busy");
    assertStringIncludes(refused.text, "session_busy");
    assertEquals((await client.callTool("claude.run.list")).value.runs.length, 2);
    release.resolve();
    assertEquals((await settled(running)).result, "It was APPLE.");
    assertEquals(model.messages.length, 2);
  });
});
