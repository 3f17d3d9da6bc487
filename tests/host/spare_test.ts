import { assertEquals } from "@std/assert";
import { type Keepable, Spare } from "../../src/host/spare.ts";
import { FakeClock, settle } from "../helpers/fake_clock.ts";

const MINUTE_MS = 60_000;

class Kept implements Keepable {
  readonly #ended = Promise.withResolvers<void>();
  readonly ended: Promise<void> = this.#ended.promise;
  isDismissed = false;

  constructor(readonly number: number) {}

  die(): void {
    this.#ended.resolve();
  }

  dismiss(): Promise<void> {
    this.isDismissed = true;
    this.die();
    return this.ended;
  }
}

function bench(start?: (number: number) => Promise<Kept>) {
  const clock = new FakeClock();
  const started: Kept[] = [];
  const spare = new Spare<Kept>({
    clock,
    start: async () => {
      const one = new Kept(started.length);
      started.push(one);
      return await (start?.(one.number) ?? Promise.resolve(one));
    },
  });
  return { clock, started, spare };
}

Deno.test("nothing is kept before anybody needed one; a second after that one is ready, once", async () => {
  const { clock, started, spare } = bench();
  await clock.tick(10 * MINUTE_MS);
  assertEquals(started.length, 0);
  assertEquals(spare.take(), null);
  assertEquals(spare.take(), null, "they start their own");
  await clock.tick(999);
  assertEquals(started.length, 0, "the work that has begun goes first");
  await clock.tick(1);
  assertEquals(started.length, 1);
  assertEquals(spare.take(), started[0]!);
  assertEquals(spare.take(), null, "nobody gets it twice");
  await clock.tick(1_000);
  assertEquals(spare.take(), started[1]!);
});

Deno.test("one that nobody needs for five minutes is ended, and no other is started", async () => {
  const { clock, started, spare } = bench();
  spare.take();
  await clock.tick(1_000 + 5 * MINUTE_MS - 1);
  assertEquals(started.map(({ isDismissed }) => isDismissed), [false]);
  await clock.tick(1);
  assertEquals(started.map(({ isDismissed }) => isDismissed), [true]);
  await clock.tick(60 * MINUTE_MS);
  assertEquals([started.length, clock.pending, spare.take()], [1, 0, null]);
});

Deno.test("one that died is given to nobody", async () => {
  const { clock, started, spare } = bench();
  spare.take();
  await clock.tick(1_000);
  started[0]!.die();
  await settle();
  assertEquals(spare.take(), null);
  await clock.tick(1_000);
  assertEquals(spare.take(), started[1]!);
});

Deno.test("a start that fails is nobody's fault, and the next one is tried when somebody needed one", async () => {
  const { clock, started, spare } = bench((number) =>
    number === 0 ? Promise.reject(new Error("no")) : Promise.resolve(started[number]!)
  );
  spare.take();
  await clock.tick(1_000);
  assertEquals([started.length, spare.take()], [1, null]);
  await clock.tick(1_000);
  assertEquals(spare.take(), started[1]!);
});

Deno.test("closing ends the one that is ready, and the one that is being started", async () => {
  const ready = bench();
  ready.spare.take();
  await ready.clock.tick(1_000);
  await ready.spare.close();
  assertEquals(ready.started[0]!.isDismissed, true);
  ready.spare.take();
  await ready.clock.tick(MINUTE_MS);
  assertEquals([ready.started.length, ready.clock.pending], [1, 0], "nothing more is started");

  const gate = Promise.withResolvers<void>();
  const starting = bench((number) => gate.promise.then(() => starting.started[number]!));
  starting.spare.take();
  await starting.clock.tick(1_000);
  const closed = starting.spare.close();
  gate.resolve();
  await closed;
  assertEquals(starting.started[0]!.isDismissed, true);
});
