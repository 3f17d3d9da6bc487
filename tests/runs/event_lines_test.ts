import { assert, assertEquals } from "@std/assert";
import { eventLine, isSettledLine, settledLine } from "../../src/runs/event_lines.ts";
import type { SettledRun } from "../../src/runs/values.ts";

const VALUE = {
  run_id: "id-1",
  state: "completed",
  result: "two\nlines",
  events: [{ type: "system" }],
  event_page: { next_cursor: 1 },
  events_truncated: false,
} as unknown as SettledRun;

Deno.test("an event is one line, whatever is in it", () => {
  const event = { type: "user", text: "a\nb\u2028c" };
  const line = eventLine(event);
  assertEquals(line.indexOf("\n"), line.length - 1);
  assertEquals(JSON.parse(line), event);
  assert(!isSettledLine(JSON.parse(line)));
});

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
