/**
 * The life of a run as a table: phase x event -> next phase.
 *
 * ```
 * starting ──started──▶ running ──stop──▶ stopping
 *     │                    │                 │
 *     └──────cleaned───────┴────cleaned──────┘──▶ draining ──drained──▶ settled
 * ```
 *
 * @module
 */

/** Where a run stands inside. */
export type Phase =
  /** Reserved; supervisor, version check and spawn are under way. */
  | "starting"
  /** The native process runs. */
  | "running"
  /** Somebody asked for its end: a cancel, the deadline, or a fault in its stream. */
  | "stopping"
  /** Clean-up is confirmed or given up; what is left in the pipe is read. */
  | "draining"
  /** Nothing more happens. Only now do callers see `completed`. */
  | "settled";

/** What can happen to a run. */
export type PhaseEvent = "started" | "stop" | "cleaned" | "drained";

type Row = Readonly<Record<PhaseEvent, Phase>>;

const NEXT: Readonly<Record<Phase, Row>> = {
  starting: { started: "running", stop: "stopping", cleaned: "draining", drained: "starting" },
  running: { started: "running", stop: "stopping", cleaned: "draining", drained: "running" },
  // A supervisor may report the start after it was told to stop: that does not undo the stop.
  stopping: { started: "stopping", stop: "stopping", cleaned: "draining", drained: "stopping" },
  // Nothing is left to stop while the pipe is drained; a fault found there is only recorded.
  draining: { started: "draining", stop: "draining", cleaned: "draining", drained: "settled" },
  settled: { started: "settled", stop: "settled", cleaned: "settled", drained: "settled" },
};

/** The phase after `event`; events that mean nothing in a phase leave it as it is. */
export function nextPhase(phase: Phase, event: PhaseEvent): Phase {
  return NEXT[phase][event];
}

/** Every phase, in order. */
export const PHASES: readonly Phase[] = ["starting", "running", "stopping", "draining", "settled"];
/** Every event. */
export const PHASE_EVENTS: readonly PhaseEvent[] = ["started", "stop", "cleaned", "drained"];
