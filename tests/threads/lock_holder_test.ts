import { assertEquals } from "@std/assert";
import { encodeLockHolder, readLockHolder } from "../../src/threads/lock_holder.ts";

Deno.test("who holds a lock comes back as it was, and fits into the lock's note", () => {
  const most = Number.MAX_SAFE_INTEGER;
  for (
    const holder of [
      { since: 1_796_105_205_786, process: { pid: 7, start: 12_345 }, namespace: 4_026_531_836 },
      { since: 8.64e15, process: { pid: most, start: most }, namespace: most },
      { since: 0, process: null, namespace: 0 },
    ]
  ) {
    const line = encodeLockHolder(holder);
    assertEquals(readLockHolder(line), holder);
    assertEquals([line.includes("\n"), line.length <= 159], [false, true]);
  }
});

Deno.test("a note that says nothing names nobody", () => {
  for (
    const text of [
      "",
      "{",
      "7",
      "null",
      "{}",
      '{"since":"now"}',
      '{"since":-1}',
      '{"since":8640000000000001}',
    ]
  ) {
    assertEquals(readLockHolder(text), null, text);
  }
  const odd = readLockHolder('{"since":5,"pid":"x","start":1,"namespace":null}');
  assertEquals(odd, { since: 5, process: null, namespace: 0 });
});
