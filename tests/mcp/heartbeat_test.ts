import { assertEquals, assertRejects } from "@std/assert";
import { PROGRESS_INTERVAL_MS } from "../../src/base/limits.ts";
import { withHeartbeat } from "../../src/mcp/heartbeat.ts";
import { FakeClock } from "../helpers/fake_clock.ts";

Deno.test("withHeartbeat reports elapsed seconds until the work is done", async () => {
  const clock = new FakeClock();
  const reports: [number, string][] = [];
  let finish = (_value: string): void => {};
  const work = () => new Promise<string>((resolve) => finish = resolve);
  let n = 0;
  const done = withHeartbeat(work, {
    clock,
    report: (progress, message) => reports.push([progress, message]),
    describe: () => `step ${++n}`,
  });
  await clock.tick(2 * PROGRESS_INTERVAL_MS);
  finish("value");
  assertEquals(await done, "value");
  await clock.tick(10 * PROGRESS_INTERVAL_MS);
  assertEquals(reports, [[5, "step 1"], [10, "step 2"]]);
  assertEquals(clock.pending, 0);
});

Deno.test("withHeartbeat survives a description that throws, and passes a failure on", async () => {
  const clock = new FakeClock();
  const reports: string[] = [];
  let fail = (_error: Error): void => {};
  const done = withHeartbeat(() => new Promise<void>((_, reject) => fail = reject), {
    clock,
    report: (_progress, message) => reports.push(message),
    describe: () => {
      throw new Error("gone");
    },
  });
  await clock.tick(PROGRESS_INTERVAL_MS);
  fail(new Error("broken"));
  await assertRejects(() => done, Error, "broken");
  assertEquals(reports, ["waiting"]);
  assertEquals(clock.pending, 0);
});

Deno.test("withHeartbeat without a reporter arms nothing", async () => {
  const clock = new FakeClock();
  const work = () => Promise.resolve(clock.pending);
  assertEquals(await withHeartbeat(work, { clock, report: null, describe: () => "" }), 0);
});
