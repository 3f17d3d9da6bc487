import { assert, assertEquals } from "@std/assert";
import type { JsonObject } from "../../src/base/json.ts";
import { collectUpdates, UpdateCollector } from "../../src/threads/collect_updates.ts";
import type { RoundReaderOptions } from "../../src/threads/round_reader.ts";
import type { FrameItem } from "../../src/frames/frame_stream.ts";
import { RoundReader } from "../../src/threads/round_reader.ts";
import type { Update } from "../../src/threads/updates.ts";
import { CHUNK_SIZES } from "../helpers/chunks.ts";
import { followUp, init, item, result } from "../helpers/frames.ts";
import { recordedCases } from "../helpers/replay.ts";
import {
  block,
  delta,
  readBytes,
  readCase,
  readFrames,
  recordedBytes,
  short,
  shown,
  starts,
  step,
  text,
} from "./rounds.ts";

const STOP = step({ type: "message_stop" });
const SUBAGENT = { parent_tool_use_id: "t1" };

type Row = readonly [
  what: string,
  frames: readonly JsonObject[],
  updates: readonly string[],
  options?: Partial<RoundReaderOptions>,
];

const TABLE: readonly Row[] = [
  ["init says the session", [init({ model: "opus" })], ["0 session opus true"], { resumed: true }],
  [
    "a second init of the same session says nothing, one of another model does",
    [init(), init(), init({ model: "haiku" })],
    ["0 session null false", "0 session haiku false"],
  ],
  [
    "deltas are text, and the whole block is the message, not text again",
    [starts("m"), delta("He"), delta("llo"), block("m", text("Hello")), STOP],
    ["0 text m He", "0 text m llo", "0 message m Hello"],
  ],
  [
    "a block of a message that was not streamed is text and the message",
    [block("m", text("Hello"))],
    ["0 text m Hello", "0 message m Hello"],
  ],
  [
    "a message of two blocks is one text",
    [
      starts("m"),
      delta("One."),
      block("m", text("One.")),
      delta(" Two."),
      block("m", text(" Two.")),
    ],
    ["0 text m One.", "0 message m One.", "0 text m  Two.", "0 message m One. Two."],
  ],
  [
    "a break is withdrawn by name",
    [
      starts("m"),
      delta("Hel"),
      step({ type: "message_stop" }, {
        api_message_id: "m",
        abandoned_blocks: { api_message_id: "m", from_block_index: 0 },
      }),
      starts("n"),
      delta("Hello"),
      block("n", text("Hello")),
    ],
    ["0 text m Hel", "0 abandoned m '' broken", "0 text n Hello", "0 message n Hello"],
  ],
  [
    "a break after a whole block keeps the block",
    [
      starts("m"),
      delta("One."),
      block("m", text("One.")),
      delta(" Tw"),
      step({ type: "message_stop" }, {
        abandoned_blocks: { api_message_id: "m", from_block_index: 1 },
      }),
    ],
    ["0 text m One.", "0 message m One.", "0 text m  Tw", "0 abandoned m 'One.' broken"],
  ],
  [
    "a silent break of an older version, then the whole answer under another id",
    [starts("m"), delta("Hel"), block("n", text("Hello"))],
    ["0 text m Hel", "0 abandoned m '' broken", "0 text n Hello", "0 message n Hello"],
  ],
  [
    "a silent break, then another message is streamed",
    [starts("m"), delta("Hel"), starts("n"), delta("Hello"), block("n", text("Hello"))],
    ["0 text m Hel", "0 abandoned m '' broken", "0 text n Hello", "0 message n Hello"],
  ],
  [
    "a silent break, then an API error",
    [
      starts("m"),
      delta("Hel"),
      block("e", text("API Error: 500"), { is_api_error_message: true, error: "server_error" }),
    ],
    ["0 text m Hel", "0 abandoned m '' broken", "0 notice api_error"],
  ],
  [
    "a message whose block was lost stands as it was streamed",
    [starts("m"), delta("Hello"), STOP, starts("n"), delta("x"), block("n", text("x"))],
    ["0 text m Hello", "0 message m Hello", "0 text n x", "0 message n x"],
  ],
  [
    "deltas that name their message need no start",
    [delta("He", { api_message_id: "m" }), block("m", text("Hello"))],
    ["0 text m He", "0 message m Hello"],
  ],
  [
    "deltas that belong to nobody are left to the whole block",
    [delta("He"), block("m", text("Hello"))],
    ["0 text m Hello", "0 message m Hello"],
  ],
  [
    "what the safeguards stopped is withdrawn",
    [
      block("m", text("I cannot")),
      {
        type: "user",
        isSynthetic: true,
        refused_message_id: "m",
        message: { content: [text("Your response above was stopped")] },
        parent_tool_use_id: null,
      },
    ],
    ["0 text m I cannot", "0 message m I cannot", "0 abandoned m '' refused"],
  ],
  [
    "thinking is streamed, or comes whole, but not both",
    [
      starts("m"),
      step({ type: "content_block_delta", delta: { type: "thinking_delta", thinking: "Hm" } }),
      block("m", { type: "thinking", thinking: "Hm" }),
      block("n", { type: "thinking", thinking: "So" }),
    ],
    ["0 thinking m Hm", "0 thinking n So"],
  ],
  [
    "tool calls and results",
    [
      block("m", { type: "tool_use", id: "t", name: "Bash", input: { command: "ls" } }),
      {
        type: "user",
        message: { content: [{ type: "tool_result", tool_use_id: "t", is_error: true }] },
      },
    ],
    ["0 call t Bash", "0 result of t true"],
  ],
  [
    "a call and a result come once",
    Array.from({ length: 2 }, () => block("m", { type: "tool_use", id: "t", name: "Bash" })).concat(
      Array.from({ length: 2 }, () => ({
        type: "user",
        message: { content: [{ type: "tool_result", tool_use_id: "t" }] },
      })),
    ),
    ["0 call t Bash", "0 result of t false"],
  ],
  [
    "a frame that comes twice counts once",
    [block("m", text("a"), { uuid: "u" }), block("m", text("a"), { uuid: "u" })],
    ["0 text m a", "0 message m a"],
  ],
  [
    "sub-agents: their calls, not their words",
    [
      block("s", text("Looking"), SUBAGENT),
      block("s", { type: "thinking", thinking: "Hm" }, SUBAGENT),
      block("s", { type: "tool_use", id: "t2", name: "Read" }, SUBAGENT),
      block("s", text("API Error"), { ...SUBAGENT, is_api_error_message: true, error: "x" }),
    ],
    ["0 call t2 Read"],
  ],
  [
    "sub-agents: their words, when asked for",
    [
      block("s", text("Looking"), SUBAGENT),
      block("s", { type: "thinking", thinking: "Hm" }, SUBAGENT),
      block("s", text(" on"), SUBAGENT),
    ],
    [
      "0 text s Looking",
      "0 message s Looking",
      "0 thinking s Hm",
      "0 text s  on",
      "0 message s Looking on",
    ],
    { forwardSubagentText: true },
  ],
  [
    "a sub-agent between the deltas of a message does not break it",
    [starts("m"), delta("He"), block("s", text("Looking"), SUBAGENT), delta("llo")],
    ["0 text m He", "0 text s Looking", "0 message s Looking", "0 text m llo"],
    { forwardSubagentText: true },
  ],
  [
    "retries",
    [{ type: "system", subtype: "api_retry", attempt: 2, error: "overloaded" }],
    ["0 retry 2 overloaded"],
  ],
  [
    "notices",
    [
      { type: "system", subtype: "informational", content: "x" },
      { type: "system", subtype: "model_fallback", content: "x" },
      { type: "system", subtype: "permission_denied", tool_name: "Bash" },
      { type: "rate_limit_event", rate_limit_info: { status: "allowed_warning", resetsAt: 1 } },
      { type: "rate_limit_event", rate_limit_info: { status: "allowed" } },
    ],
    [
      "0 notice information",
      "0 notice model_fallback",
      "0 notice permission_denied",
      "0 notice rate_limit",
    ],
  ],
  [
    "follow-ups are turns of their own",
    [
      init(),
      block("m", text("a")),
      result(),
      init(),
      block("n", text("b")),
      followUp(),
      block("o", text("c")),
      followUp({ is_error: true }),
    ],
    [
      "0 session null false",
      "0 text m a",
      "0 message m a",
      "0 answer false success",
      "1 text n b",
      "1 message n b",
      "1 follow-up false success",
      "2 text o c",
      "2 message o c",
      "2 follow-up true success",
    ],
  ],
  [
    "a result that is held back belongs to the turn it is of",
    [init(), block("m", text("a")), init(), block("n", text("b")), result(), followUp()],
    [
      "0 session null false",
      "0 text m a",
      "0 message m a",
      "1 text n b",
      "1 message n b",
      "0 answer false success",
      "1 follow-up false success",
    ],
  ],
  [
    "an older version's follow-up is not marked",
    [result(), result({ result: "later" })],
    ["0 answer false success", "1 follow-up false success"],
  ],
  [
    "anything else is nothing",
    [
      {},
      { type: 7 },
      { type: "control_request", subtype: "can_use_tool" },
      { type: "system", subtype: "status" },
      { type: "system" },
      { type: "assistant" },
      { type: "assistant", message: null },
      { type: "assistant", message: { id: "m", content: [null, 1, { type: "server_tool_use" }] } },
      { type: "user", message: { content: "said by the caller" } },
      { type: "stream_event" },
      { type: "stream_event", event: { type: "ping" } },
      { type: "result" },
      { type: "result", is_error: "no", subtype: "success", session_id: "s" },
    ],
    [],
  ],
];
for (const [what, frames, expected, options] of TABLE) {
  Deno.test(`reader: ${what}`, () => {
    const { updates } = readFrames(frames, options);
    assertEquals(updates.map(short), expected);
  });
}

Deno.test("what is left out is counted by type, in bounded memory", () => {
  const { reader } = readFrames([
    { type: "system", subtype: "status" },
    { type: "system", subtype: "status" },
    { type: "result" },
    { type: "__proto__" },
    block("m", { type: "server_tool_use" }),
    ...Array.from({ length: 500 }, (_, i) => ({ type: `made-up-${i}`.padEnd(200, "x") })),
  ]);
  const malformed: FrameItem = {
    kind: "malformed",
    reason: "not_json",
    quote: "x",
    bytes: 1,
    terminated: true,
  };
  reader.read(malformed);
  reader.read({ ...malformed, terminated: false });
  const { ignored, malformed: broken } = reader.counts;
  assertEquals(ignored["system/status"], 2);
  assertEquals(ignored["__proto__"], 1);
  assertEquals(ignored["assistant/server_tool_use"], 1);
  assert(Object.keys(ignored).length <= 65);
  assert(Object.keys(ignored).every((label) => label.length <= 80));
  assertEquals(Object.values(ignored).reduce((sum, count) => sum + count), 504);
  assertEquals({ ...broken }, { result: 1, not_json: 1, broken_tail: 1 });
  assertEquals(reader.record.brokenTail, "x");
});

Deno.test("a frame past the bound is a notice, and what was streamed of its message stands", () => {
  const oversized = (type: string): FrameItem => ({
    kind: "oversized",
    type,
    bytes: 2_000_000,
    complete: true,
  });
  const reader = new RoundReader({ resumed: false });
  const updates = [starts("m"), delta("long")].map(item).concat(oversized("assistant"), [
    item(STOP),
    item(starts("n")),
    oversized("result"),
  ]).flatMap((one) => reader.read(one));
  assertEquals(updates.map(short), [
    "0 text m long",
    "0 message m long",
    "0 notice omitted",
    "0 notice omitted",
  ]);
  assertEquals(reader.record.lostResult, true);
  assertEquals({ ...reader.counts.oversized }, { assistant: 1, result: 1 });
});

Deno.test("a tool is open from its call to its result, or until the model goes on", () => {
  const call = (id: string) => block("m", { type: "tool_use", id, name: "Bash" });
  const end = (id: string) => ({
    type: "user",
    message: { content: [{ type: "tool_result", tool_use_id: id }] },
  });
  const busy = (frames: readonly JsonObject[]) => readFrames(frames).reader.busyWith;
  assertEquals(busy([call("a"), call("b"), end("a")]), "a tool");
  assertEquals(busy([call("a"), call("b"), end("a"), end("b")]), null);
  assertEquals(busy([end("a"), call("a")]), null, "a result that came first");
  assertEquals(busy([call("a"), starts("n")]), null, "the model goes on");
  assertEquals(busy([call("a"), result()]), null);
  assertEquals(busy([block("s", { type: "tool_use", id: "x" }, SUBAGENT)]), null);
  const reader = new RoundReader({ resumed: false });
  reader.read(item(call("a")));
  reader.read({ kind: "oversized", type: "user", bytes: 2_000_000, complete: true });
  assertEquals(reader.busyWith, null, "its result was too large to be read");
  const task = { type: "system", task_id: "t", is_backgrounded: true };
  assertEquals(busy([{ ...task, subtype: "task_started" }]), "a background task");
});

Deno.test("a compaction is told once when it begins and once when it ends, and is no silence", async () => {
  const status = (more: JsonObject) => ({ type: "system", subtype: "status", ...more });
  const begins = status({ status: "compacting", compact_output_chars: 0 });
  const failed = status({ status: null, compact_result: "failed", compact_error: "too long" });
  const busy = (frames: readonly JsonObject[]) => readFrames(frames).reader.busyWith;
  assertEquals(busy([begins]), "the compaction");
  assertEquals(busy([begins, failed]), null);
  assertEquals(busy([begins, starts("m")]), null, "the model answers");
  assertEquals(busy([begins, result()]), null);
  const told = (updates: readonly Update[]) =>
    updates.flatMap((update) =>
      update.kind === "notice" ? [`${update.details.status}: ${update.message}`] : []
    );
  assertEquals(told(readFrames([begins, begins, begins, failed]).updates), [
    "started: The conversation is being compacted",
    "failed: The conversation could not be compacted: too long",
  ]);
  for (
    const [name, trigger, sizes, text] of [
      ["compact_auto", "auto", /: 985\d+ tokens became \d{4}$/, "Hello there."],
      ["compact_asked", "manual", /: \d+ tokens became \d{4}$/, ""],
    ] as const
  ) {
    const { updates, collected, error } = await readCase(name);
    const [first, last, ...more] = updates.filter((update) => update.kind === "notice");
    assertEquals([first?.topic, first?.details.status], ["compaction", "started"], name);
    assertEquals([last?.details.status, last?.details.trigger], ["done", trigger], name);
    assertEquals([sizes.test(last?.message ?? ""), more.length], [true, 0], last?.message);
    assertEquals([collected.text, error], [text, null], `${name}: nothing of the summary is said`);
  }
});

const ANSWERS: readonly (readonly [name: string, text: string, more?: JsonObject])[] = [
  ["success_partial", "Hello there."],
  ["success_whole", "Hello there."],
  ["success_thinking", "Done."],
  ["stream_broken", "The first words of an answer, and the rest."],
  ["stream_broken_twice", "The first words of an answer, and the rest."],
  ["stream_broken_thrice", "The first words of an answer, and the rest."],
  ["stream_error_event", "The first words, and the rest."],
  ["stream_broken_after_tool", "Looking.\n\nDone."],
  ["max_tokens_continued", "The first half and the second half."],
  ["refusal_retried", "Here is an answer."],
  ["refusal_twice", ""],
  ["success_empty", ""],
  ["not_logged_in", ""],
  ["error_500", ""],
  ["sigterm_streaming", "", { partial: "The first words of an answer" }],
  ["sigint_streaming", "The first words of an answer"],
  ["subagent_background", "I started a sub-agent.", {
    followUps: ["The sub-agent is done: one file."],
  }],
  ["task_background_two", "I started two tasks.", {
    followUps: ["A task is done.", "A task is done."],
  }],
  ["task_background_whole", "I started a task.", { followUps: ["The task is done."] }],
];
for (const [name, expected, { partial = "", followUps = [] } = {}] of ANSWERS) {
  Deno.test(`recording ${name}: its text, once`, async () => {
    const { collected } = await readCase(name);
    assertEquals(collected.text, expected);
    assertEquals(collected.partial, partial);
    assertEquals(collected.followUps.map(({ text }) => text), followUps);
  });
}

Deno.test("every recording: nothing malformed, calls and results in pairs, the answer as the CLI has it", async () => {
  const names = await recordedCases();
  assert(names.length >= 88, `only ${names.length} recordings`);
  for (const name of names) {
    const { reader, updates, collected } = await readCase(name);
    assertEquals({ ...reader.counts.malformed }, {}, name);
    const calls = updates.filter(({ kind }) => kind === "tool_call").length;
    assertEquals(collected.toolCalls.length, calls, name);
    const results = updates.filter(({ kind }) => kind === "tool_result").length;
    assertEquals(collected.toolCalls.filter(({ result }) => result !== null).length, results, name);
    const pieces = new Map<string, string>();
    for (const update of updates) {
      if (update.kind !== "text") continue;
      pieces.set(update.messageId, (pieces.get(update.messageId) ?? "") + update.delta);
    }
    for (const { messageId, text } of collected.messages) {
      assertEquals(pieces.get(messageId), text, `${name}: the pieces of a message are its text`);
    }
    const { result } = collected;
    if (result?.isError !== false || result.text === null || result.text === "") continue;
    if (name.startsWith("json_schema")) continue; // its text is the tool's value
    assert(collected.text.endsWith(result.text), `${name}: ${collected.text}`);
    const texts = [...shown(updates).values()].filter((said) => said !== "");
    assertEquals(collected.messages.map((message) => message.text), texts, name);
  }
});

Deno.test("every recording in chunks of every size gives the same updates", async () => {
  for (const name of await recordedCases()) {
    const bytes = await recordedBytes(name);
    const whole = await readBytes(bytes);
    for (const size of CHUNK_SIZES) {
      if (size === 1 && bytes.length > 100_000) continue; // the splitting of large lines has its own tests
      const chunk = size === Infinity ? 0 : size;
      assertEquals(
        (await readBytes(bytes, { chunk })).updates,
        whole.updates,
        `${name} by ${size}`,
      );
    }
  }
});

Deno.test("recorded sub-agents speak only when asked to", async () => {
  const quiet = await readCase("subagent_background");
  const loud = await readCase("subagent_background", { forwardSubagentText: true });
  const spoken = (round: typeof quiet) =>
    round.updates.filter((update) => update.kind === "message" && update.parentToolUseId !== null);
  assertEquals(spoken(quiet), []);
  assertEquals(spoken(loud).length, 2);
  assertEquals(loud.collected.text, quiet.collected.text);
  assertEquals(quiet.collected.toolCalls.map(({ parentToolUseId }) => parentToolUseId), [
    null,
    "toolu_loopback_0001",
  ]);
});

Deno.test("collecting: tool results by their calls, notices, and nothing that is not there", () => {
  const { updates } = readFrames([
    block("m", { type: "tool_use", id: "t", name: "Bash", input: { command: "ls" } }),
    {
      type: "user",
      message: { content: [{ type: "tool_result", tool_use_id: "t", content: "a" }] },
    },
    { type: "user", message: { content: [{ type: "tool_result", tool_use_id: "nobody's" }] } },
    { type: "system", subtype: "informational", content: "x" },
  ]);
  const collected = collectUpdates(updates);
  assertEquals(collected.toolCalls, [{
    id: "t",
    turn: 0,
    name: "Bash",
    input: { command: "ls" },
    parentToolUseId: null,
    result: { isError: false, content: "a" },
  }]);
  assertEquals(collected.notices.length, 1);
  assertEquals([collected.session, collected.result, collected.followUps], [null, null, []]);
});

Deno.test("collecting: the text of a round that ended well is whole, also without a frame that says so", () => {
  const { updates } = readFrames([init(), starts("m"), delta("A long "), delta("answer")]);
  const collector = new UpdateCollector();
  for (const update of updates) collector.add(update);
  assertEquals([collector.value.text, collector.value.partial], ["", "A long answer"]);
  collector.end();
  assertEquals([collector.value.text, collector.value.partial], ["A long answer", ""]);
  assertEquals(collector.value.messages.map(({ text }) => text), ["A long answer"]);
});
