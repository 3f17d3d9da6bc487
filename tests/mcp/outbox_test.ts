import { assertEquals } from "@std/assert";
import { PEER_STALL_MS } from "../../src/base/limits.ts";
import { Outbox, type OutboxFault } from "../../src/mcp/outbox.ts";
import { FakeClock } from "../helpers/fake_clock.ts";

/** A sink that takes each piece when the test says so. */
function open() {
  const clock = new FakeClock();
  const pieces: { bytes: Uint8Array; take: () => void; fail: (error: Error) => void }[] = [];
  const faults: OutboxFault[] = [];
  const outbox = new Outbox({
    output: {
      write: (bytes) =>
        new Promise((resolve, reject) => pieces.push({ bytes, take: resolve, fail: reject })),
    },
    clock,
    onFault: (fault) => faults.push(fault),
  });
  const takeNext = async () => {
    pieces[pieces.length - 1]?.take();
    await new Promise((resolve) => setTimeout(resolve, 0));
  };
  return { clock, pieces, faults, outbox, takeNext };
}

Deno.test("Outbox writes in order, large messages in pieces, one at a time", async () => {
  const { outbox, pieces, takeNext, faults, clock } = open();
  outbox.push(new Uint8Array(40_000).fill(1));
  outbox.push(Uint8Array.of(2));
  while (outbox.queuedBytes > 0) await takeNext();
  assertEquals(pieces.map(({ bytes }) => [bytes[0], bytes.length]), [
    [1, 16_384],
    [1, 16_384],
    [1, 7_232],
    [2, 1],
  ]);
  await outbox.flushed();
  assertEquals(faults, []);
  assertEquals(clock.pending, 0);
});

Deno.test("Outbox takes a slow peer for alive and a silent one for gone", async () => {
  const { outbox, takeNext, faults, clock } = open();
  outbox.push(new Uint8Array(100_000));
  for (let i = 0; i < 5; i++) {
    await clock.tick(PEER_STALL_MS - 1);
    await takeNext();
  }
  assertEquals(faults, []);
  await clock.tick(PEER_STALL_MS);
  assertEquals(faults, ["peer_stalled"]);
  await outbox.flushed();
  assertEquals(outbox.queuedBytes, 0);
});

Deno.test("Outbox reports a failed write once and drops what follows", async () => {
  const { outbox, pieces, faults, clock } = open();
  outbox.push(Uint8Array.of(1));
  outbox.push(Uint8Array.of(2));
  pieces[0]?.fail(new Error("Broken pipe"));
  await outbox.flushed();
  outbox.push(Uint8Array.of(3));
  assertEquals(faults, ["output_failed"]);
  assertEquals(pieces.length, 1);
  assertEquals(clock.pending, 0);
});

Deno.test("Outbox.room waits only while more than 2 MiB are queued", async () => {
  const { outbox, takeNext } = open();
  outbox.push(new Uint8Array(2 * 1024 * 1024));
  await outbox.room();
  outbox.push(Uint8Array.of(1));
  let isRoom = false;
  const room = outbox.room().then(() => isRoom = true);
  await Promise.resolve();
  assertEquals(isRoom, false);
  await takeNext();
  await room;
  outbox.stop();
});

Deno.test("Outbox wakes whoever waits when it is stopped", async () => {
  const { outbox } = open();
  outbox.push(new Uint8Array(3 * 1024 * 1024));
  const waits = Promise.all([outbox.room(), outbox.flushed()]);
  outbox.stop();
  await waits;
});
