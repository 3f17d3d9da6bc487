import { assert, assertEquals } from "@std/assert";
import type { FrameItem } from "../../src/frames/frame_stream.ts";
import { FrameRound, type RoundRequest } from "../../src/engine/frame_round.ts";
import { FakeClock, settle } from "../helpers/fake_clock.ts";
import { CLEAN, FakeLauncher } from "../helpers/fake_launcher.ts";

function bench(options: Partial<RoundRequest> = {}) {
  const launcher = new FakeLauncher();
  const clock = new FakeClock();
  const round = new FrameRound({
    id: "r",
    executable: "/opt/claude",
    invocation: { argv: [], stdin: null, env: {} },
    idleMs: () => 1_000,
    idleCause: (ms) => ({ code: "timeout", message: `silent for ${ms} ms` }),
    ...options,
  }, {
    launcher,
    clock,
    log: { write: () => {} },
    admission: { checks: () => Promise.resolve([]) },
  });
  return { launcher, clock, round };
}

async function texts(round: FrameRound): Promise<string[]> {
  const found: string[] = [];
  for await (const batch of round.batches()) found.push(...batch.map(text));
  return found;
}

function text(item: FrameItem): string {
  return item.kind === "frame" ? String(item.frame.n) : item.kind;
}

Deno.test("a round hands out every frame in order and ends after its clean-up", async () => {
  const { launcher, round, clock } = bench();
  const reading = texts(round);
  await settle();
  launcher.last.starts().prints({ n: 1 }, "noise\n", { n: 2 });
  await settle();
  launcher.last.prints({ n: 3 }).ends();
  assertEquals(await reading, ["1", "malformed", "2", "3"]);
  const { cause, receipts } = await round.ended;
  assertEquals([cause, receipts.exit?.code, receipts.cleanup], [null, 0, CLEAN]);
  assertEquals(clock.pending, 0, "timers");
});

Deno.test("a reader that pauses does not hold the process up, and misses nothing", async () => {
  const { launcher, round } = bench();
  const batches = round.batches();
  await settle();
  launcher.last.starts();
  for (let n = 0; n < 200; n++) {
    launcher.last.prints({ n });
    await settle();
  }
  launcher.last.ends();
  assertEquals((await round.ended).cause, null, "over before anything was taken");
  let count = 0;
  for await (const batch of batches) count += batch.length;
  assertEquals(count, 200);
});

Deno.test("a round reads no further than its reader and the bound", async () => {
  const { launcher, round, clock } = bench({ maxHeldBytes: 0 });
  const batches = round.batches();
  await settle();
  launcher.last.starts();
  for (let n = 0; n < 20; n++) {
    launcher.last.prints({ n });
    await settle();
  }
  await clock.tick(60_000);
  assertEquals(round.cause, null, "waiting for the reader is no silence");
  const first = await batches.next();
  assertEquals(first.value?.map(text), ["0"]);
  launcher.last.ends();
  let count = 1;
  for await (const batch of batches) count += batch.length;
  assertEquals(count, 20);
});

Deno.test("a round that is silent for too long is ended, and any byte starts the time again", async () => {
  const { launcher, round, clock } = bench();
  const reading = texts(round);
  await settle();
  launcher.last.starts();
  for (let n = 0; n < 5; n++) {
    await clock.tick(900);
    launcher.last.prints({ n });
    await settle();
  }
  assertEquals([round.cause, launcher.last.stops], [null, 0]);
  await clock.tick(999);
  assertEquals(round.cause, null);
  await clock.tick(1);
  assertEquals(round.cause, { code: "timeout", message: "silent for 1000 ms" });
  assertEquals(launcher.last.stops, 1);
  launcher.last.ends(143);
  assertEquals((await reading).length, 5);
});

Deno.test("a silence that is allowed is none, until the next byte", async () => {
  let bound = Infinity;
  const { launcher, round, clock } = bench({ idleMs: () => bound });
  const reading = texts(round);
  await settle();
  launcher.last.starts().prints({ n: 1 });
  await clock.tick(1_000_000);
  assertEquals(round.cause, null);
  bound = 500;
  launcher.last.prints({ n: 2 });
  await clock.tick(500);
  assertEquals(round.cause?.code, "timeout");
  launcher.last.ends(143);
  await reading;
});

Deno.test("a reader that breaks off cancels the round and waits for its end", async () => {
  const { launcher, round } = bench();
  const batches = round.batches();
  await settle();
  launcher.last.starts().prints({ n: 1 });
  await batches.next();
  launcher.last.prints({ n: 2 });
  await settle();
  const left = batches.return(undefined);
  await settle();
  assertEquals(launcher.last.stops, 1);
  launcher.last.prints(...Array.from({ length: 500 }, (_, n) => ({ n }))).ends(143);
  await left;
  assertEquals((await round.ended).cause?.code, "cancelled");
});

Deno.test("a stop does not wait for a reader that never comes", async () => {
  const { launcher, round } = bench();
  await settle();
  launcher.last.starts().prints({ n: 1 });
  await settle();
  launcher.last.prints({ n: 2 });
  await settle();
  assert(round.stop({ code: "cancelled", message: "enough" }));
  launcher.last.ends(143);
  assertEquals((await round.ended).cause?.message, "enough");
});
