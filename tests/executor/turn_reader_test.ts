import { assert, assertEquals } from "@std/assert";
import type { JsonObject } from "../../src/base/json.ts";
import { frameStream } from "../../src/frames/frame_stream.ts";
import { readUsage, TurnReader } from "../../src/executor/turn_reader.ts";
import type { TurnEvent } from "../../src/executor/turn_events.ts";
import { UpdateCollector } from "../../src/threads/collect_updates.ts";
import { RoundReader } from "../../src/threads/round_reader.ts";
import { init, item, result, says } from "../helpers/frames.ts";
import { FIXTURES, recordedCases } from "../helpers/replay.ts";

const naming = {
  givenName: (name: string) => name.startsWith("mcp__tools__") ? `my ${name.slice(12)}` : null,
};

function read(...frames: readonly JsonObject[]) {
  const reader = new TurnReader(naming);
  return { reader, events: frames.flatMap((frame) => reader.read(item(frame))) };
}

/** Every member that an event may have, in the order of its type's declaration. */
const MEMBERS: { readonly [type in TurnEvent["type"]]: readonly string[] } = {
  ready: ["tools"],
  spawned: ["pid"],
  init: ["model", "tools"],
  message_delta: ["messageId", "text", "replace"],
  thought_delta: ["messageId", "text"],
  tool_call: ["id", "name", "input", "lent"],
  tool_result: ["id", "name", "isError", "content"],
  retry: ["attempt", "maxRetries", "delayMs", "status", "reason"],
  followup: ["text", "isError"],
  log: ["level", "message"],
  result: ["result", "error"],
};
const PART_MEMBERS = [["type"], ["type", "text"], ["type", "mediaType", "data"]];

Deno.test("no native shape leaks: whatever was recorded, events have their own members and no others", async () => {
  const seen = new Set<string>();
  for (const name of await recordedCases()) {
    const { body } = new Response(await Deno.readFile(new URL(`${name}.ndjson`, FIXTURES)));
    const reader = new TurnReader(naming);
    for await (const batch of frameStream(body!)) {
      for (const event of batch.flatMap((each) => reader.read(each))) {
        seen.add(event.type);
        const { type, ...members } = event;
        assertEquals(Object.keys(members).sort(), [...MEMBERS[type]].sort(), `${name}: ${type}`);
        if (event.type === "tool_result") {
          for (const part of event.content) {
            const keys = Object.keys(part).sort();
            assert(PART_MEMBERS.some((known) => [...known].sort().join() === keys.join()), name);
          }
        }
        if (event.type === "tool_call") delete (members as { input?: unknown }).input;
        if (event.type === "log") continue;
        const text = JSON.stringify(members, (key, value) => key === "text" ? "" : value);
        assert(!/session_id|tool_use|"uuid"|parent|mcp__tools__/.test(text), `${name}: ${text}`);
      }
    }
  }
  const recorded = [
    "followup",
    "init",
    "log",
    "message_delta",
    "retry",
    "thought_delta",
    "tool_call",
    "tool_result",
  ];
  assertEquals([...seen].sort(), recorded, "the recordings have every kind that comes from frames");
});

Deno.test("lent tools have the caller's names, others the model's; structured output is the answer, not a call", () => {
  const call = (id: string, name: string) => ({
    type: "assistant",
    message: { id: `m-${id}`, content: [{ type: "tool_use", id, name, input: { a: 1 } }] },
  });
  const done = (id: string, content: unknown) =>
    ({
      type: "user",
      message: {
        content: [{ type: "tool_result", tool_use_id: id, content, is_error: id === "t2" }],
      },
    }) as unknown as JsonObject;
  const image = {
    type: "image",
    source: { type: "base64", media_type: "image/png", data: "AA==" },
  };
  const { events, reader } = read(
    init({
      model: "m",
      tools: ["mcp__tools__a", "StructuredOutput"],
      mcp_servers: [{ name: "tools", status: "connected" }],
    }),
    call("t1", "mcp__tools__a"),
    call("t2", "Bash"),
    call("t3", "StructuredOutput"),
    done("t1", [{ type: "text", text: "ok" }, image, { type: "document" }]),
    done("t2", "No such tool"),
    done("t3", "noted"),
    {
      type: "system",
      subtype: "permission_denied",
      tool_name: "mcp__tools__a",
      message: "mcp__tools__a was denied",
    },
    result({ structured_output: { n: 1 } }),
  );
  assertEquals(events, [
    { type: "init", model: "m", tools: ["my a"] },
    { type: "tool_call", id: "t1", name: "my a", input: { a: 1 }, lent: true },
    { type: "tool_call", id: "t2", name: "Bash", input: { a: 1 }, lent: false },
    {
      type: "tool_result",
      id: "t1",
      name: "my a",
      isError: false,
      content: [{ type: "text", text: "ok" }, {
        type: "image",
        mediaType: "image/png",
        data: "AA==",
      }, {
        type: "other",
      }],
    },
    {
      type: "tool_result",
      id: "t2",
      name: "Bash",
      isError: true,
      content: [{ type: "text", text: "No such tool" }],
    },
    { type: "log", level: "warn", message: "my a was denied" },
  ]);
  assertEquals(reader.answer.structuredOutput, { n: 1 });
  assertEquals(reader.start, {
    model: "m",
    tools: ["mcp__tools__a", "StructuredOutput"],
    servers: [{ name: "tools", status: "connected" }],
  });
});

Deno.test("text is told once: a whole message replaces its pieces only when it differs", () => {
  const step = (event: JsonObject) => ({ type: "stream_event", event, parent_tool_use_id: null });
  const delta = (text: string) =>
    step({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } });
  const start = step({ type: "message_start", message: { id: "m1" } });
  const same = read(start, delta("Hel"), delta("lo"), says("Hello"));
  assertEquals(
    same.events.map((event) => event.type === "message_delta" && [event.text, event.replace]),
    [
      ["Hel", false],
      ["lo", false],
    ],
  );
  const other = read(start, delta("Hel"), says("Hello!"));
  assertEquals(other.events.at(-1), {
    type: "message_delta",
    messageId: "m1",
    text: "Hello!",
    replace: true,
  });
  const broken = read(start, delta("Hel"), step({ type: "message_start", message: { id: "m2" } }));
  assertEquals(broken.events.at(-1), {
    type: "message_delta",
    messageId: "m1",
    text: "",
    replace: true,
  });
});

Deno.test("what is forgotten changes no answer: whatever was recorded, its text is that of everything it told", async () => {
  let answers = 0;
  for (const name of await recordedCases()) {
    const { body } = new Response(await Deno.readFile(new URL(`${name}.ndjson`, FIXTURES)));
    const [turn, round] = [new TurnReader(naming), new RoundReader({ resumed: false })];
    const all = new UpdateCollector();
    for await (const batch of frameStream(body!)) {
      for (const each of batch) {
        turn.read(each);
        for (const update of round.read(each)) all.add(update);
      }
    }
    const { text, result } = all.value;
    assertEquals([turn.answer.text, turn.answer.result?.roundUsd], [text, result?.roundUsd], name);
    if (text !== "") answers += 1;
  }
  assert(answers > 10, `${answers} recordings with an answer`);
});

Deno.test("of a call that is too large to be read the name is known, and no frame is named by its native type", () => {
  const { reader } = read(init());
  const begins = (id: string, name: string) => ({
    type: "stream_event",
    event: { type: "content_block_start", index: 0, content_block: { type: "tool_use", id, name } },
    parent_tool_use_id: null,
  });
  const done = (id: string) => ({
    type: "user",
    message: { content: [{ type: "tool_result", tool_use_id: id, content: "ok" }] },
  });
  const large = { kind: "oversized", type: "assistant", bytes: 1_800_000, complete: true } as const;
  const events = [
    item(begins("t1", "mcp__tools__a")),
    large,
    item(done("t1")),
    item(begins("t2", "StructuredOutput")),
    large,
    item(done("t2")),
  ].flatMap((each) => reader.read(each));
  const log = {
    type: "log",
    level: "warn",
    message: "A part of the turn with 1800000 bytes is too large to be told",
  };
  const told = { id: "t1", name: "my a", isError: false, content: [{ type: "text", text: "ok" }] };
  assertEquals(events, [log, { type: "tool_result", ...told }, log] as TurnEvent[]);
});

Deno.test("tokens are counted by neutral names, and nothing is made up", () => {
  assertEquals(readUsage(null), null);
  assertEquals(readUsage({ input_tokens: 1, output_tokens: "2", cache_read_input_tokens: 3 }), {
    inputTokens: 1,
    outputTokens: 0,
    cacheReadTokens: 3,
    cacheWriteTokens: 0,
  });
});
