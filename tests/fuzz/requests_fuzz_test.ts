import { assert, assertEquals } from "@std/assert";
import { isObject, type JsonObject, type JsonValue } from "../../src/base/json.ts";
import type { RunArguments } from "../../src/contract/run_arguments.ts";
import type { RunInfo } from "../../src/engine/api.ts";
import { join, utf8 } from "../helpers/chunks.ts";
import { liveHeapBytes } from "../helpers/live_heap.ts";
import { Random } from "../helpers/random.ts";
import { FakeEngine, runId } from "../mcp/fake_engine.ts";
import { Peer } from "../mcp/peer.ts";
import { mutateBytes, mutateJson, randomJson, randomObject } from "./mutate.ts";

const REQUESTS = 100_000;
const BATCH = 200;
const SEED = 60_931;
const MIB = 1024 * 1024;

/** Runs settle at once and old ones are forgotten, so that nothing waits and nothing grows. */
class FuzzEngine extends FakeEngine {
  override start(args: RunArguments, acquiredBy: string | null): RunInfo {
    const info = super.start(args, acquiredBy);
    queueMicrotask(() => this.#end(info.run_id));
    return info;
  }

  /**
   * Settles a run that no request in the same chunk has released or ended, and forgets the oldest
   * settled ones: more than 32 can have been started before the first of them settles.
   */
  #end(id: string): void {
    if (this.runs.get(id)?.settled === null) this.settle(id);
    for (const [oldest, run] of this.runs) {
      if (this.runs.size <= 32 || run.settled === null) break;
      this.runs.delete(oldest);
    }
  }
}

const TOOL_CALLS: readonly JsonObject[] = [
  { name: "claude.run", arguments: { prompt: "hi", timeout_seconds: 5, max_events: 3 } },
  { name: "claude.run.start", arguments: { prompt: "hi", permission_mode: "plan", model: "m" } },
  { name: "claude.run.list", arguments: {} },
  { name: "claude.run.result", arguments: { run_id: runId(1), wait_seconds: 1 } },
  { name: "claude.run.events", arguments: { run_id: runId(1), limit: 5, after_cursor: 0 } },
  { name: "claude.run.cancel", arguments: { run_id: runId(1) } },
  { name: "claude.run.release", arguments: { run_id: runId(1) } },
];

/** A sound message; requests carry the id `n`. */
function soundMessage(random: Random, n: number): JsonObject {
  const id = random.chance(0.5) ? n : `id ${n}`;
  const request = (method: string, params: JsonObject) => ({ jsonrpc: "2.0", id, method, params });
  const meta = random.chance(0.3)
    ? { _meta: { progressToken: n, "io.github.computer-mcp/work-invocation": runId(n) } }
    : {};
  switch (random.int(0, 9)) {
    case 0:
      return request("ping", {});
    case 1:
      return request("resources/list", meta);
    case 2:
      return request("resources/read", { uri: "computer-mcp://runtime/work/v1", ...meta });
    case 3:
      return { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id } };
    case 4:
      return request(random.chance(0.1) ? "tools/list" : "initialize", {
        protocolVersion: "2025-06-18",
      });
    default:
      return request("tools/call", { ...random.pick(TOOL_CALLS), ...meta });
  }
}

function makeLine(random: Random, n: number): Uint8Array {
  const message = soundMessage(random, n);
  switch (random.int(0, 9)) {
    case 0:
    case 1:
      return utf8(JSON.stringify(message));
    case 2:
      return utf8(JSON.stringify(randomJson(random)));
    case 3:
      return utf8(JSON.stringify({ ...randomObject(random), jsonrpc: "2.0", id: n }));
    case 4:
      return random.bytes(random.int(0, 60));
    case 5:
      return mutateBytes(utf8(JSON.stringify(message)), random);
    default: {
      let value: JsonValue = mutateJson(message, random);
      while (random.chance(0.4)) value = mutateJson(value, random);
      return utf8(JSON.stringify(value));
    }
  }
}

/** The id whose answer a line is due, `null` for an answer without one, `undefined` for no answer. */
function dueTo(line: Uint8Array): string | null | undefined {
  let message: unknown;
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(line);
    if (text.trim() === "") return undefined;
    message = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isObject(message)) return null;
  const { id, method, jsonrpc } = message;
  const isId = Number.isSafeInteger(id) ||
    typeof id === "string" && id !== "" && [...id].length <= 256;
  const key = isId ? keyOf(id) : null;
  if (jsonrpc !== "2.0") return key;
  if (typeof method === "string") return Object.hasOwn(message, "id") ? key : undefined;
  const isResponse = !Object.hasOwn(message, "method") &&
    (Object.hasOwn(message, "result") || Object.hasOwn(message, "error"));
  return isResponse ? undefined : key;
}

/** An id as a map key: 1 and "1" differ, 0 and -0 do not. */
function keyOf(id: unknown): string {
  return JSON.stringify(id);
}

/** The id that a line cancels, if any. */
function cancelledBy(line: Uint8Array): string | undefined {
  try {
    const { method, params } = JSON.parse(new TextDecoder().decode(line));
    return method === "notifications/cancelled" ? keyOf(params.requestId) : undefined;
  } catch {
    return undefined;
  }
}

function splitLines(bytes: Uint8Array): Uint8Array[] {
  const lines: Uint8Array[] = [];
  for (let start = 0; start < bytes.length;) {
    const newline = bytes.indexOf(0x0a, start);
    lines.push(bytes.subarray(start, newline));
    start = newline + 1;
  }
  return lines;
}

function add(counts: Map<string, number>, key: string, by: number): void {
  const count = (counts.get(key) ?? 0) + by;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}

Deno.test("100,000 random and damaged requests: nothing throws, nothing hangs, each id gets exactly one answer", async () => {
  const random = new Random(SEED);
  const engine = new FuzzEngine();
  await using peer = new Peer({ engine });
  await peer.initialize();
  const outcomes = new Map<string, number>();
  const heap: number[] = [];

  for (let made = 0; made < REQUESTS; made += BATCH) {
    const where = `seed ${SEED}, requests from ${made}`;
    const parts: Uint8Array[] = [];
    for (let i = 0; i < BATCH; i++) parts.push(makeLine(random, made + i), utf8("\n"));
    const bytes = join(parts);
    const owed = new Map<string, number>(); // answers by id that have not come yet
    const cancelled = new Set<string>();
    for (const line of splitLines(bytes)) {
      const key = dueTo(line);
      if (key !== undefined) add(owed, String(key), 1);
      const id = cancelledBy(line);
      if (id !== undefined) cancelled.add(id);
    }

    const end = `end ${made}`;
    const sent = (async () => {
      const size = random.pick([40, 700, 9_000, 100_000]);
      for (let at = 0; at < bytes.length; at += size) await peer.send(bytes.slice(at, at + size));
      await peer.send({ jsonrpc: "2.0", id: end, method: "ping" });
    })();
    const isOwed = () => [...owed.keys()].some((key) => !cancelled.has(key));
    for (let ended = false; !ended || isOwed();) {
      const message = await peer.next();
      if (message.id === end) ended = true;
      else if (!("id" in message)) assertEquals(message.method, "notifications/progress", where);
      else {
        const key = String(message.id === null ? null : keyOf(message.id));
        assert(owed.has(key), `${where}: an answer nobody asked for: ${JSON.stringify(message)}`);
        add(owed, key, -1);
        add(outcomes, isObject(message.error) ? String(message.error.code) : "result", 1);
      }
    }
    await sent;
    if (made % (10 * BATCH) === 0) heap.push(liveHeapBytes());
  }

  assertEquals(await peer.request("last", "ping"), { jsonrpc: "2.0", id: "last", result: {} });
  assert(!peer.logged.some((line) => line.includes("unexpectedly")), peer.logged.join("\n"));
  // The fuzz is worth something only if it reaches the tools and every kind of refusal.
  assert((outcomes.get("result") ?? 0) > REQUESTS / 20, JSON.stringify([...outcomes]));
  for (const code of ["-32700", "-32600", "-32601", "-32602"]) {
    assert((outcomes.get(code) ?? 0) > 500, `${code}: ${outcomes.get(code)}`);
  }
  const [early = 0, late = 0] = [heap[1], heap.at(-1)];
  assert(late - early < 8 * MIB, `the live heap grew from ${early} to ${late} bytes`);
});
