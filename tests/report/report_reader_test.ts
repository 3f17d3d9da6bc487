import { assert, assertEquals } from "@std/assert";
import type { JsonObject, JsonValue } from "../../src/base/json.ts";
import type { Entry, Report } from "../../src/report/report.ts";
import { ReportReader } from "../../src/report/report_reader.ts";
import { SETTLED_LINE_TYPE, STARTED_LINE_TYPE } from "../../src/runs/event_lines.ts";
import { FIXTURES, recordedCases } from "../helpers/replay.ts";
import {
  assistant,
  call,
  ended,
  longRun,
  pageOf,
  readEvents,
  readLines,
  result,
  time,
} from "./events.ts";

/** The conversation in a line each, sub-agents indented. */
function talk(entries: readonly Entry[], indent = ""): readonly string[] {
  return entries.flatMap((entry) => {
    switch (entry.kind) {
      case "tool":
        return [
          `${indent}${entry.name}(${entry.input.text}) ${entry.status}: ${
            entry.result?.text ?? "-"
          }` +
          (entry.task === null ? "" : ` [${entry.task}]`),
          ...talk(entry.children, `${indent}  `),
        ];
      case "notice":
        return [`${indent}${entry.tone}: ${entry.title}`];
      case "turn":
        return [`${indent}turn ${entry.subtype}`];
      default:
        return [`${indent}${entry.kind}${entry.interrupted ? "!" : ""}: ${entry.text.text}`];
    }
  });
}

async function recording(name: string): Promise<Report> {
  const text = await Deno.readTextFile(new URL(`${name}.ndjson`, FIXTURES));
  return readLines(text.split("\n"));
}

Deno.test("the conversation of a recording, sub-agents inside of their call", async () => {
  const report = await recording("subagent_foreground");
  assertEquals(
    talk(report.entries).map((line) => line.slice(0, 60)),
    [
      "Agent(description: Count the files\nprompt: SUBAGENT count the ",
      "  user: SUBAGENT count the files",
      "  Bash(command: cat a.txt\ndescription: Show a) ok: alpha",
      "info: A task ended: completed",
      "text: The sub-agent found one file.",
      "turn success",
    ].map((line) => line.slice(0, 60)),
  );
  assertEquals(report.counts, {
    modelCalls: 3,
    toolCalls: 2,
    failedTools: 0,
    agents: 1,
    retries: 0,
    denials: 0,
  });
});

Deno.test("what was streamed and never finished is shown as interrupted", async () => {
  const expected: readonly (readonly [string, readonly string[]])[] = [
    ["sigterm_streaming", ["text!: The first words of an answer"]],
    ["success_thinking", ["thinking: Let me think about that for a moment.", "text: Done."]],
    ["success_partial", ["text: Hello there."]],
  ];
  for (const [name, lines] of expected) {
    const spoken = talk((await recording(name)).entries).filter((line) =>
      /^t(?:ext|hink)/.test(line)
    );
    assertEquals(spoken, lines, name);
  }
});

Deno.test("every recording becomes the same page twice, its types are known, and its result is the verdict", async () => {
  for (const name of await recordedCases()) {
    const report = await recording(name);
    assertEquals(report.reading.unknown, [], name);
    assertEquals(pageOf(report), pageOf(await recording(name)), name);
    const outcome = JSON.parse(await Deno.readTextFile(new URL(`${name}.expect.json`, FIXTURES)));
    if (outcome.code === null) assertEquals(report.ending.state, "succeeded", name);
    assertEquals(report.counts.denials, outcome.denials, name);
    assertEquals(report.reading.events, outcome.events, name);
    assertEquals(report.spending.totalUsd, outcome.cost_usd, name);
    // The stored outcome has the beginning of an answer.
    const { answer } = report.ending;
    if (answer !== null) assertEquals(answer.text.slice(0, outcome.result.length), outcome.result);
  }
});

const SETTLED: JsonObject = {
  run_id: "run-1",
  state: "cancelled",
  is_error: true,
  result: null,
  subtype: null,
  exit_code: 143,
  signal: null,
  total_cost_usd: 1.5,
  error: { code: "cancelled", message: "SIGINT ended the run" },
  cleanup_confirmed: true,
  cleanup: { confirmed: true, retired: 2, escalated: true, survivors: [{ pid: 7, name: "sleep" }] },
  native: { version: "2.1.332", executable: "/usr/bin/claude", admitted_by: "pin" },
  background_tasks: { open: 1, stopped: 1 },
  permission_denials: { count: 3, list: [{ tool_name: "Bash", tool_use_id: "t", tool_input: {} }] },
  stderr_tail: "oh no",
  event_page: { observed_events: 9 },
};
const EVENTS: readonly JsonObject[] = [
  assistant(call("t", "Bash", { command: "ls" }), { timestamp: time(0) }),
  result("t", "denied", { is_error: true, timestamp: time(10) }),
];

/** The same run in every form that it can be saved in. */
const FORMS: readonly (readonly [string, readonly JsonValue[], number])[] = [
  ["a last line", [...EVENTS, { type: SETTLED_LINE_TYPE, ...SETTLED }], 0],
  ["a last line with a value", [...EVENTS, { type: SETTLED_LINE_TYPE, value: SETTLED }], 0],
  ["a settled value", [{ ...SETTLED, events: EVENTS }], 7],
  ["a settled value, events numbered", [{
    ...SETTLED,
    events: EVENTS.map((event, i) => ({ cursor: i + 1, event })),
  }], 7],
  ["a tool's answer", [{
    content: [{ type: "text", text: "…" }],
    structuredContent: { ...SETTLED, events: EVENTS },
  }], 7],
  ["a message of MCP", [{
    jsonrpc: "2.0",
    id: 1,
    result: { content: [], structuredContent: { ...SETTLED, events: EVENTS } },
  }], 7],
];

Deno.test("a settled run is read in every form, with its receipt", () => {
  for (const [name, values, missing] of FORMS) {
    const report = readEvents(values);
    assertEquals(talk(report.entries), ["Bash(command: ls) denied: denied"], name);
    assertEquals([report.ending.state, report.ending.title], ["cancelled", "Cancelled"], name);
    assertEquals(report.ending.message, "SIGINT ended the run");
    assertEquals(report.ending.settled?.cleanup?.survivors, [{ pid: 7, name: "sleep" }], name);
    assertEquals([report.counts.denials, report.denials.length], [3, 1], name);
    assertEquals([report.spending.totalUsd, report.reading.missing], [1.5, missing], name);
    const page = pageOf(report);
    for (const part of ["Nothing left behind", "SIGKILL needed", "sleep (7)", "oh no", "143"]) {
      assert(page.includes(part), `${name}: ${part}`);
    }
  }
});

Deno.test("the prompt of a file of events comes before everything, and is no event", () => {
  const started = { type: STARTED_LINE_TYPE, run_id: "run-1", created_at: 1, prompt: "look <b>" };
  const report = readEvents([started, ...EVENTS]);
  assertEquals(talk(report.entries), ["user: look <b>", "Bash(command: ls) error: denied"]);
  assertEquals(report.reading.events, EVENTS.length);
  assert(pageOf(report).includes("look &lt;b&gt;"));
  // A run that was killed at its start leaves nothing else.
  const alone = readEvents([started]);
  assertEquals([talk(alone.entries), alone.ending.state], [["user: look <b>"], "unknown"]);
  const reader = new ReportReader();
  reader.takeValue(started);
  assert(!reader.isEmpty);
});

Deno.test("a list of events, and a page of events, are events", () => {
  for (const value of [EVENTS, { events: EVENTS, next_cursor: 2, observed_events: 2 }]) {
    const reader = new ReportReader();
    reader.takeValue(value);
    assertEquals(talk(reader.finish({ bytes: 1, isStopped: false }).entries).length, 1);
  }
});

const ENDINGS: readonly (readonly [JsonObject | null, string, string])[] = [
  [null, "unknown", "No result"],
  [ended(), "succeeded", "Succeeded"],
  [
    ended({ is_error: true, subtype: "error_max_turns", result: null, errors: ["too many"] }),
    "failed",
    "Failed: error_max_turns",
  ],
  [
    ended({ is_error: true, result: "Invalid API key", api_error_type: "authentication_error" }),
    "failed",
    "Failed: authentication_error",
  ],
  [ended({ is_error: "no" }), "failed", "The result is not valid"],
  [ended({ subtype: 7 }), "failed", "The result is not valid"],
  [ended({ origin: { kind: "task-notification" } }), "unknown", "No result"],
];

Deno.test("the verdict is that of the result that answers the caller", () => {
  for (const [last, state, title] of ENDINGS) {
    const { ending } = readEvents([...EVENTS, ...(last === null ? [] : [last])]);
    assertEquals([ending.state, ending.title], [state, title]);
  }
});

/** Events that are no events as they should be, and what becomes of them. */
const ODD: readonly (readonly [string, readonly JsonValue[], readonly string[]])[] = [
  ["a result without its call", [result("x", "text")], [
    "info: The result of a tool call that is not in these events",
  ]],
  ["a parent that was never seen", [
    assistant({ type: "text", text: "hi" }, { parent_tool_use_id: "gone" }),
  ], ["Sub-agent() open: -", "  text: hi"]],
  ["a call that is its own parent", [
    assistant(call("a", "Agent"), { parent_tool_use_id: "a" }),
  ], ["Sub-agent() open: -", "  Agent() open: -"]],
  ["an id that comes twice", [
    assistant(call("a", "One")),
    assistant(call("a", "Two")),
    result("a", "text"),
  ], ["One() open: -", "Two() ok: text"]],
  ["content that is text", [{ type: "user", message: { content: "hello" } }], ["user: hello"]],
  ["a picture", [
    assistant(call("a", "Read")),
    result("a", [{ type: "image", source: { media_type: "image/png", data: "A".repeat(400) } }]),
  ], ["Read() ok: [image: image/png, 300 bytes; not shown]"]],
  ["members of other kinds", [
    { type: "assistant", message: 7 },
    { type: "assistant", message: { content: [7, null, { type: "text" }, { type: "tool_use" }] } },
    { type: "user", message: { content: [{ type: "tool_result" }] } },
    { type: "stream_event", event: [] },
    { type: "system", subtype: "api_retry", retry_delay_ms: "soon" },
    { type: "system", subtype: "task_notification", task_id: 7 },
    { type: "rate_limit_event", rate_limit_info: { status: "rejected", resetsAt: 1e300 } },
  ], [
    "unknown tool() open: -",
    "info: The result of a tool call that is not in these events",
    "warn: The API did not answer: no reason given",
    "warn: A task ended: ended",
    "bad: Usage limit: rejected",
  ]],
  ["a marker of an event that was too large", [
    { omitted: true, reason: "event_byte_bound", type: "user", bytes: 2_000_000 },
  ], ["warn: An event is not here: user"]],
];

Deno.test("events that are not as they should be are shown as far as they go", () => {
  for (const [name, events, lines] of ODD) {
    const report = readEvents(events);
    assertEquals(talk(report.entries).map((line) => line.replace("(null)", "()")), lines, name);
    assert(pageOf(report).endsWith("</html>\n"), name);
  }
});

Deno.test("sub-agents of sub-agents nest up to the bound, and nothing is lost beyond", () => {
  const events: JsonObject[] = [];
  for (let i = 0; i < 2_000; i++) {
    events.push(
      assistant(call(`a${i}`, `Agent${i}`), i === 0 ? {} : { parent_tool_use_id: `a${i - 1}` }),
    );
  }
  const report = readEvents(events);
  const lines = talk(report.entries);
  assertEquals(lines.length, 2_000);
  assert(Math.max(...report.spans.map(({ depth }) => depth)) < 6);
  // Entries nest as deep as their calls do; a page must not.
  const page = pageOf(report);
  let depth = 0;
  let deepest = 0;
  for (const [tag] of page.matchAll(/<\/?details/g)) {
    depth += tag === "<details" ? 1 : -1;
    deepest = Math.max(deepest, depth);
  }
  assert(deepest <= 6, `${deepest}`);
});

Deno.test("unknown types are counted and named, and so are lines that are no events", () => {
  const lines = [
    '{"type":"system","subtype":"novelty"}',
    '{"type":"novelty"}',
    '{"type":"novelty"}',
    '{"kind":7}',
    "Debugger attached.",
    "[1]",
    JSON.stringify(ended()),
    '{"type":"assist',
  ];
  const { reading } = readLines(lines);
  assertEquals(reading.unknown, [
    { name: "novelty", count: 2 },
    { name: "(no type)", count: 1 },
    { name: "system/novelty", count: 1 },
  ]);
  assertEquals([reading.malformed, reading.firstMalformed, reading.isTruncated], [
    2,
    "Debugger attached.",
    true,
  ]);
  const page = pageOf(readLines(lines));
  for (const part of ["2 lines are no JSON object", "novelty 2", "last line is cut off"]) {
    assert(page.includes(part), part);
  }
});

Deno.test("a page has at most so many entries and types, and says how much is left out", () => {
  const reader = new ReportReader(100);
  for (const event of longRun(1_000)) reader.takeValue(event);
  for (let i = 0; i < 500; i++) reader.takeValue({ type: `type_${i}` });
  const report = reader.finish({ bytes: 1, isStopped: true });
  const shown = talk(report.entries).length;
  assert(shown <= 100, `${shown}`);
  assert(report.reading.entriesLeftOut > 400, `${report.reading.entriesLeftOut}`);
  assertEquals(report.ending.state, "succeeded");
  assert(report.reading.types.length <= 101);
  const page = pageOf(report);
  assert(page.includes("more are not on this page: it is full"));
  assert(page.includes("its end was not read"));
});

Deno.test("a page of texts that grow when they are escaped stays within its bound", () => {
  const reader = new ReportReader();
  const text = "\u202e\u0001<>&\"'".repeat(10_000);
  for (let i = 0; i < 600; i++) {
    reader.takeValue(assistant({ type: "text", text }, { id: `msg_${i}` }));
  }
  const report = reader.finish({ bytes: 1, isStopped: false });
  let length = 0;
  for (const piece of [pageOf(report)]) length += piece.length;
  assert(length < 30_000_000, `${length}`);
  assert(report.reading.textLeftOut > 10_000_000);
});
