import { assertEquals, assertRejects } from "@std/assert";
import { AdapterError } from "../../src/base/errors.ts";
import {
  MAX_THREAD_PATH_CHARS,
  THREAD_NAMESPACE,
  threadSessionId,
  uuidV5,
} from "../../src/threads/session_id.ts";

const DNS = "6ba7b810-9dad-11d1-80b4-00c04fd430c8";
const URL_SPACE = "6ba7b811-9dad-11d1-80b4-00c04fd430c8";

const VECTORS: readonly (readonly [namespace: string, name: string, id: string])[] = [
  [DNS, "www.example.com", "2ed6657d-e927-568b-95e1-2665a8aea6a2"], // RFC 9562, A.4
  [DNS, "python.org", "886313e1-3b8a-5372-9b90-0c9aee199e5d"],
  [URL_SPACE, "http://www.ietf.org/rfc/rfc4122.txt", "d0690b3c-b29d-52e7-81b0-d573b503f2d4"],
  [DNS, "claude-code-adapter/threads", THREAD_NAMESPACE],
];
for (const [namespace, name, id] of VECTORS) {
  Deno.test(`version 5 UUID of ${name}`, async () => {
    assertEquals(await uuidV5(namespace, name), id);
    assertEquals(await uuidV5(namespace.toUpperCase(), name), id);
    assertEquals(await threadSessionId(name, { namespace }), id);
  });
}

Deno.test("a path has one id, and two paths have two", async () => {
  const paths = ["a", "A", "a ", "a/", "a//", "é", "e\u0301", "😀", "x".repeat(1_024), "\n."];
  const ids = await Promise.all(paths.map((path) => threadSessionId(path)));
  assertEquals(new Set(ids).size, paths.length);
  assertEquals(await Promise.all(paths.map((path) => threadSessionId(path))), ids);
  assertEquals(ids[0], "08481dd6-0b96-5b2a-84ce-2b1099b5faca");
});

const REFUSED: readonly (readonly [what: string, path: unknown, says: string])[] = [
  ["no text", "", "it is empty"],
  ["white space", " \n\t", "it is empty"],
  ["10,000 characters", "x".repeat(10_000), `10000 characters, and the bound is 1024`],
  ["one too many", "x".repeat(MAX_THREAD_PATH_CHARS + 1), "the bound is 1024"],
  ["NUL", "a\0b", "a NUL character"],
  ["half a pair", "a\ud83d", "half of a surrogate pair"],
  ["a number", 7, "it must be text"],
];
for (const [what, path, says] of REFUSED) {
  Deno.test(`no thread path: ${what}`, async () => {
    const error = await assertRejects(() => threadSessionId(path as string), AdapterError, says);
    assertEquals(error.code, "invalid_arguments");
  });
}

Deno.test("a namespace is a UUID", async () => {
  for (const namespace of ["", "x", THREAD_NAMESPACE.replaceAll("-", ""), `${THREAD_NAMESPACE}0`]) {
    await assertRejects(() => threadSessionId("a", { namespace }), AdapterError, "must be a UUID");
  }
});
