import { assertEquals, assertThrows } from "@std/assert";
import { AdapterError } from "../../src/base/errors.ts";
import { admit, assertReleasable, type RetainedRun } from "../../src/runs/retention.ts";

const done = (id: string): RetainedRun => ({ id, settled: true, cleanupConfirmed: true });
const live = (id: string): RetainedRun => ({ id, settled: false, cleanupConfirmed: false });
const unsure = (id: string): RetainedRun => ({ id, settled: true, cleanupConfirmed: false });
const many = (count: number, make: (id: string) => RetainedRun) =>
  Array.from({ length: count }, (_, i) => make(`r${i}`));

Deno.test("admission: below the bounds nobody has to make room", () => {
  assertEquals(admit([]), null);
  assertEquals(admit([...many(28, done), ...many(3, live)]), null);
});

Deno.test("admission: at 32 retained the oldest settled and confirmed one makes room", () => {
  assertEquals(admit([live("a"), unsure("b"), done("c"), ...many(29, done)]), "c");
});

Deno.test("admission: a fifth active or unconfirmed run is capacity", () => {
  for (const runs of [many(4, live), [...many(2, live), ...many(2, unsure)], many(4, unsure)]) {
    const error = assertThrows(() => admit(runs), AdapterError, "the bound is 4");
    assertEquals(error.code, "capacity");
  }
});

Deno.test("admission: when nothing can make room it is capacity, and nobody is evicted", () => {
  const error = assertThrows(
    () => admit(many(3, live), { active: 9, retained: 3 }),
    AdapterError,
  );
  assertEquals(error.code, "capacity");
});

Deno.test("release: an active run is run_active, an unconfirmed one cleanup_unconfirmed", () => {
  assertEquals(assertThrows(() => assertReleasable(live("a")), AdapterError).code, "run_active");
  assertEquals(
    assertThrows(() => assertReleasable(unsure("a")), AdapterError).code,
    "cleanup_unconfirmed",
  );
  assertReleasable(done("a"));
});
