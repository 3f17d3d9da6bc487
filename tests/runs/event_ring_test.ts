import { assert, assertEquals, assertThrows } from "@std/assert";
import { AdapterError } from "../../src/base/errors.ts";
import { jsonBytes, type JsonValue } from "../../src/base/json.ts";
import { EventRing } from "../../src/runs/event_ring.ts";

const LIMITS = { events: 4, bytes: 1_000, eventBytes: 400 };
const describe = () => ({ type: "user", sha256: "ab" });

function filled(count: number, limits = LIMITS): EventRing {
  const ring = new EventRing(limits);
  for (let n = 1; n <= count; n++) ring.push({ n }, jsonBytes({ n }), describe);
  return ring;
}

Deno.test("a ring numbers events from 1 and pages them by cursor", () => {
  const ring = filled(3);
  assertEquals(ring.page(0, 2, 10_000), {
    events: [{ cursor: 1, event: { n: 1 } }, { cursor: 2, event: { n: 2 } }],
    next_cursor: 2,
    oldest_cursor: 1,
    has_more: true,
    missed_events: 0,
    observed_events: 3,
    omitted_events: 0,
  });
  const rest = ring.page(2, 2, 10_000);
  assertEquals(rest.events.map((row) => row.cursor), [3]);
  assertEquals([rest.next_cursor, rest.has_more], [3, false]);
  assertEquals(ring.page(3, 2, 10_000).events, []);
  assertEquals(ring.page(3, 2, 10_000).next_cursor, 3);
});

Deno.test("a ring drops the oldest by count and says how many a reader missed", () => {
  const page = filled(10).page(2, 10, 10_000);
  assertEquals(page.events.map((row) => row.cursor), [7, 8, 9, 10]);
  assertEquals([page.oldest_cursor, page.missed_events, page.observed_events], [7, 4, 10]);
});

Deno.test("a ring drops the oldest by bytes, and can become empty but for the newest", () => {
  const ring = new EventRing({ events: 100, bytes: 500, eventBytes: 400 });
  for (let n = 0; n < 50; n++) ring.push({ text: "x".repeat(180) }, 200, describe);
  const page = ring.page(0, 100, 100_000);
  assertEquals(page.events.length, 2);
  assertEquals(page.missed_events, 48);
});

Deno.test("an event above the event bound is kept as a marker with type, bytes and hash", () => {
  const ring = new EventRing(LIMITS);
  ring.push({ type: "user", big: "x".repeat(500) }, 520, describe);
  const page = ring.page(0, 1, 10_000);
  assertEquals(page.events[0]!.event, {
    omitted: true,
    reason: "event_byte_bound",
    type: "user",
    sha256: "ab",
    bytes: 520,
  });
  assertEquals(page.omitted_events, 1);
});

Deno.test("an event exactly at the event bound is kept", () => {
  const ring = new EventRing(LIMITS);
  ring.push({ a: 1 }, 400, describe);
  assertEquals(ring.page(0, 1, 10_000).omitted_events, 0);
});

Deno.test("a page is bounded by bytes, and a first event larger than that becomes a page marker", () => {
  const ring = new EventRing();
  ring.push({ type: "user", text: "x".repeat(3_000) }, 3_030, describe);
  ring.push({ type: "user", n: 2 }, 20, describe);
  const small = ring.page(0, 10, 1_024);
  assertEquals(small.events.map((row) => row.cursor), [1]);
  assertEquals((small.events[0]!.event as { reason: string }).reason, "page_byte_bound");
  assertEquals(small.has_more, true);
  assertEquals(ring.page(1, 10, 1_024).events.map((row) => row.cursor), [2]);
  assertEquals(ring.page(0, 10, 10_000).events.length, 2);
});

Deno.test("a cursor newer than the stream is an invalid_cursor that names both", () => {
  const error = assertThrows(() => filled(3).page(4, 1, 10_000), AdapterError);
  assertEquals(error.code, "invalid_cursor");
  assert(error.message.includes("is 4") && error.message.includes("event of this run is 3"));
});

Deno.test("an empty ring gives an empty page", () => {
  const page = new EventRing().page(0, 10, 10_000);
  assertEquals([page.events.length, page.next_cursor, page.oldest_cursor], [0, 0, 1]);
  assertEquals(page.has_more, false);
});

Deno.test("reading on from next_cursor sees every kept event once, whatever the bounds", () => {
  for (let seed = 1; seed <= 200; seed++) {
    let state = seed;
    const random = (n: number) => (state = (state * 1103515245 + 12345) % 2147483648) % n;
    const ring = new EventRing({ events: 1 + random(20), bytes: 2_000, eventBytes: 500 });
    const count = random(60);
    for (let n = 0; n < count; n++) {
      const event: JsonValue = { text: "y".repeat(random(600)) };
      ring.push(event, jsonBytes(event), describe);
    }
    const seen: number[] = [];
    let after = 0;
    let missed = 0;
    for (let guard = 0; guard < 200; guard++) {
      const page = ring.page(after, 1 + random(5), 1_024 + random(500));
      assert(jsonBytes(page.events) <= 1_600 + 200, "a page keeps to its bytes");
      missed += page.missed_events;
      seen.push(...page.events.map((row) => row.cursor));
      after = page.next_cursor;
      if (!page.has_more) break;
    }
    const expected = Array.from({ length: count - missed }, (_, i) => missed + i + 1);
    assertEquals(seen, expected, `seed ${seed}`);
  }
});
