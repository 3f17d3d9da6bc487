import { assertEquals } from "@std/assert";
import { EventChannel } from "../../src/library/event_channel.ts";
import { settle } from "../helpers/fake_clock.ts";

const channel = () =>
  new EventChannel<number>((count) => -count, { heldBytes: 100_000, earlyBytes: 20_000 });

Deno.test("a reader gets everything in order, however long it pauses", async () => {
  const events = channel();
  const reader = events[Symbol.asyncIterator]();
  const first = reader.next();
  for (let i = 0; i < 500; i++) events.push(i);
  await settle();
  assertEquals((await first).value, 0);
  events.push(500);
  events.end();
  events.push(501);
  const rest = await Array.fromAsync({ [Symbol.asyncIterator]: () => reader });
  assertEquals(rest, Array.from({ length: 500 }, (_, i) => i + 1));
});

Deno.test("what is kept is bounded by its bytes; the reader is told where something is missing", async () => {
  const events = channel();
  const reader = events[Symbol.asyncIterator]();
  const first = reader.next();
  events.push(0);
  assertEquals((await first).value, 0);
  for (let i = 1; i <= 30; i++) events.push(i, 9_872);
  events.end();
  const rest = await Array.fromAsync({ [Symbol.asyncIterator]: () => reader });
  assertEquals(rest, [-20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30]);
});

Deno.test("one event that is larger than the bound is kept, and an end without events is one", async () => {
  const large = channel();
  large.push(1, 10);
  large.push(2, 1_000_000);
  large.end();
  assertEquals(await Array.fromAsync(large), [-1, 2]);
  const empty = channel();
  empty.end();
  assertEquals(await Array.fromAsync(empty), []);
});

Deno.test("a reader who comes late is told what is missing; one who leaves is no reader any more", async () => {
  const late = channel();
  for (let i = 0; i < 1_000; i++) late.push(i);
  late.end();
  const read = await Array.fromAsync(late);
  const kept = Math.floor(20_000 / 128);
  assertEquals([read.length, read[0], read[1]], [kept + 1, kept - 1_000, 1_000 - kept]);
  assertEquals(await Array.fromAsync(late), [], "for one reader");

  const left = channel();
  left.push(1);
  for await (const event of left) {
    assertEquals(event, 1);
    break;
  }
  for (let i = 0; i < 1_000; i++) left.push(i);
  left.end();
  assertEquals(await Array.fromAsync(left), []);
});
