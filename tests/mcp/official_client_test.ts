import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
// @ts-types="@modelcontextprotocol/sdk/client"
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { JSONRPCMessage, Transport } from "../../src/mcp/sdk.ts";
import { runId } from "./fake_engine.ts";
import { Peer } from "./peer.ts";

/** The client's end of an in-process connection. */
class PeerTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: NonNullable<Transport["onmessage"]>;
  readonly #peer: Peer;

  constructor(peer: Peer) {
    this.#peer = peer;
  }

  start(): Promise<void> {
    void (async () => {
      let message;
      while ((message = await this.#peer.reader.next()) !== null) {
        this.onmessage?.(message as unknown as JSONRPCMessage);
      }
      this.onclose?.();
    })();
    return Promise.resolve();
  }

  send(message: JSONRPCMessage): Promise<void> {
    return this.#peer.send(message);
  }

  async close(): Promise<void> {
    await this.#peer.end();
    this.onclose?.();
  }
}

async function connect(): Promise<{ client: Client; peer: Peer; errors: string[] }> {
  const peer = new Peer();
  const client = new Client({ name: "official", version: "1" });
  const errors: string[] = [];
  client.onerror = (error) => errors.push(error.message);
  await client.connect(new PeerTransport(peer) as Parameters<Client["connect"]>[0]);
  return { client, peer, errors };
}

/** The value in a tool result. */
function valueOf(result: unknown): Record<string, unknown> {
  const { structuredContent } = result as {
    structuredContent: { result: Record<string, unknown> };
  };
  return structuredContent.result;
}

Deno.test("the official client lists, calls and validates every tool", async () => {
  const { client, peer, errors } = await connect();
  assertEquals(client.getServerVersion()?.name, "claude-code-adapter");
  assertEquals((await client.listTools()).tools.length, 7); // from here on it validates outputs
  assertEquals((await client.listResources()).resources.length, 1);
  await client.ping();

  const run = { prompt: "hi" };
  const call = (name: string, args: Record<string, unknown>) =>
    client.callTool({ name, arguments: args });
  const started = valueOf(await call("claude.run.start", run));
  assertEquals(started.run_id, runId(1));
  assertEquals(valueOf(await call("claude.run.list", {})).runs, [started]);
  const id = { run_id: runId(1) };
  assertEquals(valueOf(await call("claude.run.result", id)).state, "running");
  peer.engine.emit(runId(1), { type: "assistant" });
  assertEquals(valueOf(await call("claude.run.events", id)).next_cursor, 1);
  assertEquals(valueOf(await call("claude.run.release", id)).is_error, true);
  assertEquals(valueOf(await call("claude.run.cancel", id)).cancel_requested, true);
  const settled = await call("claude.run.result", id);
  assertEquals([settled.isError, valueOf(settled).state], [true, "cancelled"]);
  assertEquals(valueOf(await call("claude.run.release", id)).released, true);
  assertEquals(valueOf(await call("claude.run.result", id)).is_error, true);
  assertEquals(valueOf(await call("claude.run", { prompt: "" })).is_error, true);

  const pending = call("claude.run", run);
  await peer.engine.started(2);
  peer.engine.settle(runId(2), { result: "the answer" });
  assertEquals(valueOf(await pending).result, "the answer");
  assertEquals(errors, []);
  await client.close();
});

Deno.test("the official client's progress callback, abort and errors work", async () => {
  const { client, peer, errors } = await connect();
  const heard: string[] = [];
  const controller = new AbortController();
  const pending = client.callTool({ name: "claude.run", arguments: { prompt: "hi" } }, undefined, {
    onprogress: ({ message }) => heard.push(String(message)),
    signal: controller.signal,
  });
  await peer.engine.started(1);
  await client.ping();
  await peer.clock.tick(5_000);
  await client.ping();
  assertEquals(heard, ["thinking for 3 s", "thinking for 3 s"]);
  controller.abort("enough");
  await assertRejects(() => pending);
  await client.ping();
  assertEquals(peer.engine.run(runId(1)).info.state, "cancelled");

  const unknown = await assertRejects(() => client.callTool({ name: "nope", arguments: {} }));
  assertStringIncludes(unknown.message, "Unknown tool");
  const templates = await assertRejects(() => client.listResourceTemplates());
  assertStringIncludes(templates.message, "-32601");
  await client.readResource({ uri: "computer-mcp://runtime/work/v1" });
  assert(errors.length === 0, errors.join("\n"));
  await client.close();
});
