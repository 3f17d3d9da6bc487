import { assertEquals } from "@std/assert";
import {
  nextPhase,
  type Phase,
  PHASE_EVENTS,
  type PhaseEvent,
  PHASES,
} from "../../src/runs/run_phase.ts";

const PATHS: readonly (readonly [string, readonly PhaseEvent[], Phase])[] = [
  ["a run that ends by itself", ["started", "cleaned", "drained"], "settled"],
  ["a run that never started", ["cleaned", "drained"], "settled"],
  ["a cancelled run", ["started", "stop", "cleaned", "drained"], "settled"],
  ["a run cancelled before it started", ["stop", "started"], "stopping"],
  ["a fault found while draining", ["started", "cleaned", "stop"], "draining"],
  ["a cancel after the end", ["started", "cleaned", "drained", "stop"], "settled"],
  ["two stops", ["started", "stop", "stop"], "stopping"],
];

for (const [name, events, expected] of PATHS) {
  Deno.test(`phases: ${name} ends up ${expected}`, () => {
    assertEquals(events.reduce(nextPhase, "starting" as Phase), expected);
  });
}

Deno.test("phases: nothing ever leaves settled, and no event goes back", () => {
  for (const phase of PHASES) {
    for (const event of PHASE_EVENTS) {
      const next = nextPhase(phase, event);
      const back = PHASES.indexOf(next) < PHASES.indexOf(phase);
      assertEquals(back, false, `${phase} + ${event} -> ${next}`);
    }
  }
});

Deno.test("phases: a run is settled only after clean-up was confirmed or given up", () => {
  for (const phase of ["starting", "running", "stopping"] as const) {
    assertEquals(nextPhase(phase, "drained"), phase);
  }
});
