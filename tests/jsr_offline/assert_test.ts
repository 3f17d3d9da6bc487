/**
 * Assertions that cannot fail would make every other test worthless, so each is made to fail here. The
 * failures are caught by hand: the assertions under test do not judge themselves.
 */
import {
  assert,
  assertEquals,
  assertExists,
  AssertionError,
  assertMatch,
  assertNotEquals,
  assertObjectMatch,
  assertRejects,
  assertStrictEquals,
  assertStringIncludes,
  assertThrows,
  fail,
} from "@std/assert";

const boom = () => {
  throw new TypeError("boom goes the cable");
};
const rejecting = () => Promise.reject(new TypeError("boom goes the cable"));

const HOLDS: readonly [name: string, run: () => unknown][] = [
  ["assert: true", () => assert(1)],
  ["assertEquals: deep", () => assertEquals({ a: [1, { b: NaN }] }, { a: [1, { b: NaN }] })],
  [
    "assertEquals: maps and sets",
    () => assertEquals(new Map([[1, new Set([2])]]), new Map([[1, new Set([2])]])),
  ],
  ["assertEquals: bytes", () => assertEquals(Uint8Array.of(1, 2), Uint8Array.of(1, 2))],
  ["assertNotEquals", () => assertNotEquals({ a: 1 }, { a: 2 })],
  ["assertStrictEquals: NaN", () => assertStrictEquals(NaN, NaN)],
  ["assertExists: false is a value", () => assertExists(false)],
  ["assertStringIncludes", () => assertStringIncludes("abc", "b")],
  ["assertMatch", () => assertMatch("abc", /b/)],
  [
    "assertObjectMatch",
    () => assertObjectMatch({ a: 1, b: { c: [1, { d: 2 }], e: 3 } }, { b: { c: [1, { d: 2 }] } }),
  ],
  ["assertThrows", () => assertThrows(boom)],
  ["assertThrows: class and text", () => assertThrows(boom, TypeError, "the cable")],
  ["assertThrows: superclass", () => assertThrows(boom, Error)],
  ["assertRejects: class and text", () => assertRejects(rejecting, TypeError, "the cable")],
];
for (const [name, run] of HOLDS) Deno.test(`holds: ${name}`, async () => void await run());

const FAILS: readonly [name: string, run: () => unknown][] = [
  ["assert: false", () => assert(false)],
  ["assert: empty text", () => assert("")],
  [
    "assertEquals: a deep difference",
    () => assertEquals({ a: [1, { b: 2 }] }, { a: [1, { b: 3 }] }),
  ],
  ["assertEquals: an undefined member", () => assertEquals<unknown>({ a: undefined }, {})],
  ["assertEquals: an extra member", () => assertEquals<unknown>({ a: 1, b: 2 }, { a: 1 })],
  ["assertEquals: number and text", () => assertEquals<unknown>(1, "1")],
  ["assertEquals: null and undefined", () => assertEquals<unknown>(null, undefined)],
  ["assertEquals: order of a list", () => assertEquals([1, 2], [2, 1])],
  ["assertEquals: bytes", () => assertEquals(Uint8Array.of(1), Uint8Array.of(2))],
  ["assertEquals: maps", () => assertEquals(new Map([[1, 2]]), new Map([[1, 3]]))],
  ["assertNotEquals: equal", () => assertNotEquals({ a: [1] }, { a: [1] })],
  ["assertStrictEquals: equal but another object", () => assertStrictEquals({}, {})],
  ["assertExists: null", () => assertExists(null)],
  ["assertExists: undefined", () => assertExists(undefined)],
  ["assertStringIncludes", () => assertStringIncludes("abc", "d")],
  ["assertMatch", () => assertMatch("abc", /d/)],
  ["assertObjectMatch: another value", () => assertObjectMatch({ a: { b: 1 } }, { a: { b: 2 } })],
  ["assertObjectMatch: a missing member", () => assertObjectMatch({ a: 1 }, { b: 1 })],
  ["assertObjectMatch: a missing object", () => assertObjectMatch({}, { a: { b: 1 } })],
  ["assertThrows: nothing thrown", () => assertThrows(() => {})],
  ["assertThrows: another class", () => assertThrows(boom, RangeError)],
  ["assertThrows: another text", () => assertThrows(boom, TypeError, "the rope")],
  ["assertRejects: nothing rejected", () => assertRejects(() => Promise.resolve())],
  ["assertRejects: another class", () => assertRejects(rejecting, RangeError)],
  ["assertRejects: another text", () => assertRejects(rejecting, TypeError, "the rope")],
  ["fail", () => fail()],
];
for (const [name, run] of FAILS) {
  Deno.test(`fails: ${name}`, async () => {
    let caught: unknown;
    try {
      await run();
    } catch (error) {
      caught = error;
    }
    if (!(caught instanceof AssertionError)) {
      throw new Error(`Expected an AssertionError, got ${String(caught)}`);
    }
  });
}

Deno.test("assertThrows and assertRejects give back the error", async () => {
  if (assertThrows(boom, TypeError).message !== "boom goes the cable") {
    throw new Error("other error");
  }
  const error = await assertRejects(rejecting, TypeError);
  if (error.message !== "boom goes the cable") throw new Error("other error");
});

Deno.test("a message given to an assertion is in the failure", () => {
  try {
    assertEquals(1, 2, "the reason");
  } catch (error) {
    if (error instanceof Error && error.message.includes("the reason")) return;
  }
  throw new Error("The message was lost");
});
