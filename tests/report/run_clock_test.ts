import { assertEquals } from "@std/assert";
import { elapsed, readTime, RunClock } from "../../src/report/run_clock.ts";
import { START, time } from "./events.ts";

const TIMES: readonly (readonly [unknown, number | null])[] = [
  [time(5), START + 5],
  ["2026-11-30T12:00:00+02:00", START],
  [START, START],
  ["2026-11-30", null],
  ["yesterday", null],
  ["2026-13-45T99:99:99Z", null],
  ["0001-01-01T00:00:00Z", null],
  ["9999-01-01T00:00:00Z", null],
  [`${time(0)}<script>`, null],
  [17, null],
  [-1, null],
  [1e300, null],
  [NaN, null],
  [null, null],
  [{}, null],
];

Deno.test("a time is ISO 8601 with a zone or Unix milliseconds of this age", () => {
  for (const [value, expected] of TIMES) assertEquals(readTime(value), expected, String(value));
});

Deno.test("what has no time is placed between its neighbours, and what comes first before the first time", () => {
  const clock = new RunClock();
  clock.next(undefined);
  const first = clock.now;
  clock.wait(500);
  clock.next(undefined);
  const second = clock.now;
  clock.next(time(1_000));
  const third = clock.now;
  clock.wait(200);
  const fourth = clock.now;
  const bounds = clock.bounds!;
  assertEquals(bounds, { from: START + 500, to: START + 1_200 });
  const at = [first, second, third, fourth].map((mark) => elapsed(mark, bounds.from));
  assertEquals(at, [0, 500, 500, 700]);
  assertEquals([first.step, third.step], [1, 3]);
});

Deno.test("time never goes back, and absurd waits are cut", () => {
  const clock = new RunClock();
  clock.next(time(1_000));
  clock.next(time(0));
  assertEquals(clock.now.ms, START + 1_000);
  clock.wait(1e15);
  clock.wait(-1e15);
  clock.wait(NaN);
  assertEquals(clock.now.since, 3_600_000);
});

Deno.test("without any time there are no bounds", () => {
  const clock = new RunClock();
  clock.next("soon");
  assertEquals(clock.bounds, null);
});
