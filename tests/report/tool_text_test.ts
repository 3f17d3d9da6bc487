import { assert, assertEquals } from "@std/assert";
import type { JsonValue } from "../../src/base/json.ts";
import { aboutOf, contentText, inputText } from "../../src/report/tool_text.ts";

/** A value nested so deep that it cannot be written by recursion. */
const DEEP = JSON.parse(`${'{"1":'.repeat(9_000)}7${"}".repeat(9_000)}`) as JsonValue;

Deno.test("a tool's input is a member a line, lines as they are", () => {
  const inputs: readonly (readonly [JsonValue, string])[] = [
    [{ command: "ls", timeout: 5 }, "command: ls\ntimeout: 5"],
    [{ content: "a\n  b\n" }, "content:\n  a\n    b\n  "],
    [{ todos: [{ id: 1 }], none: null }, 'todos: [{"id":1}]\nnone: null'],
    [{}, ""],
    ["text", "text"],
    [[1], "[\n  1\n]"],
    [null, "null"],
  ];
  for (const [input, expected] of inputs) assertEquals(inputText(input), expected);
  assert(inputText({ deep: DEEP }).startsWith('deep: {"1":{"1":'));
});

Deno.test("a tool's result is its text, with a line for what is no text", () => {
  const contents: readonly (readonly [JsonValue | undefined, string])[] = [
    [undefined, ""],
    [null, ""],
    ["text", "text"],
    [[{ type: "text", text: "a" }, "b", { type: "text" }], "a\nb\n"],
    [
      [{ type: "image", mimeType: "image/png", data: "AAAA" }],
      "[image: image/png, 3 bytes; not shown]",
    ],
    [[{ type: "reference", name: "x" }], '{\n  "type": "reference",\n  "name": "x"\n}'],
    [{ a: 1 }, '{\n  "a": 1\n}'],
  ];
  for (const [content, expected] of contents) assertEquals(contentText(content), expected);
  assert(contentText([DEEP]).startsWith('{"1":'));
});

Deno.test("a call is about the most telling member of its input, in one line of bounded length", () => {
  assertEquals(aboutOf({ command: "make", description: "Build it" }), "Build it");
  assertEquals(aboutOf({ command: "  first\nsecond", description: " " }), "first");
  assertEquals([aboutOf(null), aboutOf("x"), aboutOf({ path: 7 })], ["", "", ""]);
  assertEquals(aboutOf({ url: "x".repeat(1_000) }), `${"x".repeat(120)}…`);
});
