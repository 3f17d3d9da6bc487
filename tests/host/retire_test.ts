/** The look that says that nothing is left is a quick one, and nobody is signalled for what it says. */
import { assertEquals } from "@std/assert";
import { retire, type RetirePorts } from "../../src/host/retire.ts";
import type { Ownership } from "../../src/supervision/ownership.ts";
import type { LookKind } from "../../src/supervision/process_row.ts";
import { FakeClock } from "../helpers/fake_clock.ts";
import { lookOf, row } from "../supervision/rows.ts";

const SUPERVISOR = 100;
const NATIVE = 101;

function ports(looks: readonly (Ownership | "fails")[]) {
  const clock = new FakeClock();
  const kinds: LookKind[] = [];
  const signals: string[] = [];
  const made: RetirePorts = {
    clock,
    kill: (target, signal) => void signals.push(`${signal} ${target}`),
    look: (kind = "full") => {
      const found = looks[Math.min(kinds.length, looks.length - 1)]!;
      kinds.push(kind);
      return found === "fails"
        ? Promise.reject(new Error("no look"))
        : Promise.resolve({ look: lookOf([...found.owned, ...found.foreign]), found });
    },
  };
  const ends = async (from: "settle" | "term_group") => {
    const work = retire(made, { from, group: SUPERVISOR, native: NATIVE, leaders: [SUPERVISOR] });
    let isDone = false;
    void work.then(() => isDone = true);
    for (let ms = 0; ms < 10_000 && !isDone; ms += 25) await clock.tick(25);
    return await work;
  };
  return { kinds, signals, ends };
}

const CLEAR: Ownership = { owned: [], foreign: [] };
const LEFT = row(200);

Deno.test("retire: after a normal end that left nothing one quick look is all", async () => {
  const { kinds, signals, ends } = ports([CLEAR]);
  const { cleanup, rung } = await ends("settle");
  assertEquals(cleanup, { confirmed: true, retired: 0, escalated: false, survivors: [] });
  assertEquals([rung, kinds, signals], ["settle", ["quick"], []]);
});

Deno.test("retire: what a quick look sees is looked at in full before anybody is signalled", async () => {
  // A quick look takes everything for its user's own; the full one knows better.
  const { kinds, signals, ends } = ports([
    { owned: [LEFT], foreign: [] },
    { owned: [], foreign: [{ ...LEFT, uid: 0 }] },
  ]);
  const { cleanup } = await ends("settle");
  assertEquals([cleanup.confirmed, cleanup.survivors.length, signals], [false, 1, []]);
  assertEquals([kinds[0], new Set(kinds.slice(1))], ["quick", new Set(["full"])]);
});

Deno.test("retire: what goes by itself after the quick look is not signalled", async () => {
  const { kinds, signals, ends } = ports([{ owned: [LEFT], foreign: [] }, CLEAR]);
  assertEquals((await ends("settle")).cleanup.confirmed, true);
  assertEquals([kinds, signals], [["quick", "full"], []]);
});

Deno.test("retire: a quick look that fails confirms nothing", async () => {
  const blind = ports(["fails"]);
  assertEquals((await blind.ends("settle")).cleanup.confirmed, false);
  const once = ports(["fails", CLEAR]);
  assertEquals((await once.ends("settle")).cleanup.confirmed, true);
  assertEquals(once.kinds, ["quick", "full"]);
});

Deno.test("retire: a stop looks in full from the start", async () => {
  const { kinds, ends } = ports([CLEAR]);
  assertEquals((await ends("term_group")).cleanup.confirmed, true);
  assertEquals(kinds, ["full"]);
});
