import { assert, assertEquals } from "@std/assert";
import { encodeUtf8, isObject } from "../../src/base/json.ts";
import { runConnection } from "../../src/mcp/connection.ts";
import { FakeClock } from "../helpers/fake_clock.ts";
import { FakeEngine } from "./fake_engine.ts";
import { MessageReader, Peer } from "./peer.ts";

const INITIALIZE = { id: 1, method: "initialize", params: { protocolVersion: "2025-06-18" } };

/** A connection whose server comes when `load` says so. */
function connect(load: () => ReturnType<typeof loadServer>) {
  const input = new TransformStream<Uint8Array, Uint8Array>();
  const output = new TransformStream<Uint8Array, Uint8Array>();
  const writer = input.writable.getWriter();
  const logged: string[] = [];
  const ended = runConnection({
    engine: new FakeEngine(),
    clock: new FakeClock(),
    log: { write: (level, message) => void logged.push(`${level} ${message}`) },
    version: "0.0.0-test",
    load,
    input: input.readable,
    output: output.writable.getWriter(),
    stop: new AbortController().signal,
  });
  const send = (message: object) =>
    writer.write(encodeUtf8(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\n"));
  return {
    reader: new MessageReader(output.readable),
    send,
    end: () => writer.close(),
    ended,
    logged,
  };
}

const loadServer = () => import("../../src/mcp/server.ts");

Deno.test("initialize is answered before the server is loaded, the rest by it and in order", async () => {
  const loaded = Promise.withResolvers<void>();
  let loads = 0;
  const { reader, send, end, ended } = connect(async () => {
    loads += 1;
    await loaded.promise;
    return await loadServer();
  });
  await send(INITIALIZE);
  const { id, result } = (await reader.next())!;
  assertEquals(id, 1);
  assert(isObject(result) && result.protocolVersion === "2025-06-18");
  await send({ method: "notifications/initialized" });
  for (const [id, method] of [[2, "tools/list"], [3, "resources/list"]]) await send({ id, method });
  await send({ id: 4, method: "ping" });
  assertEquals((await reader.next())!.id, 4, "a ping waits for nothing");
  loaded.resolve();
  assertEquals([(await reader.next())!.id, (await reader.next())!.id], [2, 3]);
  assertEquals(loads, 1);
  await end();
  assertEquals(await ended, "input_ended");
});

Deno.test("a server that cannot be loaded ends the connection, and nobody waits for an answer", async () => {
  const loaded = Promise.withResolvers<never>();
  const { reader, send, ended, logged } = connect(() => loaded.promise);
  await send(INITIALIZE);
  assertEquals((await reader.next())!.id, 1);
  await send({ id: 2, method: "tools/list" });
  await send({ id: 3, method: "ping" });
  assertEquals((await reader.next())!.id, 3);
  loaded.reject(new TypeError("no such module"));
  const { id, error } = (await reader.next())!;
  assertEquals(id, 2);
  assert(isObject(error) && error.code === -32603);
  assertEquals(await ended, "server_failed");
  assert(logged.includes("error the MCP server could not be loaded"));
});

Deno.test("a peer that goes before the server is loaded leaves nothing behind", async () => {
  const peer = new Peer();
  await peer.initialize();
  await peer.endInput();
  assertEquals(await peer.outcome, "input_ended");
  assertEquals(peer.clock.pending, 0);
});
