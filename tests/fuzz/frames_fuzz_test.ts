import { assert, assertEquals } from "@std/assert";
import type { JsonObject } from "../../src/base/json.ts";
import { type FrameItem, frameStream } from "../../src/frames/frame_stream.ts";
import * as native from "../../src/frames/native.ts";
import { parseFrame } from "../../src/frames/parse_frame.ts";
import { cutRandomly, flatten, join, streamOf, utf8 } from "../helpers/chunks.ts";
import { liveHeapBytes } from "../helpers/live_heap.ts";
import { Random } from "../helpers/random.ts";
import { mutateBytes, mutateJson, randomJson, randomObject } from "./mutate.ts";

const FRAMES = 100_000;
const BATCH = 1_000;
const SEED = 20_261;
const MIB = 1024 * 1024;

/** Every recorded frame of ordinary size: what the real CLI says, in every case that was recorded. */
async function recordedFrames(): Promise<JsonObject[]> {
  const folder = new URL("../../fixtures/streams/", import.meta.url);
  const names: string[] = [];
  for await (const { name } of Deno.readDir(folder)) if (name.endsWith(".ndjson")) names.push(name);
  const frames: JsonObject[] = [];
  for (const name of names.sort()) {
    const text = await Deno.readTextFile(new URL(name, folder));
    for (const line of text.split("\n")) {
      if (line !== "" && line.length < 6_000) frames.push(JSON.parse(line));
    }
  }
  assert(frames.length > 300, `only ${frames.length} recorded frames were found`);
  return frames;
}

function makeLine(frames: readonly JsonObject[], random: Random): Uint8Array {
  const frame = random.pick(frames);
  switch (random.int(0, 9)) {
    case 0:
      return utf8(JSON.stringify(frame));
    case 1:
      return utf8(JSON.stringify(randomJson(random)));
    case 2:
      return utf8(JSON.stringify({ ...randomObject(random), type: frame.type ?? null }));
    case 3:
      return random.bytes(random.int(0, 60));
    case 4:
    case 5:
      return mutateBytes(utf8(JSON.stringify(frame)), random);
    default: {
      let value = mutateJson(frame, random);
      while (random.chance(0.6)) value = mutateJson(value, random);
      return utf8(JSON.stringify(value));
    }
  }
}

/** Reads a frame with every reader, and what they say must be sound whatever the frame is. */
function readEverything(frame: JsonObject): number {
  const init = native.readInit(frame);
  const result = native.readResult(frame);
  const error = native.readAssistantError(frame);
  const step = native.readStreamStep(frame);
  const task = native.readTask(frame);
  const open = native.readOpenTasks(frame);
  const uses = native.readToolUses(frame);
  const results = native.readToolResults(frame);
  const retry = native.readApiRetry(frame);
  const others = [native.readRateLimit(frame), native.readPermissionDenied(frame)];
  assert(native.readSessionId(frame) === null || typeof frame.session_id === "string");
  if (init !== null) {
    assert(Number.isInteger(init.tools) && init.tools >= 0);
    for (const server of init.mcpServers) assert(typeof server.name === "string");
  }
  if (result !== null) {
    assert(result.isError === undefined || typeof result.isError === "boolean");
    assert(result.totalCostUsd === null || Number.isFinite(result.totalCostUsd));
    for (const message of result.errors) assert(typeof message === "string");
    assert(typeof native.isFollowUp(result) === "boolean");
  }
  if (error !== null) assert(typeof error.text === "string");
  if (step !== null) assert(Number.isInteger(step.textLength) && step.textLength >= 0);
  if (task !== null) assert(typeof task.taskId === "string");
  if (open !== null) { for (const id of open) assert(typeof id === "string"); }
  for (const use of uses) assert(typeof use.id === "string" && typeof use.name === "string");
  for (const ended of results) assert(typeof ended.toolUseId === "string");
  if (retry !== null) assert(retry.delayMs === null || Number.isFinite(retry.delayMs));
  const values = [init, result, error, step, task, open, retry, ...others];
  return values.filter((value) => value !== null).length + uses.length + results.length;
}

function countLines(bytes: Uint8Array): number {
  let lines = bytes.length > 0 && bytes.at(-1) !== 0x0a ? 1 : 0;
  for (const byte of bytes) if (byte === 0x0a) lines += 1;
  return lines;
}

Deno.test("100,000 random and damaged frames: nothing throws, nothing is lost, memory stays flat", async () => {
  const frames = await recordedFrames();
  const random = new Random(SEED);
  const newline = utf8("\n");
  const decoder = new TextDecoder();
  const kinds: Record<FrameItem["kind"], number> = {
    frame: 0,
    blank: 0,
    malformed: 0,
    oversized: 0,
  };
  const heap: number[] = [];
  let read = 0;

  for (let made = 0; made < FRAMES; made += BATCH) {
    const where = `seed ${SEED}, frames from ${made}`;
    const parts: Uint8Array[] = [];
    for (let i = 0; i < BATCH; i++) {
      const line = makeLine(frames, random);
      const parsed = parseFrame(decoder.decode(line));
      if (parsed.kind === "frame") read += readEverything(parsed.frame);
      parts.push(line, newline);
    }
    if (random.chance(0.5)) parts.pop(); // the stream ends in its last line
    const bytes = join(parts);
    const chunks = cutRandomly(bytes, random, random.pick([40, 700, 9_000, 100_000]));
    const options = random.chance(0.5) ? { maxFrameBytes: random.int(100, 3_000) } : {};
    const items = await flatten(frameStream(streamOf(chunks), options));
    const lines = countLines(bytes);
    assertEquals(items.length, lines, where);
    let total = 0;
    for (const item of items) {
      kinds[item.kind] += 1;
      total += item.bytes;
      if (item.kind === "frame") readEverything(item.frame);
    }
    const newlines = lines - (bytes.at(-1) === 0x0a ? 0 : 1);
    assertEquals(total + newlines, bytes.length, `${where}: every byte belongs to one item`);
    if (made % (10 * BATCH) === 0) heap.push(liveHeapBytes());
  }

  // The fuzz is worth something only if it reaches every kind, and the readers.
  for (const [kind, count] of Object.entries(kinds)) assert(count > 100, `${kind}: only ${count}`);
  assert(kinds.frame > FRAMES / 2, `only ${kinds.frame} frames`);
  assert(read > FRAMES / 10, `the readers read only ${read} values`);
  const [early = 0, late = 0] = [heap[1], heap.at(-1)];
  assert(late - early < 8 * MIB, `the live heap grew from ${early} to ${late} bytes`);
});

Deno.test("a frame that is left in a stream of damaged ones is read, whatever is around it", async () => {
  const frames = await recordedFrames();
  const random = new Random(SEED + 1);
  const good = utf8('{"type":"result","marker":"here"}');
  for (let round = 0; round < 300; round++) {
    const before = mutateBytes(utf8(JSON.stringify(random.pick(frames))), random);
    const after = mutateBytes(utf8(JSON.stringify(random.pick(frames))), random);
    const bytes = join([before, utf8("\n"), good, utf8("\n"), after]);
    const chunks = cutRandomly(bytes, random, 200);
    const items = await flatten(frameStream(streamOf(chunks), { maxFrameBytes: 500 }));
    const found = items.filter((item) => item.kind === "frame" && item.frame.marker === "here");
    assertEquals(found.length, 1, `round ${round}`);
  }
});
