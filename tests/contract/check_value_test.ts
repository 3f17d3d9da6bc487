import { assertEquals } from "@std/assert";
import {
  checkValue,
  countCharacters,
  jsonEquals,
  received,
} from "../../src/contract/check_value.ts";
import type { ValueSchema } from "../../src/contract/cli_tree.ts";
import { Random } from "../helpers/random.ts";

const EMOJI = "😀";
const LONE = "\ud83d";
const NAME: ValueSchema = { type: "string", minLength: 2, maxLength: 3 };
const LIST: ValueSchema = {
  type: "array",
  minItems: 1,
  maxItems: 2,
  items: { type: "integer", minimum: 0 },
};
const CARD: ValueSchema = {
  type: "object",
  properties: { name: NAME, list: LIST, __proto__: { type: "null" } },
  required: ["name"],
  additionalProperties: false,
};

const GOOD: readonly [ValueSchema, unknown][] = [
  [NAME, "ab"],
  [NAME, EMOJI.repeat(3)],
  [NAME, LONE + LONE],
  [{ type: "string" }, ""],
  [{ type: "string", maxLength: 0 }, ""],
  [{ type: "string", enum: ["a", "b"] }, "b"],
  [{ type: "integer", minimum: 1, maximum: 3 }, 3],
  [{ type: "integer" }, 2.0],
  [{ type: "number", minimum: 0.000001 }, 0.000001],
  [{ type: "boolean" }, false],
  [{ type: "boolean", const: true }, true],
  [{ type: "null" }, null],
  [LIST, [0, 1]],
  [{ type: "array" }, [null, "x", []]],
  [CARD, { name: "ab", list: [1] }],
  [{ type: "object" }, { anything: [1] }],
  [{ type: "object", enum: [{ a: 1, b: [2] }] }, { b: [2], a: 1 }],
];

const BAD: readonly [ValueSchema, unknown, string, string][] = [
  [NAME, "a", "", "must be a string of 2 to 3 characters, but is a string of 1 character"],
  [NAME, "abcd", "", "must be a string of 2 to 3 characters, but is a string of 4 characters"],
  [NAME, EMOJI, "", "must be a string of 2 to 3 characters, but is a string of 1 character"],
  [
    NAME,
    EMOJI.repeat(4),
    "",
    "must be a string of 2 to 3 characters, but is a string of at least 4 characters",
  ],
  [
    { type: "string", maxLength: 5 },
    "x".repeat(1000),
    "",
    "must be a string of at most 5 characters, but is a string of at least 500 characters",
  ],
  [
    { type: "string", minLength: 36, maxLength: 36 },
    "",
    "",
    "must be a string of exactly 36 characters, but is a string of 0 characters",
  ],
  [
    { type: "string", minLength: 1 },
    "",
    "",
    "must be a string of at least 1 character, but is a string of 0 characters",
  ],
  [{ type: "string" }, 5, "", "must be a string, but is the number 5"],
  [{ type: "string" }, undefined, "", "must be a string, but is missing"],
  [
    { type: "string", enum: ["a", "b"] },
    "secret",
    "",
    'must be one of "a", "b", but is a string of 6 characters',
  ],
  [
    { type: "integer", minimum: 1, maximum: 3 },
    4,
    "",
    "must be an integer from 1 to 3, but is the number 4",
  ],
  [
    { type: "integer", minimum: 0 },
    1.5,
    "",
    "must be an integer of at least 0, but is the number 1.5",
  ],
  [
    { type: "integer", maximum: 0 },
    "0",
    "",
    "must be an integer of at most 0, but is a string of 1 character",
  ],
  [{ type: "number" }, NaN, "", "must be a number, but is the number NaN"],
  [{ type: "number" }, Infinity, "", "must be a number, but is the number Infinity"],
  [{ type: "boolean" }, "true", "", "must be true or false, but is a string of 4 characters"],
  [{ type: "boolean", const: true }, false, "", "must be true, but is false"],
  [{ type: "null" }, 0, "", "must be null, but is the number 0"],
  [LIST, [], "", "must be an array of 1 to 2 items, but is an array of 0 items"],
  [LIST, [1, -1], "/1", "must be an integer of at least 0, but is the number -1"],
  [LIST, { length: 1 }, "", "must be an array of 1 to 2 items, but is an object"],
  [CARD, [], "", "must be an object, but is an array of 0 items"],
  [CARD, null, "", "must be an object, but is null"],
  [CARD, {}, "/name", "must be present"],
  [CARD, { name: "ab", "a/b": 1 }, "/a~1b", "is not a known member"],
  [CARD, { name: "ab", toString: 1 }, "/toString", "is not a known member"],
  [
    CARD,
    { name: "ab", list: ["x"] },
    "/list/0",
    "must be an integer of at least 0, but is a string of 1 character",
  ],
];

Deno.test("checkValue() finds nothing wrong with values that fit", () => {
  for (const [schema, value] of GOOD) assertEquals(checkValue(schema, value), null);
});

Deno.test("checkValue() says where a value breaks its schema, the bound, and what it is", () => {
  for (const [schema, value, at, message] of BAD) {
    assertEquals(checkValue(schema, value), { at, message });
  }
});

Deno.test("checkValue() agrees with counting every character, whatever the string", () => {
  const random = new Random(1);
  for (let round = 0; round < 3_000; round++) {
    const text = Array.from(
      { length: random.int(0, 12) },
      () => random.pick(["a", EMOJI, LONE, "\udc00", "é"]),
    ).join("");
    const minLength = random.int(0, 6);
    const maxLength = minLength + random.int(0, 6);
    const characters = [...text].length;
    const fits = checkValue({ type: "string", minLength, maxLength }, text) === null;
    assertEquals(fits, characters >= minLength && characters <= maxLength, JSON.stringify(text));
    assertEquals(countCharacters(text), characters);
  }
});

Deno.test("received() never repeats a text", () => {
  assertEquals(received("hunter2"), "a string of 7 characters");
  assertEquals(received(["hunter2"]), "an array of 1 item");
  assertEquals(received({ hunter2: "hunter2" }), "an object");
  assertEquals(received(() => "hunter2"), "a function");
});

Deno.test("jsonEquals() compares members in any order and items in theirs", () => {
  assertEquals(jsonEquals({ a: 1, b: { c: [1] } }, { b: { c: [1] }, a: 1 }), true);
  for (
    const [left, right] of [[[1, 2], [2, 1]], [{ a: 1 }, { a: 1, b: 1 }], [{ a: 1 }, { b: 1 }], [
      [],
      {},
    ], [
      null,
      {},
    ], [1, "1"]]
  ) {
    assertEquals(jsonEquals(left, right), false);
  }
});
