/**
 * Seeded damage to bytes and to JSON values, for fuzz tests of whatever reads them.
 *
 * @module
 */
import type { JsonObject, JsonValue } from "../../src/base/json.ts";
import { isObject } from "../../src/base/json.ts";
import type { Random } from "../helpers/random.ts";

/** Values that readers tend to take for something else. */
const ODD_VALUES: readonly JsonValue[] = [
  null,
  true,
  false,
  0,
  -1,
  1e308,
  -0.5,
  9007199254740993,
  "",
  "0",
  "null",
  "\u0000",
  "\u2028\u2029\u0085",
  "\ud83d",
  "é😀",
  "x".repeat(300),
  "result",
  "success",
  "../../etc",
  [],
  {},
  [[]],
  [null],
  { type: "result" },
  { __proto__: null, length: 3, then: "x", toJSON: "y" },
];

/** Keys that mean something to a reader, to the language, or to nobody. */
const ODD_KEYS: readonly string[] = [
  "type",
  "subtype",
  "id",
  "method",
  "params",
  "message",
  "content",
  "is_error",
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "then",
  "",
  "0",
  "é",
];

/** Pieces of text that matter to a decoder, a line splitter, or a parser. */
const ODD_BYTES: readonly Uint8Array[] = [
  ...[
    "\n",
    "\r\n",
    "\r",
    "\u2028",
    "\u0085",
    "\ufeff",
    "\\",
    '"',
    '\\"',
    "\\u",
    "\\ud83d",
    "{",
    "}",
  ],
  ...["[", "]", ",", ":", "null", "1e999", '{"type":"result"}', "\u0000", "\v\f", "\u001b[2J"],
].map((text) => new TextEncoder().encode(text)).concat([
  Uint8Array.of(0xff),
  Uint8Array.of(0xc3),
  Uint8Array.of(0xf0, 0x9f, 0x98),
  Uint8Array.of(0xc0, 0x8a),
  Uint8Array.of(0xed, 0xa0, 0x80),
]);

/** A random JSON value, nested at most six deep. */
export function randomJson(random: Random, depth = 0): JsonValue {
  if (depth > 5 || random.chance(0.4)) return random.pick(ODD_VALUES);
  const size = random.int(0, 4);
  if (random.chance(0.3)) return Array.from({ length: size }, () => randomJson(random, depth + 1));
  return randomObject(random, depth);
}

/** A random JSON object. */
export function randomObject(random: Random, depth = 0): JsonObject {
  return Object.fromEntries(
    Array.from({ length: random.int(0, 5) }, () => [
      random.pick(ODD_KEYS),
      randomJson(random, depth + 1),
    ]),
  );
}

/** A copy of a value with one thing in it changed, at any depth. The value itself is left alone. */
export function mutateJson(value: JsonValue, random: Random): JsonValue {
  const inside = isObject(value) || Array.isArray(value);
  if (!inside || random.chance(0.05)) return randomJson(random, 4);
  return Array.isArray(value)
    ? mutateArray(value, random)
    : mutateObject(value as JsonObject, random);
}

function mutateArray(list: readonly JsonValue[], random: Random): JsonValue {
  const copy = [...list];
  const at = random.int(0, copy.length);
  const item = copy[at];
  const dice = random.next();
  if (item === undefined || dice < 0.2) copy.splice(at, 0, randomJson(random, 4));
  else if (dice < 0.4) copy.splice(at, 1);
  else copy[at] = mutateJson(item, random);
  return copy;
}

function mutateObject(object: JsonObject, random: Random): JsonValue {
  const entries = Object.entries(object);
  const at = random.int(0, entries.length);
  const [key, item] = entries[at] ?? [];
  const dice = random.next();
  if (key === undefined || item === undefined || dice < 0.1) {
    entries.splice(at, 0, [random.pick(ODD_KEYS), randomJson(random, 4)]);
  } else if (dice < 0.25) entries.splice(at, 1);
  else if (dice < 0.35) entries[at] = [random.pick(ODD_KEYS), item];
  else if (dice < 0.4) entries.reverse();
  else entries[at] = [key, mutateJson(item, random)];
  return Object.fromEntries(entries);
}

/** A copy of some bytes with one to four things changed: flipped, cut, doubled, or put in between. */
export function mutateBytes(bytes: Uint8Array, random: Random): Uint8Array {
  let copy = bytes.slice();
  for (let times = random.int(1, 4); times > 0; times--) copy = damage(copy, random);
  return copy;
}

function damage(bytes: Uint8Array<ArrayBuffer>, random: Random): Uint8Array<ArrayBuffer> {
  const at = random.int(0, bytes.length);
  const end = Math.min(bytes.length, at + random.int(0, 20));
  switch (random.int(0, 4)) {
    case 0: {
      if (at < bytes.length) bytes[at] = random.int(0, 255);
      return bytes;
    }
    case 1:
      return bytes.slice(0, at); // cut short
    case 2:
      return splice(bytes, at, end, new Uint8Array()); // a part taken out
    case 3:
      return splice(bytes, at, at, bytes.subarray(at, end)); // a part doubled
    default:
      return splice(bytes, at, at, random.pick(ODD_BYTES)); // something put in
  }
}

function splice(bytes: Uint8Array, from: number, to: number, part: Uint8Array) {
  const whole = new Uint8Array(from + part.length + bytes.length - to);
  whole.set(bytes.subarray(0, from));
  whole.set(part, from);
  whole.set(bytes.subarray(to), from + part.length);
  return whole;
}
