import { assertEquals, assertThrows } from "@std/assert";
import { parse } from "@std/jsonc/parse";

const GOOD: readonly [name: string, text: string, value: unknown][] = [
  ["plain JSON", '{"a":[1,true,null,"x"],"b":{}}', { a: [1, true, null, "x"], b: {} }],
  ["line comments", '// top\n{"a":1 // one\n}', { a: 1 }],
  ["block comments", '/* a */{"a":/* b */1}/* c */', { a: 1 }],
  ["trailing commas", '{"a":[1,2,],}', { a: [1, 2] }],
  ["comment signs inside text", '{"a":"// no /* no */"}', { a: "// no /* no */" }],
  ["escapes", '"\\u00e9\\n\\"\\\\"', 'é\n"\\'],
  ["a single value", " 12 ", 12],
];
for (const [name, text, value] of GOOD) {
  Deno.test(`parse() of jsonc reads ${name}`, () => assertEquals<unknown>(parse(text), value));
}

const BAD: readonly [name: string, text: string][] = [
  ["nothing", ""],
  ["nothing but a comment", "// only this"],
  ["a missing value", '{"a":}'],
  ["a missing comma", "[1 2]"],
  ["an open object", '{"a":1'],
  ["an open string", '{"a":"b'],
  ["an open comment", "{} /* never closed"],
  ["a bare word", "{a:1}"],
  ["single quotes", "{'a':1}"],
  ["two values", "1 2"],
  ["a control character in text", '"a\nb"'],
  ["an escape that JSON does not have", '"\\q"'],
];
for (const [name, text] of BAD) {
  Deno.test(`parse() of jsonc refuses ${name}`, () => {
    assertThrows(() => parse(text), SyntaxError);
  });
}
