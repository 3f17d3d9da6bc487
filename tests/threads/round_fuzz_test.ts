import { assert, assertEquals } from "@std/assert";
import type { JsonObject } from "../../src/base/json.ts";
import { type Collected, collectUpdates } from "../../src/threads/collect_updates.ts";
import { roundError } from "../../src/threads/round_error.ts";
import { utf8 } from "../helpers/chunks.ts";
import { Random } from "../helpers/random.ts";
import { mutateBytes, mutateJson } from "../fuzz/mutate.ts";
import { readBytes, recordedBytes, recordedFrames, shown } from "./rounds.ts";
import { recordedCases } from "../helpers/replay.ts";

const SEED = 20_265;
const ROUNDS = 1_500;

/** Recordings whose every word is known, and comes once. */
const SPOKEN: readonly string[] = [
  "success_partial",
  "success_whole",
  "success_thinking",
  "stream_broken",
  "stream_broken_twice",
  "stream_error_event",
  "tool_read",
  "tools_parallel",
  "subagent_foreground",
  "task_background",
];

function ndjson(frames: readonly JsonObject[]): Uint8Array {
  return utf8(frames.map((frame) => JSON.stringify(frame) + "\n").join(""));
}

/** Damage that loses or repeats whole lines, or puts others in between, but changes no word. */
function shuffleLines(frames: readonly JsonObject[], random: Random): JsonObject[] {
  const copy = [...frames];
  for (let times = random.int(1, 6); times > 0; times--) {
    const at = random.int(0, copy.length - 1);
    const frame = copy[at]!;
    switch (random.int(0, 3)) {
      case 0:
        copy.splice(at, 1);
        break;
      case 1:
        // A delta has nothing that tells it from the same one again but its place.
        copy.splice(at, 0, frame.type === "stream_event" ? { type: "noise" } : frame);
        break;
      case 2:
        copy.splice(at, 0, { type: "noise", message: { content: [{ type: "text", text: "x" }] } });
        break;
      default:
        copy.splice(at, 0, { type: "stream_event", event: { type: "ping" } });
    }
  }
  return copy;
}

/** How often what a message says occurs in all texts that are shown. */
function occurrences(collected: Collected, words: string): number {
  return collected.messages.filter(({ text }) => text.includes(words)).length;
}

Deno.test("lines lost, repeated and put in between: no answer is ever said twice", async () => {
  const random = new Random(SEED);
  for (const name of SPOKEN) {
    const frames = await recordedFrames(name);
    const before = collectUpdates((await readBytes(ndjson(frames))).updates);
    for (let round = 0; round < 150; round++) {
      const damaged = shuffleLines(frames, random);
      const { updates } = await readBytes(ndjson(damaged));
      const collected = collectUpdates(updates);
      for (const { text } of before.messages) {
        const times = occurrences(before, text);
        const now = occurrences(collected, text);
        assert(now <= times, `${name}, seed ${SEED}, round ${round}: ${now} times '${text}'`);
      }
      for (const said of shown(updates).values()) {
        const half = said.slice(0, Math.ceil(said.length / 2));
        assert(said.length < 20 || said.indexOf(half, 1) === -1, `${name}: '${said}'`);
      }
    }
  }
});

Deno.test("damaged recordings: nothing throws, ids come once, and every round has an end", async () => {
  const random = new Random(SEED + 1);
  const names = await recordedCases();
  let errors = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const name = random.pick(names);
    const where = `${name}, seed ${SEED + 1}, round ${round}`;
    let bytes = await recordedBytes(name);
    if (bytes.length > 60_000) continue;
    if (random.chance(0.5)) bytes = mutateBytes(bytes, random);
    else {
      const frames = await recordedFrames(name);
      const damaged = frames.map((frame) => random.chance(0.2) ? mutateJson(frame, random) : frame);
      bytes = ndjson(damaged as JsonObject[]);
    }
    const { reader, updates } = await readBytes(bytes, { forwardSubagentText: random.chance(0.5) });
    const calls = updates.filter((update) => update.kind === "tool_call").map(({ id }) => id);
    assertEquals(new Set(calls).size, calls.length, where);
    const results = updates.filter((update) => update.kind === "tool_result").map(({ id }) => id);
    assertEquals(new Set(results).size, results.length, where);
    for (const update of updates) {
      assert(Number.isSafeInteger(update.turn) && update.turn >= 0, where);
      if (update.kind === "text" || update.kind === "thinking") assert(update.delta !== "", where);
      if (update.kind === "notice") assert(!/\p{Cc}/u.test(update.message), where);
    }
    collectUpdates(updates);
    const error = roundError({
      record: reader.record,
      cause: null,
      exit: { code: random.int(0, 1), signal: null },
      cleanup: { confirmed: true, retired: 0, escalated: false, survivors: [] },
      stderrTail: random.pick(["", "Error: something"]),
      resumed: random.chance(0.5),
    });
    if (error !== null) errors += 1;
  }
  assert(errors > 100, `only ${errors} rounds failed, so little was damaged`);
});

Deno.test("a stream that never stops talking is read in bounded memory, without a loss", async () => {
  const piece = "x".repeat(4_000);
  const lines: JsonObject[] = [];
  for (let message = 0; message < 600; message++) {
    const message_ = { id: `m${message}` };
    lines.push({ type: "stream_event", event: { type: "message_start", message: message_ } });
    for (let i = 0; i < 4; i++) {
      const delta = { type: "text_delta", text: piece };
      lines.push({ type: "stream_event", event: { type: "content_block_delta", delta } });
    }
    const content = [{ type: "text", text: piece.repeat(4) }];
    lines.push({ type: "assistant", message: { ...message_, content } });
  }
  // The first message again, so late that it is forgotten: it is not said again.
  lines.push(lines[5]!);
  const { reader, updates } = await readBytes(ndjson(lines));
  assertEquals(collectUpdates(updates).messages.length, 600);
  assertEquals(reader.counts.ignored["assistant/late"], 1);
});
