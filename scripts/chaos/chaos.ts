/**
 * Many runs, each ended at a random moment in a random way, and a look at what is left.
 *
 * @module
 */
import { startLoopbackModel } from "../../src/loopback/mod.ts";
import { installNative } from "../native/install.ts";
import { type CycleResult, Lane, type LaneOptions } from "./lane.ts";
import { nativeScript } from "./native.ts";
import { FAKE_KINDS, NATIVE_KINDS, planCycle } from "./plan.ts";
import type { Report } from "./report.ts";
import { standIn } from "./stand_in.ts";

/** How to run. */
export interface ChaosOptions {
  readonly cycles: number;
  /** The same seed plans the same cycles. What then happens also depends on the machine's mood. */
  readonly seed: number;
  /**
   * The first cycle's number.
   *
   * @default {0}
   */
  readonly first?: number;
  /**
   * Adapters side by side; each must leave the others' runs alone.
   *
   * @default {3}
   */
  readonly lanes?: number;
  /**
   * The real CLI instead of the stand-ins.
   *
   * @default {false}
   */
  readonly native?: boolean;
  /** Called after each cycle. */
  readonly onCycle?: (result: CycleResult) => void;
}

/** Runs it. Nothing is left afterwards, whatever was found. */
export async function runChaos(options: ChaosOptions): Promise<Report> {
  const { cycles, seed, first = 0, lanes = 3, native = false } = options;
  await using model = startLoopbackModel({ script: nativeScript() });
  const lane: LaneOptions = {
    prefix: "adapter-chaos-",
    executable: native ? { path: await installNative() } : { script: standIn() },
    url: model.url,
  };
  const kinds = native ? NATIVE_KINDS : FAKE_KINDS;
  const plan = { seed, kinds, maxDelayMs: native ? 1_500 : 700 };
  const results: CycleResult[] = [];
  let next = first;
  const work = async () => {
    await using mine = await Lane.open(lane);
    while (next < first + cycles) {
      const result = await mine.cycle(planCycle(next++, plan));
      results.push(result);
      options.onCycle?.(result);
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: Math.min(lanes, cycles) }, work));
  for (const one of ended) if (one.status === "rejected") throw one.reason;
  results.sort((a, b) => a.plan.cycle - b.plan.cycle);
  return { seed, results };
}
