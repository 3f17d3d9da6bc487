import { assertEquals } from "@std/assert";
import { EventChannel } from "../../src/library/event_channel.ts";
import { settle } from "../helpers/fake_clock.ts";

const channel = () => new EventChannel<number>((count) => -count);

Deno.test("a reader gets everything in order, and slows the writer down", async () => {
  const events = channel();
  const reader = events[Symbol.asyncIterator]();
  const first = reader.next();
  let written = 0;
  const writing = (async () => {
    for (; written < 200; written++) await events.push(written);
    events.end();
  })();
  await settle();
  assertEquals((await first).value, 0);
  await settle();
  const ahead = written;
  assertEquals(ahead > 32 && ahead < 100, true, `${ahead} ahead`);
  const rest: number[] = [];
  for (let next = await reader.next(); !next.done; next = await reader.next()) {
    rest.push(next.value);
  }
  await writing;
  assertEquals(rest, Array.from({ length: 199 }, (_, i) => i + 1));
});

Deno.test("a reader who comes late is told what is missing; one who never comes or leaves holds nobody up", async () => {
  const late = channel();
  for (let i = 0; i < 1_100; i++) await late.push(i);
  late.end();
  const read = await Array.fromAsync(late);
  assertEquals([read.length, read[0], read[1]], [1_025, -76, 76]);
  assertEquals(await Array.fromAsync(late), [], "for one reader");

  const left = channel();
  await left.push(1);
  for await (const event of left) {
    assertEquals(event, 1);
    break;
  }
  for (let i = 0; i < 1_000; i++) await left.push(i);

  const released = channel();
  const reader = released[Symbol.asyncIterator]();
  void reader.next();
  await settle();
  const writing = (async () => {
    for (let i = 0; i < 500; i++) await released.push(i);
  })();
  await settle();
  released.release();
  await writing;
});
