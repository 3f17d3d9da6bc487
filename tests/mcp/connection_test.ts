import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { encodeUtf8, isObject } from "../../src/base/json.ts";
import { MAX_MESSAGE_BYTES, PEER_STALL_MS, SHUTDOWN_MS } from "../../src/base/limits.ts";
import { runId } from "./fake_engine.ts";
import { Peer } from "./peer.ts";

const RUN = { prompt: "hi" };

Deno.test("a malformed line is answered with -32700 and the connection goes on", async () => {
  await using peer = await Peer.ready();
  for (const line of ["{", "not json", `{"jsonrpc":"2.0",`, "\u0000"]) {
    await peer.send(line);
    const { id, error } = await peer.next();
    assertEquals(id, null);
    assert(isObject(error) && error.code === -32700);
  }
  await peer.send(Uint8Array.of(0x7b, 0xff, 0xfe, 0x7d, 0x0a));
  const { error } = await peer.next();
  assert(isObject(error) && error.code === -32700);
  assertStringIncludes(String(error.message), "UTF-8");
  assertEquals((await peer.request(1, "ping")).result, {});
});

Deno.test("blank lines, CRLF and odd chunks make no difference", async () => {
  await using peer = await Peer.ready();
  await peer.send("\r\n\n   \n\t");
  const text = `{"jsonrpc":"2.0","id":"\u{1F600}","method":"ping"}\r\n`;
  for (const byte of encodeUtf8(text)) await peer.send(Uint8Array.of(byte));
  assertEquals((await peer.next()).id, "\u{1F600}");
});

Deno.test("a line of 1 MiB is read; past it the answer is -32600 and the connection ends cleanly", async () => {
  await using peer = await Peer.ready();
  const frame = `{"jsonrpc":"2.0","id":1,"method":"ping","x":""}`;
  const padding = "y".repeat(MAX_MESSAGE_BYTES - frame.length);
  const line = frame.replace(`"x":""`, `"x":"${padding}"`);
  await peer.send(line);
  assertEquals((await peer.next()).id, 1);

  await peer.call(2, "claude.run", RUN);
  await peer.engine.started(1);
  await peer.send(encodeUtf8(line + " ")); // one byte more, and no newline yet
  const refused = await peer.next();
  assertEquals(refused.id, null);
  assert(isObject(refused.error) && refused.error.code === -32600);
  const last = await peer.next();
  assertEquals(last.id, 2, "the run in flight is cancelled and answered");
  assertEquals(await peer.outcome, "line_too_long");
  assertEquals(peer.engine.shutdowns, 1);
});

Deno.test("the end of input cancels every run, sends what is due and ends the connection", async () => {
  await using peer = await Peer.ready();
  await peer.call(1, "claude.run", RUN);
  await peer.call(2, "claude.run.start", RUN);
  assertEquals((await peer.next()).id, 2);
  await peer.call(3, "claude.run.result", { run_id: runId(2), wait_seconds: 50 });
  await peer.send({ jsonrpc: "2.0", id: 4, method: "tools/list" });
  assertEquals((await peer.next()).id, 4);
  await peer.endInput();
  const answers = [await peer.next(), await peer.next()];
  assertEquals(answers.map(({ id }) => id).sort(), [1, 3]);
  for (const { result } of answers) {
    assert(isObject(result) && result.isError === true);
    assertStringIncludes(JSON.stringify(result.structuredContent), `"code":"cancelled"`);
  }
  assertEquals(await peer.outcome, "input_ended");
  assertEquals(peer.engine.shutdowns, 1);
  assertEquals(peer.clock.pending, 0, "no timer is left");
});

Deno.test("a script that closes its end right after its requests gets every answer", async () => {
  await using peer = new Peer();
  const lines = [
    { id: 1, method: "initialize", params: { protocolVersion: "2025-06-18" } },
    { id: 2, method: "tools/list" },
    { id: 3, method: "resources/list" },
    { id: 4, method: "ping" },
  ].map((message) => JSON.stringify({ jsonrpc: "2.0", ...message }) + "\n");
  const sent = peer.send(encodeUtf8(lines.join(""))).then(() => peer.endInput());
  const ids = [];
  for (let i = 0; i < 4; i++) ids.push((await peer.next()).id);
  assertEquals(ids.sort(), [1, 2, 3, 4]);
  await sent;
  assertEquals(await peer.outcome, "input_ended");
});

Deno.test("an unfinished last line is not a message", async () => {
  await using peer = await Peer.ready();
  await peer.send(encodeUtf8(`{"jsonrpc":"2.0","id":1,"method":"ping"}`));
  await peer.endInput();
  assertEquals(await peer.outcome, "input_ended");
});

Deno.test("a signal ends the connection as the end of input does, and refuses requests meanwhile", async () => {
  await using peer = await Peer.ready();
  let release = (): void => {};
  const held = new Promise<void>((resolve) => release = resolve);
  const shutdown = peer.engine.shutdown.bind(peer.engine);
  peer.engine.shutdown = () => held.then(shutdown);
  await peer.call(1, "claude.run", RUN);
  await peer.engine.started(1);
  peer.stop();
  peer.stop(); // a second one changes nothing
  await peer.call(2, "claude.run.start", RUN);
  const refused = await peer.next();
  assertEquals(refused.id, 2);
  assert(isObject(refused.error) && refused.error.code === -32000);
  assertEquals((await peer.request(3, "ping")).result, {});
  release();
  assertEquals((await peer.next()).id, 1);
  assertEquals(await peer.outcome, "stopped");
  assertEquals(peer.engine.runs.size, 1);
});

Deno.test("a peer that closed our output ends the connection with clean-up", async () => {
  await using peer = await Peer.ready();
  await peer.call(1, "claude.run", RUN);
  await peer.engine.started(1);
  await peer.closeOutput();
  await peer.send({ jsonrpc: "2.0", id: 2, method: "ping" });
  assertEquals(await peer.outcome, "output_failed");
  assertEquals(peer.engine.run(runId(1)).cancels + peer.engine.shutdowns, 1);
});

Deno.test("a peer that takes nothing for 5 seconds ends the connection with clean-up", async () => {
  await using peer = new Peer({ reads: false });
  await peer.send({ jsonrpc: "2.0", id: 1, method: "ping" });
  await peer.send({ jsonrpc: "2.0", id: 2, method: "ping" }); // the first is being written by now
  await peer.clock.tick(PEER_STALL_MS - 1);
  assertEquals(peer.engine.shutdowns, 0);
  await peer.clock.tick(1);
  assertEquals(await peer.outcome, "peer_stalled");
  assertEquals(peer.engine.shutdowns, 1);
});

Deno.test("a peer that sends without reading is not read any more once 2 MiB wait for it", async () => {
  await using peer = new Peer({ reads: false });
  const lines = "x\n".repeat(500);
  let taken = 0;
  const flood = (async () => {
    while (taken < 1000) {
      await peer.send(encodeUtf8(lines));
      taken++;
    }
  })();
  // Everything here is in memory, so when nothing moved for many turns, nothing will.
  for (let before = -1, turns = 0; turns < 50; turns++) {
    if (before !== taken) turns = 0;
    before = taken;
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  assert(taken > 10 && taken < 100, `${taken} of 1000 chunks were taken before reading paused`);
  await peer.clock.tick(PEER_STALL_MS);
  assertEquals(await peer.outcome, "peer_stalled");
  flood.catch(() => {});
});

Deno.test("an engine that never finishes its clean-up cannot keep the connection open", async () => {
  await using peer = await Peer.ready();
  const asked = new Promise<void>((resolve) => {
    peer.engine.shutdown = () => {
      resolve();
      return new Promise(() => {});
    };
  });
  await peer.endInput();
  await asked;
  await peer.clock.tick(SHUTDOWN_MS);
  assertEquals(await peer.outcome, "input_ended");
});

Deno.test("an engine whose clean-up fails cannot keep the connection open either", async () => {
  await using peer = await Peer.ready();
  peer.engine.shutdown = () => Promise.reject(new Error("no"));
  await peer.endInput();
  assertEquals(await peer.outcome, "input_ended");
  assert(peer.logged.some((line) => line.startsWith("error clean-up failed")));
});
