import { assert, assertEquals, assertThrows } from "@std/assert";
import { AdapterError } from "../../src/base/errors.ts";
import { WorkLedger } from "../../src/runs/work_ledger.ts";

const run = (id: string, acquiredBy: string | null = "u", uncertain = false) => ({
  id,
  acquiredBy,
  uncertain,
});

Deno.test("work: rows are sorted and carry exactly their four fields", () => {
  const { resources } = new WorkLedger().snapshot([run("b", "u2", true), run("a", "u1")]);
  assertEquals(resources, [
    { kind: "claude.run", id: "a", acquired_by: "u1", state: "active" },
    { kind: "claude.run", id: "b", acquired_by: "u2", state: "uncertain" },
  ]);
});

Deno.test("work: the revision is equal while the set is equal and grows when it changes", () => {
  const ledger = new WorkLedger();
  const first = ledger.snapshot([]).revision;
  assertEquals(ledger.snapshot([]).revision, first);
  const second = ledger.snapshot([run("a")]).revision;
  assert(second > first);
  assertEquals(ledger.snapshot([run("a")]).revision, second);
  assert(ledger.snapshot([run("a", "u", true)]).revision > second);
});

Deno.test("work: an unbound run makes it unavailable and keeps the last revision", () => {
  const ledger = new WorkLedger();
  const { revision } = ledger.snapshot([run("a")]);
  const error = assertThrows(() => ledger.snapshot([run("a"), run("b", null)]), AdapterError);
  assertEquals(error.code, "work_unavailable");
  assertEquals(ledger.snapshot([run("a")]).revision, revision);
});
