import { assert, assertEquals } from "@std/assert";
import { retire } from "../../src/host/retire.ts";
import type { RetireOptions } from "../../src/host/retire.ts";
import { CLEANUP_DEADLINE_MS } from "../../src/base/limits.ts";

const SUPERVISOR = 100;
const NATIVE = 101;

/** Retires a run whose looks all fail after so many milliseconds; the signals that were sent. */
async function retireBlindly(lookMs: number, options: Partial<RetireOptions> = {}) {
  let now = 0;
  const sent: [number, string][] = [];
  const { cleanup } = await retire({
    clock: {
      now: () => now,
      monotonic: () => now,
      after(ms, act) {
        let isWanted = true;
        queueMicrotask(() => {
          if (!isWanted) return;
          now += ms;
          act();
        });
        return () => isWanted = false;
      },
    },
    look() {
      now += lookMs;
      return Promise.reject(new Error("no look"));
    },
    kill: (target, signal) => void sent.push([target, signal]),
  }, { from: "term_group", group: SUPERVISOR, native: NATIVE, leaders: [SUPERVISOR], ...options });
  return { sent, cleanup };
}

Deno.test("retire() without eyes still kills the native process, and confirms nothing", async () => {
  for (const lookMs of [10, 1_000, 4_000]) {
    const { sent, cleanup } = await retireBlindly(lookMs);
    assertEquals(sent[0], [-SUPERVISOR, "SIGTERM"], `looks of ${lookMs} ms`);
    assert(
      sent.some(([target, signal]) => target === NATIVE && signal === "SIGKILL"),
      `looks of ${lookMs} ms: no SIGKILL within the ${CLEANUP_DEADLINE_MS} ms`,
    );
    assertEquals(cleanup.confirmed, false);
  }
});

Deno.test("retire() without eyes leaves the number of a native process alone that has ended", async () => {
  const { sent } = await retireBlindly(10, { wake: Promise.resolve() });
  assertEquals(sent.filter(([target]) => target === NATIVE), []);
});
