import { assertEquals } from "@std/assert";
import { encodeUtf8 } from "../../src/base/json.ts";
import { isRequestId, readIncoming } from "../../src/mcp/incoming.ts";

/** What a line is, in short: its kind, and for an error its code and id. */
function read(line: string | Uint8Array): string {
  const incoming = readIncoming(typeof line === "string" ? encodeUtf8(line) : line);
  return incoming.kind === "invalid"
    ? `${incoming.code} ${JSON.stringify(incoming.id)}`
    : incoming.kind;
}

const CASES: readonly (readonly [line: string | Uint8Array, expected: string])[] = [
  ["", "blank"],
  ["  \t\r", "blank"],
  ["{", "-32700 null"],
  ["nope", "-32700 null"],
  [`{"jsonrpc":"2.0","id":1,"method":"ping"}{`, "-32700 null"],
  [`{'jsonrpc':'2.0'}`, "-32700 null"],
  [Uint8Array.of(0x7b, 0xff, 0x7d), "-32700 null"],
  [Uint8Array.of(0x22, 0xc3, 0x28, 0x22), "-32700 null"],
  // A surrogate half as UTF-8 bytes.
  [Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22), "-32700 null"],
  ["null", "-32600 null"],
  ["5", "-32600 null"],
  [`"x"`, "-32600 null"],
  ["[]", "-32600 null"],
  [`[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, "-32600 null"],
  ["{}", "-32600 null"],
  [`{"id":3,"method":"ping"}`, "-32600 3"],
  [`{"jsonrpc":"1.0","id":"a","method":"ping"}`, `-32600 "a"`],
  [`{"jsonrpc":2.0,"id":3,"method":"ping"}`, "-32600 3"],
  [`{"jsonrpc":"2.0","id":3}`, "-32600 3"],
  [`{"jsonrpc":"2.0","id":3,"method":5}`, "-32600 3"],
  [`{"jsonrpc":"2.0","method":5}`, "-32600 null"],
  [`{"jsonrpc":"2.0","id":3,"method":null,"result":{}}`, "-32600 3"],
  [`{"jsonrpc":"2.0","id":null,"method":"ping"}`, "-32600 null"],
  [`{"jsonrpc":"2.0","id":1.5,"method":"ping"}`, "-32600 null"],
  [`{"jsonrpc":"2.0","id":true,"method":"ping"}`, "-32600 null"],
  [`{"jsonrpc":"2.0","id":"","method":"ping"}`, "-32600 null"],
  [`{"jsonrpc":"2.0","id":{},"method":"ping"}`, "-32600 null"],
  [`{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}`, "-32600 null"],
  [`{"jsonrpc":"2.0","id":1,"result":{}}`, "response"],
  [`{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":""}}`, "response"],
  [`{"jsonrpc":"2.0","method":"notifications/x","params":5}`, "notification"],
  [`{"jsonrpc":"2.0","method":""}`, "notification"],
  [`{"jsonrpc":"2.0","id":1,"method":"ping"}\r`, "request"],
  [`\ufeff{"jsonrpc":"2.0","id":1,"method":"ping"}`, "request"],
  [` {"method":"ping","id":"1","jsonrpc":"2.0","extra":[]}`, "request"],
  [`{"jsonrpc":"2.0","id":1.0,"method":"ping"}`, "request"],
  [`{"jsonrpc":"2.0","id":-9007199254740991,"method":"ping"}`, "request"],
];

Deno.test("readIncoming tells requests, notifications, responses and every kind of invalid line apart", () => {
  for (const [line, expected] of CASES) assertEquals(read(line), expected, String(line));
});

Deno.test("readIncoming survives a line that is nothing but nesting", () => {
  assertEquals(read("[".repeat(500_000)), "-32700 null");
  assertEquals(read("[".repeat(500_000) + "]".repeat(500_000)), "-32600 null");
});

Deno.test("isRequestId counts characters, not UTF-16 units", () => {
  assertEquals(isRequestId("x".repeat(256)), true);
  assertEquals(isRequestId("x".repeat(257)), false);
  assertEquals(isRequestId("\u{1F600}".repeat(256)), true);
  assertEquals(isRequestId("\u{1F600}".repeat(257)), false);
  assertEquals(isRequestId("x".repeat(1_000_000)), false);
});
