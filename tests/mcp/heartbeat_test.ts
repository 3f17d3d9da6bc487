import { assertEquals, assertRejects } from "@std/assert";
import { PROGRESS_GAP_MS, PROGRESS_INTERVAL_MS } from "../../src/base/limits.ts";
import { type HeartbeatOptions, withHeartbeat } from "../../src/mcp/heartbeat.ts";
import { FakeClock } from "../helpers/fake_clock.ts";

/** Work that a test ends, whose description it changes, and what was reported of it. */
function bench(over: Partial<HeartbeatOptions> = {}) {
  const clock = new FakeClock();
  const work = Promise.withResolvers<string>();
  const reports: [number, string][] = [];
  const waiting = new Set<() => void>();
  let what = "starting";
  const done = withHeartbeat(() => work.promise, {
    clock,
    report: (progress, message) => reports.push([progress, message]),
    describe: () => what,
    changed: (signal) =>
      new Promise((resolve) => {
        waiting.add(resolve);
        signal.addEventListener("abort", () => resolve());
      }),
    ...over,
  });
  return {
    clock,
    reports,
    work,
    done,
    becomes(next: string) {
      what = next;
      for (const wake of waiting) wake();
      waiting.clear();
    },
  };
}

Deno.test("withHeartbeat reports at once, and elapsed seconds every interval until the work is done", async () => {
  const { clock, reports, work, done } = bench();
  await clock.tick(2 * PROGRESS_INTERVAL_MS);
  work.resolve("value");
  assertEquals(await done, "value");
  await clock.tick(10 * PROGRESS_INTERVAL_MS);
  assertEquals(reports, [[0, "starting"], [5, "starting"], [10, "starting"]]);
  assertEquals(clock.pending, 0);
});

Deno.test("withHeartbeat reports a change at once when a second has passed since the last report", async () => {
  const { clock, reports, becomes, work, done } = bench();
  await clock.tick(2_000);
  becomes("thinking");
  await clock.tick(0);
  assertEquals(reports, [[0, "starting"], [2, "thinking"]]);
  work.resolve("");
  await done;
  await clock.tick(0);
  assertEquals(clock.pending, 0);
});

Deno.test("withHeartbeat reports many changes once a second, each time the newest, and none is lost", async () => {
  const { clock, reports, becomes, work, done } = bench();
  await clock.tick(0);
  for (let step = 1; step <= 40; step++) {
    becomes(`step ${step}`);
    await clock.tick(PROGRESS_GAP_MS / 10);
  }
  // The last change came within the gap: it is told when the gap is over, not at the next interval.
  await clock.tick(PROGRESS_GAP_MS);
  assertEquals(reports, [
    [0, "starting"],
    [1, "step 10"],
    [2, "step 20"],
    [3, "step 30"],
    [4, "step 40"],
  ]);
  work.resolve("");
  await done;
});

Deno.test("withHeartbeat survives a description and a notice that throw, and passes a failure on", async () => {
  const { clock, reports, work, done } = bench({
    describe: () => {
      throw new Error("gone");
    },
    changed: () => {
      throw new Error("gone");
    },
  });
  await clock.tick(PROGRESS_INTERVAL_MS);
  work.reject(new Error("broken"));
  await assertRejects(() => done, Error, "broken");
  await clock.tick(0);
  assertEquals(reports, [[0, "waiting"], [5, "waiting"]]);
  assertEquals(clock.pending, 0);
});

Deno.test("withHeartbeat without a reporter arms nothing", async () => {
  const { clock, work, done } = bench({ report: null });
  assertEquals(clock.pending, 0);
  work.resolve("value");
  assertEquals(await done, "value");
});
