import { assert, assertEquals } from "@std/assert";
import { answer, text, toolUse } from "../../src/loopback/mod.ts";
import { PINNED_VERSION } from "../../scripts/native/install.ts";
import { inWorld } from "./world.ts";

Deno.test("a run gives the answer, its session, its cost, its events and a receipt", async () => {
  await inWorld({ script: () => [answer("Hello there.")] }, async ({ run, model, client }) => {
    const value = await run({ prompt: "say hello" });
    assertEquals(value.state, "completed");
    assertEquals(value.result, "Hello there.");
    assertEquals(value.subtype, "success");
    assertEquals([value.exit_code, value.signal], [0, null]);
    assertEquals(value.native.version, PINNED_VERSION);
    assertEquals(value.permission_mode, "dontAsk");
    assertEquals(value.cleanup_confirmed, true);
    assertEquals(value.cleanup.survivors, []);
    assert(value.total_cost_usd > 0);
    assertEquals(value.session_id, model.messages[0]?.headers["x-claude-code-session-id"]);
    assertEquals(value.final_event.session_id, value.session_id);
    const types = value.events.map((event: { type: string }) => event.type);
    for (const type of ["system", "stream_event", "assistant", "result"]) {
      assert(types.includes(type), `no ${type} in ${types}`);
    }
    assertEquals(value.event_page.observed_events, value.events.length);
    assertEquals([value.events_truncated, value.event_page.missed_events], [false, 0]);

    const listed = await client.callTool("claude.run.list");
    const [info] = listed.value.runs;
    assertEquals([info.run_id, info.state, info.completed], [value.run_id, "completed", true]);
    const released = await client.callTool("claude.run.release", { run_id: value.run_id });
    assertEquals(released.value, { run_id: value.run_id, released: true });
  });
});

Deno.test("a tool's use and its result are among the events", async () => {
  const script = (project: string) => [
    answer([text("I look."), toolUse("Read", { file_path: `${project}/notes.txt` })]),
    answer("It says one."),
  ];
  await inWorld({ script }, async ({ run, project, model }) => {
    await Deno.writeTextFile(`${project}/notes.txt`, "the number is one\n");
    const value = await run({ prompt: "read notes.txt" });
    assertEquals(value.result, "It says one.");
    const all = JSON.stringify(value.events);
    assert(all.includes('"name":"Read"') && all.includes("the number is one"));
    assert(JSON.stringify(model.messages[1]?.body).includes("the number is one"));
  });
});

Deno.test("two runs at once keep their answers and sessions apart", async () => {
  const script = () => (request: { readonly body: unknown }) =>
    answer(JSON.stringify(request.body).includes("PEAR") ? "pear" : "apple");
  await inWorld({ script }, async ({ run }) => {
    const [apple, pear] = await Promise.all([
      run({ prompt: "APPLE" }),
      run({ prompt: "PEAR" }),
    ]);
    assertEquals([apple.result, pear.result], ["apple", "pear"]);
    assert(apple.session_id !== pear.session_id && apple.run_id !== pear.run_id);
  });
});

Deno.test("model, effort and an appended system prompt reach the model", async () => {
  await inWorld({ script: () => [answer("Yes.")] }, async ({ run, model }) => {
    const value = await run({
      prompt: "go",
      model: "claude-opus-5-5",
      effort: "low",
      append_system_prompt: "ADDED WORDS",
    });
    assertEquals(value.state, "completed");
    const body = model.messages[0]?.body;
    assertEquals(body?.model, "claude-opus-5-5");
    assert(JSON.stringify(body?.["system"]).includes("ADDED WORDS"));
    assert(JSON.stringify(body).includes('"effort":"low"'));
  });
});
