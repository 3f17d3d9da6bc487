/** `claude.run` and its progress on the real engine, with the operating system and the time played by the test. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { isObject, type JsonObject } from "../../src/base/json.ts";
import { settle } from "../helpers/fake_clock.ts";
import { init, result, says, toolUse } from "../helpers/frames.ts";
import { testEngine } from "../helpers/test_engine.ts";
import { Peer } from "./peer.ts";

async function connect(syncBudgetSeconds: number | null) {
  const bench = testEngine();
  const peer = new Peer({ engine: bench.engine, clock: bench.clock, syncBudgetSeconds });
  await peer.initialize();
  return { ...bench, peer };
}

function valueOf({ result }: JsonObject): JsonObject {
  assert(isObject(result) && isObject(result.structuredContent));
  assert(isObject(result.structuredContent.result));
  return result.structuredContent.result;
}

Deno.test("a run that outlives the budget answers with its id and what to call next, and goes on", async () => {
  const { peer, clock, launcher, engine } = await connect(30);
  await using _ = peer;
  await peer.call(1, "claude.run", { prompt: "hi" });
  await settle();
  launcher.last.starts().prints(init(), toolUse("a", "Bash"));
  await clock.tick(30_000);
  const answer = await peer.next();
  assert(isObject(answer.result) && answer.result.isError === false);
  const { run_id, state, completed, activity, next } = valueOf(answer);
  assertEquals([state, completed, activity], ["running", false, "running Bash for 30 s"]);
  assertStringIncludes(String(next), "claude.run.result");
  const text = JSON.stringify(answer.result.content);
  for (const part of [String(run_id), "claude.run.result"]) assertStringIncludes(text, part);

  // The call is over, so cancelling it means nothing any more.
  await peer.send({
    jsonrpc: "2.0",
    method: "notifications/cancelled",
    params: { requestId: 1 },
  });
  await peer.request("p", "ping");
  assertEquals(launcher.last.stops, 0);
  launcher.last.prints(says("done"), result()).ends();
  await settle();
  assertEquals(engine.result(String(run_id)).state, "completed");
});

Deno.test("a run within the budget, and one without any, answers with its value", async () => {
  for (const budget of [30, null]) {
    const { peer, clock, launcher } = await connect(budget);
    await using _ = peer;
    await peer.call(1, "claude.run", { prompt: "hi" });
    await settle();
    launcher.last.starts().prints(init());
    await clock.tick(budget === null ? 500_000 : 29_000);
    launcher.last.prints(says("done"), result()).ends();
    const value = valueOf(await peer.next());
    assertEquals([value.state, value.next], ["completed", undefined]);
  }
});

Deno.test("a call that is cancelled within the budget cancels its run, and the budget answers nothing", async () => {
  const { peer, clock, launcher, engine } = await connect(5);
  await using _ = peer;
  await peer.call(1, "claude.run", { prompt: "hi" });
  await settle();
  launcher.last.starts().prints(init());
  await peer.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } });
  await peer.request("p", "ping");
  assertEquals(launcher.last.stops, 1);
  await clock.tick(6_000);
  assertEquals((await peer.request("q", "ping")).id, "q", "nothing came in between");
  launcher.last.ends(143);
  await settle();
  assertEquals(engine.list()[0]?.state, "cancelled");
});

Deno.test("progress follows what the run does, at most once a second", async () => {
  const { peer, clock, launcher } = await connect(null);
  await using _ = peer;
  await peer.call(1, "claude.run", { prompt: "hi" }, { progressToken: "t" });
  const heard = async () => {
    const { method, params } = await peer.next();
    assertEquals(method, "notifications/progress");
    assert(isObject(params));
    return [params.progress, params.message];
  };
  assertEquals(await heard(), [0, "starting for 0 s"]);
  await clock.tick(1_500);
  launcher.last.starts().prints(init());
  assertEquals(await heard(), [1, "waiting for the model for 0 s"]);
  for (let n = 0; n < 20; n++) {
    launcher.last.prints(toolUse(`t${n}`, "Read"));
    await clock.tick(20);
  }
  await clock.tick(600);
  assertEquals(await heard(), [2, "running Read and 19 more for 1 s"]);
  launcher.last.prints(says("done"), result()).ends();
  await clock.tick(1_000);
  let last = await peer.next();
  while (last.id === undefined) last = await peer.next();
  assertEquals(valueOf(last).state, "completed");
});
