import { assert, assertEquals } from "@std/assert";
import type { JsonObject } from "../../src/base/json.ts";
import type { FrameItem } from "../../src/frames/frame_stream.ts";
import {
  eventLine,
  isSettledLine,
  isStartedLine,
  settledLine,
  startedLine,
} from "../../src/runs/event_lines.ts";
import type { RunInfo, SettledRun } from "../../src/runs/values.ts";

const VALUE = {
  run_id: "id-1",
  state: "completed",
  result: "two\nlines",
  events: [{ type: "system" }],
  event_page: { next_cursor: 1 },
  events_truncated: false,
} as unknown as SettledRun;

Deno.test("the first line says what was asked", () => {
  const info = { run_id: "id-1", state: "running", created_at: 5 } as unknown as RunInfo;
  const line = startedLine(info, "two\nlines");
  assertEquals(line.indexOf("\n"), line.length - 1);
  const value = JSON.parse(line);
  assert(isStartedLine(value) && !isSettledLine(value));
  const { type, ...rest } = value;
  assertEquals(type, "claude-code-adapter/started");
  assertEquals<unknown>(rest, { run_id: "id-1", created_at: 5, prompt: "two\nlines" });
  assert(![null, { type }, { type, prompt: 1 }, { type: "user" }].some(isStartedLine));
});

Deno.test("an event is one line, whatever is in it", () => {
  const event = { type: "user", text: "a\nb\u2028c" };
  const line = eventLine(frame(event), event);
  assertEquals(line.indexOf("\n"), line.length - 1);
  assertEquals(JSON.parse(line), event);
  assert(!isSettledLine(JSON.parse(line)));
});

Deno.test("an event that the store leaves out is whole in a file, unless nothing of it was kept", () => {
  const marker = { omitted: true, reason: "event_byte_bound", type: "user", bytes: 200_000 };
  const event = { type: "user", text: "x".repeat(200_000) };
  assertEquals(JSON.parse(eventLine(frame(event), marker)), event);
  const lost: FrameItem = { kind: "oversized", type: "user", bytes: 2_000_000, complete: true };
  assertEquals(JSON.parse(eventLine(lost, marker)), marker);
});

function frame(event: JsonObject): FrameItem {
  return { kind: "frame", frame: event, type: "user", bytes: 1, terminated: true };
}

Deno.test("the last line says what it is and does not repeat the events", () => {
  const line = settledLine(VALUE);
  assertEquals(line.indexOf("\n"), line.length - 1);
  assert(line.startsWith('{"type":"claude-code-adapter/settled",'), line);
  const value = JSON.parse(line);
  assert(isSettledLine(value));
  const { type: _, ...rest } = value;
  assertEquals<unknown>(rest, { run_id: "id-1", state: "completed", result: "two\nlines" });
  assert(![null, "text", [], { type: "result" }].some(isSettledLine));
});
