import { assert, assertEquals } from "@std/assert";
import { utf8Length } from "../../src/base/json.ts";
import { type ParsedLine, parseFrame, quoteLine } from "../../src/frames/parse_frame.ts";

const CASES: readonly { name: string; line: string; parsed: ParsedLine }[] = [
  {
    name: "a frame",
    line: '{"type":"user","x":[1]}',
    parsed: { kind: "frame", frame: { type: "user", x: [1] }, type: "user" },
  },
  {
    name: "a frame with white space around it",
    line: ' \t{"x":1} \r',
    parsed: { kind: "frame", frame: { x: 1 }, type: null },
  },
  { name: "an empty object", line: "{}", parsed: { kind: "frame", frame: {}, type: null } },
  {
    name: "a type that is not text",
    line: '{"type":7}',
    parsed: { kind: "frame", frame: { type: 7 }, type: null },
  },
  {
    name: "separators that other readers split at",
    line: '{"type":"a\u2028\u2029\u0085b"}',
    parsed: {
      kind: "frame",
      frame: { type: "a\u2028\u2029\u0085b" },
      type: "a\u2028\u2029\u0085b",
    },
  },
  { name: "nothing", line: "", parsed: { kind: "blank" } },
  { name: "white space", line: " \t\r", parsed: { kind: "blank" } },
  {
    name: "white space that JSON does not know",
    line: "\v\f\u00a0\ufeff",
    parsed: { kind: "blank" },
  },
  {
    name: "a banner",
    line: "Debugger attached.",
    parsed: { kind: "malformed", reason: "not_json", quote: "Debugger attached." },
  },
  {
    name: "half a frame",
    line: '{"type":"res',
    parsed: { kind: "malformed", reason: "not_json", quote: '{"type":"res' },
  },
  {
    name: "two frames on one line",
    line: '{"a":1}{"b":2}',
    parsed: { kind: "malformed", reason: "not_json", quote: '{"a":1}{"b":2}' },
  },
  ...["[]", '[{"type":"result"}]', '"text"', "12", "true", "null"].map((line) => ({
    name: `the JSON value ${line}`,
    line,
    parsed: { kind: "malformed", reason: "not_object", quote: line } as const,
  })),
  {
    name: "control characters",
    line: "\u001b[31mred\u001b[0m\u0000\u009f\u007f",
    parsed: {
      kind: "malformed",
      reason: "not_json",
      quote: "\\x1b[31mred\\x1b[0m\\x00\\x9f\\x7f",
    },
  },
  {
    name: "characters that turn a line around",
    line: "a\u202eb\u2066c\u2028\ufeff\u200b",
    parsed: {
      kind: "malformed",
      reason: "not_json",
      quote: "a\\u202eb\\u2066c\\u2028\\ufeff\\u200b",
    },
  },
  {
    name: "letters of every script",
    line: "Überraschung 😀 日本",
    parsed: { kind: "malformed", reason: "not_json", quote: "Überraschung 😀 日本" },
  },
  {
    name: "half a surrogate pair",
    line: "a\ud83d",
    parsed: { kind: "malformed", reason: "not_json", quote: "a\\ud83d" },
  },
];

for (const { name, line, parsed } of CASES) {
  Deno.test(`parseFrame() reads ${name}`, () => assertEquals(parseFrame(line), parsed));
}

Deno.test("a key named __proto__ is an ordinary member", () => {
  const parsed = parseFrame('{"__proto__":{"type":"result"},"a":1}');
  assert(parsed.kind === "frame");
  assertEquals(parsed.type, null);
  assertEquals(Object.keys(parsed.frame), ["__proto__", "a"]);
});

Deno.test("a frame nested half a million deep is a frame, and can be written again", () => {
  const line = `{"a":${"[".repeat(500_000)}${"]".repeat(500_000)}}`;
  const parsed = parseFrame(line);
  assert(parsed.kind === "frame");
  assertEquals(JSON.stringify(parsed.frame).length, line.length);
});

Deno.test("a quote is at most 200 bytes of the line, whole characters, and a cut is marked", () => {
  assertEquals(quoteLine("x".repeat(200)), "x".repeat(200));
  const tables = ["x", "é", "日", "😀"];
  for (const character of tables) {
    const quote = quoteLine(character.repeat(5000));
    assert(quote.endsWith("… [cut]"), quote);
    assert(utf8Length(quote) <= 200 && utf8Length(quote) > 190, `${utf8Length(quote)} bytes`);
    assertEquals(quote.replace("… [cut]", "").replaceAll(character, ""), "");
  }
});
