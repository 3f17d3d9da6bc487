import { assert, assertEquals } from "@std/assert";
import { soak } from "./soak.ts";

/** What a garbage collector may leave to later. */
const MAX_GROWTH_MB = 60;
/** Runtimes start a thread or open a descriptor when they first need one. */
const MAX_GROWTH = 4;

Deno.test({
  name:
    "300 runs through one adapter leave it with the descriptors, threads, children and memory it had",
  // It reads /proc.
  ignore: Deno.build.os !== "linux",
  async fn() {
    const { holdings, faults, left, exitCode } = await soak({
      runs: 300,
      warmUp: 50,
      atOnce: 4,
      looks: 5,
    });
    assertEquals(faults, []);
    assertEquals(left, []);
    assertEquals(exitCode, 0);
    const [first, ...later] = holdings;
    assert(first !== undefined && later.length === 5);
    for (const holding of later) {
      const seen = `${JSON.stringify(holding)} after ${JSON.stringify(first)}`;
      assert(holding.children <= 1, seen);
      assert(holding.descriptors <= first.descriptors + MAX_GROWTH, seen);
      assert(holding.threads <= first.threads + MAX_GROWTH, seen);
      assert(holding.residentMb <= first.residentMb + MAX_GROWTH_MB, seen);
    }
  },
});
