/** Lent tools on the real CLI: what runs, what does not, and what the model is told. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { z } from "zod";
import { lentTool } from "../../src/bridge/lent_tool.ts";
import type { TurnEvent } from "../../src/executor/turn_events.ts";
import { answer, type Script, text, toolUse } from "../../src/loopback/mod.ts";
import { ended, inExecutorWorld, type NativeCase, promptOf, told, tool } from "./executor_world.ts";
import { noisePng } from "./png.ts";

/** The cases, in order. */
export const TOOLS: NativeCase[] = [];
const test = (name: string, body: () => Promise<void>) => TOOLS.push({ name, body });

const call = (name: string, input: Record<string, unknown> = {}) =>
  toolUse(`mcp__tools__${name}`, input);
const calls = (...steps: ReturnType<typeof toolUse>[]): Script => [answer(steps), answer("Done.")];
const kinds = (events: readonly TurnEvent[]) => events.map(({ type }) => type);

test("a lent tool is called, and the turn is told from its first event to its result", async () => {
  const script = [
    answer([text("Let me see."), call("add", { a: 2, b: 3 })]),
    answer("It is 5."),
  ];
  const add = lentTool({
    name: "add",
    description: "Adds two numbers",
    inputSchema: z.object({ a: z.number(), b: z.number().default(1) }),
    handler: ({ a, b }, { callId }) => `${a + b} for ${callId}`,
  });
  await inExecutorWorld({ script }, async ({ turn, model }) => {
    const { events, result, error } = await turn({ prompt: "What is 2 + 3?", tools: [add] });
    assertEquals(error, null);
    assertEquals(kinds(events), [
      "ready",
      "spawned",
      "init",
      "message_delta",
      "tool_call",
      "tool_result",
      "message_delta",
      "result",
    ]);
    assertEquals(result?.text, "Let me see.\n\nIt is 5.");
    assertEquals([result?.usage?.outputTokens, result?.structuredOutput], [10, null]);
    assertEquals(told(model, 1), ["5 for toolu_loopback_0001"]);
    const [request] = model.messages;
    assertEquals(request?.body?.tools?.map(({ name }) => name), ["mcp__tools__add"]);
    assertEquals(promptOf(model).map((block) => block.text), ["What is 2 + 3?"]);
  });
});

test("what was not lent does not run: built-ins, other names, disallowed ones, bad input, what was withdrawn", async () => {
  const ran: string[] = [];
  const note = (name: string) => tool(name, () => void ran.push(name));
  const strict = tool("strict", () => void ran.push("strict"), {
    inputSchema: { type: "object", properties: { n: { type: "integer" } }, required: ["n"] },
  });
  const script = [
    answer([
      toolUse("Bash", { command: "echo hi > made.txt", description: "x" }),
      toolUse("Write", { file_path: "/tmp/never", content: "x" }),
      call("nobody"),
      call("secret"),
      call("strict", { n: "one" }),
      call("first"),
    ]),
    answer([call("gone")]),
    answer("Done."),
  ];
  await inExecutorWorld({ script, options: { disallowedTools: ["secret"] } }, async (world) => {
    const first = tool("first", () => {
      ran.push("first");
      assert(execution.withdraw("gone") && !execution.withdraw("gone"));
      return "ok";
    });
    const tools = [note("secret"), strict, first, note("gone")];
    const execution = world.executor.execute({ prompt: "Go", tools });
    const { events, error } = await ended(execution);
    assertEquals([error, ran], [null, ["first"]]);
    const results = events.filter((event) => event.type === "tool_result");
    assertEquals(results.map(({ isError, name }) => [name, isError]).sort(), [
      ["Bash", true],
      ["Write", true],
      ["first", false],
      ["gone", true],
      ["mcp__tools__nobody", true],
      ["mcp__tools__secret", true],
      ["strict", true],
    ]);
    const said = told(world.model, 1).join("\n");
    assertMatch(said, /No such tool available: Bash/);
    assertMatch(said, /do not fit the tool's schema, so it did not run: data\/n must be integer/);
    assertEquals(told(world.model, 2), ["There is no tool 'gone'"]);
    assertEquals(
      events.filter((event) => event.type === "tool_call" && !event.lent).length,
      4,
      "calls of tools that are not lent say so",
    );
  });
});

test("two hundred tools, names that no API takes, pictures, long results and nothing at all", async () => {
  const png = noisePng(40);
  const many = Array.from({ length: 200 }, (_, i) => tool(`tool ${i}/ä.b`, () => `ok ${i}`));
  const tools = [
    ...many,
    tool("picture", () => [{ type: "text", text: "Look: " }, { type: "image", data: png }]),
    tool("long", () => "x".repeat(350_000) + "THE END"),
    tool("empty", () => {}),
  ];
  const names: string[] = [];
  const script: Script = (request) => {
    const listed = request.body?.tools?.map(({ name }) => name) ?? [];
    names.push(...listed);
    if (names.length > listed.length) return answer("Done.");
    const odd = listed.find((name) => name.includes("tool_199_"))!;
    return answer([toolUse(odd, {}), call("picture"), call("long"), call("empty")]);
  };
  const options = { maxResultChars: 400_000 };
  await inExecutorWorld({ script, options }, async ({ turn, model }) => {
    const { events, error } = await turn({ prompt: "Go", tools });
    assertEquals([error, new Set(names).size], [null, tools.length]);
    for (const name of names) assertMatch(name, /^[a-zA-Z0-9_-]{1,64}$/);
    const [odd, picture, long, empty] = told(model, 1);
    assertEquals([odd, picture], ["ok 199", "Look: <image>"]);
    assert(long?.endsWith("THE END"), "nothing of a long result goes to a file");
    assertStringIncludes(empty!, "no output");
    const results = events.filter((event) => event.type === "tool_result");
    assertEquals(results.map(({ name }) => name), ["tool 199/ä.b", "picture", "long", "empty"]);
    assertEquals(results[1]?.content.map(({ type }) => type), ["text", "image"]);
  });
});

test("calls run side by side when the tools say that they may, else one after the other", async () => {
  for (const parallel of [true, false]) {
    let [now, most] = [0, 0];
    const all = Promise.withResolvers<void>();
    const slow = tool("slow", async () => {
      most = Math.max(most, ++now);
      if (now === 3 || !parallel) all.resolve();
      await all.promise;
      now -= 1;
    }, { parallel });
    await inExecutorWorld(
      { script: calls(call("slow"), call("slow"), call("slow")) },
      async (world) => {
        const { error } = await world.turn({ prompt: "Go", tools: [slow] });
        assertEquals([error, most], [null, parallel ? 3 : 1]);
      },
    );
  }
});

test("a handler that throws, one that never ends and one with media are told to the model", async () => {
  let aborted: unknown = null;
  const tools = [
    tool("broken", () => {
      throw new RangeError("no such city");
    }),
    tool(
      "endless",
      (_, { signal }) =>
        new Promise((_, reject) =>
          signal.addEventListener("abort", () => {
            aborted = signal.reason;
            reject(signal.reason);
          })
        ),
      { timeoutMs: 300 },
    ),
    tool("sound", () => ({ type: "media", mediaType: "audio/wav", name: "a.wav", bytes: 12 })),
  ];
  const script = calls(call("broken"), call("endless"), call("sound"));
  const options = { unsupportedResultMediaPolicy: "describe" } as const;
  await inExecutorWorld({ script, options }, async ({ turn, model }) => {
    const { error } = await turn({ prompt: "Go", tools });
    assertEquals(error, null);
    assertEquals(told(model, 1), [
      "no such city",
      "The tool did not answer within 0.3 s; it was told to stop",
      "[Not shown: audio/wav, 'a.wav', 12 bytes]",
    ]);
    assertStringIncludes(String(aborted), "did not answer");
  });
  await inExecutorWorld({ script: calls(call("sound")) }, async ({ turn, model }) => {
    const { error, events } = await turn({ prompt: "Go", tools });
    assertEquals(error?.code, "unsupported_media");
    assertEquals(events.at(-1), {
      type: "result",
      result: null,
      error: { code: "unsupported_media", message: error!.message },
    });
    assert(model.messages.length <= 2);
  });
});
