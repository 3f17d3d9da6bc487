import { assert, assertEquals, assertThrows } from "@std/assert";
import {
  arrayMember,
  CUT_MARK,
  cutText,
  isObject,
  jsonBytes,
  jsonText,
  numberMember,
  objectMember,
  stringMember,
  utf8Length,
} from "../../src/base/json.ts";

const TEXTS = [
  "",
  "plain",
  "é",
  "漢字",
  "😀",
  "a😀b",
  "\ud800",
  "x\udc00",
  "\ud800\ud800",
  "\u2028",
];

for (const text of TEXTS) {
  Deno.test(`utf8Length(${JSON.stringify(text)}) is what an encoder makes of it`, () => {
    assertEquals(utf8Length(text), new TextEncoder().encode(text).length);
  });
}

Deno.test("cutText() keeps what fits and marks what it cut, in whole characters", () => {
  assertEquals(cutText("short", 5), "short");
  assertEquals(cutText("é".repeat(10), 20), "é".repeat(10));
  for (const text of ["a".repeat(100), "é".repeat(100), "😀".repeat(100), "a😀".repeat(50)]) {
    for (let bound = 0; bound <= 60; bound++) {
      const cut = cutText(text, bound);
      assert(cut.endsWith(CUT_MARK));
      assert(utf8Length(cut) <= Math.max(bound, utf8Length(CUT_MARK)), `${bound}: ${cut}`);
      assert(text.startsWith(cut.slice(0, -CUT_MARK.length)));
      assert(!cut.includes("\ufffd"));
    }
  }
});

Deno.test("jsonBytes() counts compact JSON", () => {
  assertEquals(jsonBytes({ a: "é" }), 10);
  assertEquals(jsonBytes([1, null, "x"]), 12);
});

Deno.test("members are read from anything and never trusted", () => {
  for (const value of [null, undefined, 1, "text", [], ["a"], {}, { a: undefined }]) {
    assertEquals(stringMember(value, "a"), null);
    assertEquals(numberMember(value, "a"), null);
    assertEquals(objectMember(value, "a"), null);
    assertEquals(arrayMember(value, "a"), []);
  }
  assertEquals(stringMember({ a: "x" }, "a"), "x");
  assertEquals(numberMember({ a: 1 }, "a"), 1);
  assertEquals(numberMember({ a: Infinity }, "a"), null);
  assertEquals(objectMember({ a: { b: 1 } }, "a"), { b: 1 });
  assertEquals(objectMember({ a: [] }, "a"), null);
  assertEquals(arrayMember({ a: [1] }, "a"), [1]);
  assertEquals([isObject({}), isObject([]), isObject(null)], [true, false, false]);
});

Deno.test("jsonText says what JSON.stringify says, and goes on where that gives up", () => {
  const flat = {
    a: [1, "é\ud800", null, true, [], {}],
    "1": { 'q"': -0, gone: undefined },
    z: 1e21,
  };
  assertEquals(jsonText(flat), JSON.stringify(flat));
  assertEquals([jsonText(undefined), jsonText(null), jsonText("x")], ["", "null", '"x"']);
  const inner = JSON.stringify([flat, [undefined, flat]]);
  const text = `{"1":[`.repeat(30_000) + inner + "]}".repeat(30_000);
  const value: unknown = JSON.parse(text);
  assertThrows(() => JSON.stringify(value), RangeError);
  assert(jsonText(value) === text);
  assertEquals(jsonBytes(value), utf8Length(text));
});
