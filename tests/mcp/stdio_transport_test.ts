import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { encodeUtf8, isObject } from "../../src/base/json.ts";
import { MAX_MESSAGE_BYTES } from "../../src/base/limits.ts";
import type { JSONRPCMessage } from "../../src/mcp/sdk.ts";
import { StdioTransport } from "../../src/mcp/stdio_transport.ts";
import { FakeClock } from "../helpers/fake_clock.ts";
import { MessageReader } from "./peer.ts";

function open() {
  const input = new TransformStream<Uint8Array, Uint8Array>();
  const output = new TransformStream<Uint8Array, Uint8Array>();
  const logged: string[] = [];
  const transport = new StdioTransport({
    input: input.readable,
    output: output.writable.getWriter(),
    clock: new FakeClock(),
    log: { write: (level, message) => logged.push(`${level} ${message}`) },
  });
  const delivered: JSONRPCMessage[] = [];
  transport.onmessage = (message) => void delivered.push(message);
  const writer = input.writable.getWriter();
  const reader = new MessageReader(output.readable);
  const send = (message: object) =>
    writer.write(encodeUtf8(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\n"));
  return { transport, delivered, writer, reader, send, logged };
}

/** A transport past initialize, with one request in flight under the id 1. */
async function withRequest() {
  const all = open();
  await all.transport.start();
  const params = { protocolVersion: "2025-06-18" };
  await all.send({ id: 0, method: "initialize", params });
  await all.send({ id: 1, method: "tools/list" });
  await all.send({ id: 2, method: "ping" });
  assertEquals((await all.reader.next())?.id, 2);
  return all;
}

Deno.test("an answer of 1 MiB is sent, a larger one becomes an error under the same id", async () => {
  const { transport, reader, send, logged } = await withRequest();
  const empty = JSON.stringify({ jsonrpc: "2.0", id: 1, result: { x: "" } });
  const text = "y".repeat(MAX_MESSAGE_BYTES - empty.length);
  void transport.send({ jsonrpc: "2.0", id: 1, result: { x: text } });
  const sent = await reader.next();
  assert(isObject(sent?.result) && sent.result.x === text);

  await send({ id: 1, method: "tools/list" });
  await send({ id: 2, method: "ping" });
  await reader.next();
  void transport.send({ jsonrpc: "2.0", id: 1, result: { x: text + "y" } });
  const refused = await reader.next();
  assertEquals(refused?.id, 1);
  assert(isObject(refused?.error) && refused.error.code === -32603);
  assertStringIncludes(String(refused.error.message), String(MAX_MESSAGE_BYTES));
  assertEquals(logged, ["error an outgoing message was too large"]);
  await transport.close();
});

Deno.test("only an active request is answered, once, and only its progress is passed on", async () => {
  const { transport, reader } = await withRequest();
  const progress = (relatedRequestId: number) =>
    transport.send({
      jsonrpc: "2.0",
      method: "notifications/progress",
      params: { progressToken: relatedRequestId, progress: 1 },
    }, { relatedRequestId });
  void transport.send({ jsonrpc: "2.0", id: 5, result: {} }); // never asked
  void progress(5);
  void progress(1);
  void transport.send({ jsonrpc: "2.0", id: 1, result: { first: true } });
  void transport.send({ jsonrpc: "2.0", id: 1, result: { first: false } });
  void progress(1);
  void transport.send({ jsonrpc: "2.0", id: 0, result: { last: true } });
  const seen = [await reader.next(), await reader.next(), await reader.next()];
  assertEquals(seen.map((message) => message?.result ?? message?.params), [
    { progressToken: 1, progress: 1 },
    { first: true },
    { last: true },
  ]);
  await transport.close();
});

Deno.test("onclose is called exactly once, and nothing is delivered or sent afterwards", async () => {
  const { transport, delivered, send } = await withRequest();
  let closes = 0;
  transport.onclose = () => void closes++;
  const signal = transport.gate.signal(1);
  await transport.close();
  await transport.close();
  assertEquals(closes, 1);
  assertEquals(signal.aborted, true);
  const before = delivered.length;
  await send({ id: 9, method: "tools/list" });
  await transport.send({ jsonrpc: "2.0", id: 1, result: {} });
  assertEquals(delivered.length, before);
  assertEquals(await transport.ended, "closed");
});

Deno.test("a failing input ends the connection", async () => {
  const { transport, writer } = open();
  await transport.start();
  await writer.abort(new Error("gone"));
  assertEquals(await transport.ended, "input_failed");
  await transport.close();
});

Deno.test("idle resolves when the last request in flight is done", async () => {
  const { transport } = await withRequest();
  let isIdle = false;
  const idle = transport.idle().then(() => isIdle = true);
  await transport.send({ jsonrpc: "2.0", id: 0, result: {} });
  await Promise.resolve();
  assertEquals(isIdle, false);
  await transport.send({ jsonrpc: "2.0", id: 1, result: {} });
  await idle;
  await transport.close();
});
