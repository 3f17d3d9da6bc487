import { assert, assertEquals } from "@std/assert";
import type { JsonObject } from "../../src/base/json.ts";
import { makeTimeline, type Row, type Timeline } from "../../src/report/timeline.ts";
import { FIXTURES } from "../helpers/replay.ts";
import { assistant, call, ended, longRun, readEvents, readLines, result, time } from "./events.ts";

function rowsOf({ rows }: Timeline): readonly string[] {
  return rows.map((row) =>
    `${"  ".repeat(row.depth)}${row.kind} ${row.label} ${row.time?.from}+${row.time?.took}` +
    `${row.isOpen ? " open" : ""}${row.fault === null ? "" : ` ${row.fault}`}`
  );
}

const timeline = (events: readonly JsonObject[]) => makeTimeline(readEvents(events));

Deno.test("model calls, tools, sub-agents and gaps in the order of time, each sub-agent under its call", () => {
  const parent = { parent_tool_use_id: "a" };
  const events = [
    { type: "system", subtype: "status", status: "requesting" },
    assistant(call("t", "Read", { file_path: "x.ts" }), { timestamp: time(0) }),
    result("t", "text", { timestamp: time(2_000) }),
    assistant(call("a", "Agent", { description: "look" }), { id: "msg_2", timestamp: time(5_000) }),
    { type: "user", message: { content: "go" }, ...parent, timestamp: time(5_100) },
    assistant(call("b", "Bash", { command: "ls" }), {
      id: "msg_3",
      timestamp: time(6_000),
      ...parent,
    }),
    result("b", "no", { is_error: true, timestamp: time(7_000), ...parent }),
    result("a", "done", { timestamp: time(8_000) }),
    assistant(call("c", "Bash", { command: "sleep" }), { id: "msg_4", timestamp: time(9_000) }),
  ];
  assertEquals(rowsOf(timeline(events)), [
    "model claude-test 0+0",
    "tool Read · x.ts 0+2000",
    "model claude-test 2000+3000",
    "agent Agent · look 5000+3000",
    "  model claude-test 5100+900",
    "  tool Bash · ls 6000+1000 failed",
    "model claude-test 8000+1000",
    "tool Bash · sleep 9000+0 open",
  ]);
});

Deno.test("a gap is where neither the model nor a tool was at work", () => {
  const chart = timeline([
    assistant({ type: "text", text: "one" }, { timestamp: time(0) }),
    ended(),
    {
      type: "system",
      subtype: "task_updated",
      task_id: "t",
      patch: { end_time: Date.parse(time(60_000)) },
    },
    { type: "system", subtype: "status", status: "requesting" },
    assistant({ type: "text", text: "two" }, { id: "msg_2", timestamp: time(62_000) }),
  ]);
  assertEquals(rowsOf(chart), [
    "model claude-test 0+0",
    "idle Nothing running 0+60000",
    "model claude-test 60000+2000",
  ]);
  assertEquals(chart.idleMs, 60_000);
});

Deno.test("retries are waits before the call that follows", async () => {
  const text = await Deno.readTextFile(new URL("api_retries.ndjson", FIXTURES));
  assertEquals(rowsOf(makeTimeline(readLines(text.split("\n")))), [
    "retry Waiting to ask again 0+585",
    "retry Waiting to ask again 585+1208",
    "model claude-opus-5-5 1793+9",
  ]);
});

Deno.test("events without times are placed by their order", () => {
  const chart = timeline([
    assistant(call("t", "Read"), {}),
    result("t", "text"),
    ended(),
  ]);
  assertEquals([chart.scale, chart.length, chart.idleMs], ["order", 3, null]);
  assertEquals(chart.rows.map(({ kind, bars, time }) => [kind, bars[0]?.from, time]), [
    ["model", 0, null],
    ["tool", 0, null],
  ]);
});

Deno.test("there are never more rows than the bound, every step is in one, and bars stay in the chart", () => {
  const events = [...longRun(5_000)];
  const report = readEvents(events);
  for (const most of [1, 7, 240, 100_000]) {
    const { rows } = makeTimeline(report, most);
    assert(rows.length <= most, `${rows.length} of ${most}`);
    assertEquals(rows.reduce((sum, { count }) => sum + count, 0), report.spans.length);
    for (const bar of rows.flatMap((row: Row) => row.bars)) {
      assert(bar.from >= 0 && bar.from <= bar.to && bar.to <= 1, JSON.stringify(bar));
    }
  }
});
