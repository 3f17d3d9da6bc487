import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  answer,
  breakConnection,
  delay,
  failure,
  hold,
  ping,
  startLoopbackModel,
  streamError,
  text,
  thinking,
  toolUse,
} from "../../src/loopback/mod.ts";
import { ask, parseEvents, readUntilEnd, type SentEvent } from "./client.ts";

function types(events: readonly SentEvent[]): string[] {
  return events.map((event) => event.type);
}

Deno.test("a text streams as the API streams it", async () => {
  await using model = startLoopbackModel({
    script: [answer([text("Hello", { chunk: 2 })], { usage: { input: 7, output: 3 } })],
  });
  const response = await ask(model.url, "hi");
  assertEquals(response.headers.get("content-type"), "text/event-stream");
  const events = parseEvents(await response.text());
  assertEquals(types(events), [
    "message_start",
    "ping",
    "content_block_start",
    "content_block_delta",
    "content_block_delta",
    "content_block_delta",
    "content_block_stop",
    "message_delta",
    "message_stop",
  ]);
  assertEquals(events[0]!.message!["model"], "some-model");
  assertEquals(events.flatMap((event) => event.delta?.["text"] ?? []), ["He", "ll", "o"]);
  const last = events.at(-2)!;
  assertEquals(last.delta!["stop_reason"], "end_turn");
  assertEquals([last.usage!["input_tokens"], last.usage!["output_tokens"]], [7, 3]);
});

Deno.test("thinking, text and parallel tools are blocks of their own", async () => {
  await using model = startLoopbackModel({
    script: [
      answer([
        thinking("hm", { chunk: 1 }),
        text("a"),
        ping(),
        text("b"),
        toolUse("Read", { file_path: "/x" }, { chunk: 4 }),
        toolUse("Read", { file_path: "/y" }, { id: "toolu_chosen" }),
      ]),
    ],
  });
  const events = parseEvents(await (await ask(model.url, "hi")).text());
  const starts = events.filter((event) => event.type === "content_block_start");
  assertEquals(starts.map((event) => [event.index, event.content_block!["type"]]), [
    [0, "thinking"],
    [1, "text"],
    [2, "tool_use"],
    [3, "tool_use"],
  ]);
  assertEquals(starts.slice(2).map((event) => event.content_block!["id"]), [
    "toolu_loopback_0001",
    "toolu_chosen",
  ]);
  const stops = events.filter((event) => event.type === "content_block_stop");
  assertEquals(stops.map((event) => event.index), [0, 1, 2, 3]);
  const deltas = events.filter((event) => event.type === "content_block_delta");
  const ofBlock = (index: number) => deltas.filter((event) => event.index === index);
  assertEquals(ofBlock(0).map((event) => event.delta!["type"]), [
    "thinking_delta",
    "thinking_delta",
    "signature_delta",
  ]);
  assertEquals(ofBlock(1).map((event) => event.delta!["text"]), ["a", "b"]);
  assert(ofBlock(2).length > 1);
  const input = ofBlock(2).map((event) => event.delta!["partial_json"]).join("");
  assertEquals(JSON.parse(input), { file_path: "/x" });
  assertEquals(events.at(-2)!.delta!["stop_reason"], "tool_use");
});

Deno.test("a surrogate pair is never cut", async () => {
  await using model = startLoopbackModel({ script: [answer([text("a😀b", { chunk: 2 })])] });
  const events = parseEvents(await (await ask(model.url, "hi")).text());
  assertEquals(events.flatMap((event) => event.delta?.["text"] ?? []), ["a😀", "b"]);
});

Deno.test("a request that does not stream gets one message", async () => {
  await using model = startLoopbackModel({
    script: [answer([thinking("hm"), text("a"), delay(0), text("b"), toolUse("T", { n: 1 })])],
  });
  const message = await (await ask(model.url, "hi", false)).json();
  assertEquals(message.stop_reason, "tool_use");
  assertEquals(message.content.map((block: { type: string }) => block.type), [
    "thinking",
    "text",
    "tool_use",
  ]);
  assertEquals(message.content[1].text, "ab");
  assertEquals(message.content[2].input, { n: 1 });
});

Deno.test("a break tears the connection down in the middle of the text", async () => {
  await using model = startLoopbackModel({
    script: [answer([text("half"), breakConnection()]), answer([breakConnection()])],
  });
  const streamed = await readUntilEnd(await ask(model.url, "hi"));
  assertEquals(streamed.whole, false);
  assert(streamed.text.includes("half"));
  assert(!streamed.text.includes("message_stop"));
  const whole = await readUntilEnd(await ask(model.url, "hi", false));
  assertEquals(whole, { text: "", whole: false });
});

Deno.test("an error step is an error event, and a failure when nothing streams", async () => {
  const script = () => answer([text("half"), streamError("overloaded_error", "Overloaded")]);
  await using model = startLoopbackModel({ script });
  const events = parseEvents(await (await ask(model.url, "hi")).text());
  assertEquals(events.at(-1)!.error, { type: "overloaded_error", message: "Overloaded" });
  const response = await ask(model.url, "hi", false);
  assertEquals(response.status, 500);
  assertEquals((await response.json()).error.type, "overloaded_error");
});

Deno.test("a failure has the API's body and the script's headers", async () => {
  await using model = startLoopbackModel({
    script: [failure(429, { message: "slow down", headers: { "retry-after": "3" } })],
  });
  const response = await ask(model.url, "hi");
  assertEquals(response.status, 429);
  assertEquals(response.headers.get("retry-after"), "3");
  assertEquals(await response.json(), {
    type: "error",
    error: { type: "rate_limit_error", message: "slow down" },
    request_id: "req_loopback_0001",
  });
});

Deno.test("a held answer goes on when it is released", async () => {
  const gate = Promise.withResolvers<void>();
  await using model = startLoopbackModel({
    script: [answer([text("before "), hold(gate.promise), text("after")])],
  });
  const response = await ask(model.url, "hi");
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let seen = "";
  while (!seen.includes("before ")) seen += (await reader.read()).value;
  assert(!seen.includes("after"));
  gate.resolve();
  for (let part = await reader.read(); !part.done; part = await reader.read()) seen += part.value;
  assert(seen.includes("after"));
  assert(seen.includes("message_stop"));
});

Deno.test("closing ends held and delayed answers, and can be done twice", async () => {
  const model = startLoopbackModel({
    script: [
      answer([text("before"), hold(new Promise(() => {}))]),
      answer([text("before"), delay(3_600_000)]),
      answer([hold(new Promise(() => {}))]),
    ],
  });
  const responses = [];
  for (const stream of [true, true, false]) responses.push(await ask(model.url, "hi", stream));
  const ends = responses.map(readUntilEnd);
  await model.close();
  await model.close();
  assertEquals((await Promise.all(ends)).map((end) => end.text.includes("message_stop")), [
    false,
    false,
    false,
  ]);
  await assertRejects(() => ask(model.url, "hi"));
});

Deno.test("a client that leaves a delayed answer does not disturb the next", async () => {
  await using model = startLoopbackModel({
    script: [answer([text("before"), delay(3_600_000)]), answer("next")],
  });
  const response = await ask(model.url, "hi");
  await response.body!.cancel();
  assert((await (await ask(model.url, "hi")).text()).includes("next"));
});

Deno.test("everything asked is logged, never a key", async () => {
  await using model = startLoopbackModel({ script: [answer("hi")] });
  const arrived = model.arrived(1);
  await (await fetch(`${model.url}/api/hello`)).body!.cancel();
  const counted = await fetch(`${model.url}/v1/messages/count_tokens`, {
    method: "POST",
    body: "{}",
  });
  assertEquals(await counted.json(), { input_tokens: 10 });
  assertEquals(model.messages.length, 0);
  await (await ask(model.url, "look")).text();
  await arrived;
  assertEquals(model.requests.map((request) => `${request.method} ${request.path}`), [
    "GET /api/hello",
    "POST /v1/messages/count_tokens",
    "POST /v1/messages",
  ]);
  assertEquals(model.messages[0]!.body!.messages, [{ role: "user", content: "look" }]);
  assertEquals(model.messages[0]!.headers["user-agent"], "test");
  assert(!JSON.stringify(model.requests).includes("secret"));
});

Deno.test("the log is bounded", async () => {
  await using model = startLoopbackModel({ script: () => answer("hi"), maxRequests: 2 });
  for (const said of ["a", "b", "c"]) await (await ask(model.url, said)).text();
  assertEquals(model.messages.map((request) => request.body!.messages![0]!.content), ["b", "c"]);
});

Deno.test("a script without a reply, a bad body and an unknown path are refused, not hung", async () => {
  await using model = startLoopbackModel({ script: [] });
  const unscripted = await ask(model.url, "hi");
  assertEquals(unscripted.status, 400);
  assert((await unscripted.text()).includes("no reply for request 1"));
  const bad = await fetch(`${model.url}/v1/messages`, { method: "POST", body: "{" });
  assertEquals(bad.status, 400);
  await bad.body!.cancel();
  const unknown = await fetch(`${model.url}/v1/models`);
  assertEquals(unknown.status, 404);
  await unknown.body!.cancel();
});

Deno.test("waiting for a request that never comes ends when the model closes", async () => {
  const model = startLoopbackModel({ script: [] });
  const waiting = assertRejects(() => model.arrived(1), Error, "closed");
  await model.close();
  await waiting;
  await assertRejects(() => model.arrived(1), Error, "closed");
});
