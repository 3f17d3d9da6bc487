/**
 * One round of a thread on a real process: frames in, updates out, an error when it failed.
 *
 * @module
 */
import type { AdapterError } from "../base/errors.ts";
import { FrameRound } from "../engine/frame_round.ts";
import type { LifePorts } from "../engine/native_life.ts";
import type { Invocation } from "../contract/run_arguments.ts";
import { CostMeter, type CostMeterOptions, type ThreadCost } from "../threads/cost.ts";
import { roundError } from "../threads/round_error.ts";
import { RoundReader } from "../threads/round_reader.ts";
import { IdleTimeout, NoConversation } from "../threads/thread_error.ts";
import type { Update } from "../threads/updates.ts";

/** What a round is started with. */
export interface RoundOptions {
  readonly invocation: Invocation;
  /** How the round begins, and what the one before left behind. */
  readonly costs: CostMeterOptions;
  readonly forwardSubagentText: boolean;
  /** The longest silence, milliseconds. */
  readonly idleMs: number;
  /** The longest silence while a tool, a background task or a compaction runs, milliseconds. */
  readonly toolIdleMs: number;
  readonly signal: AbortSignal | undefined;
}

/** What a round leaves behind. */
export interface RoundOutcome {
  readonly error: AdapterError | null;
  /** Whether the CLI had or has begun the conversation. */
  readonly begun: boolean;
  /** To be remembered when it has. */
  readonly cost: ThreadCost | null;
}

/**
 * Runs one round: yields what happens and returns how it ended, after its clean-up. A reader that breaks off, or an
 * abort, ends the process and everything it started first.
 */
export async function* runRound(
  options: RoundOptions,
  ports: LifePorts,
): AsyncGenerator<Update, RoundOutcome> {
  const { invocation, forwardSubagentText, signal } = options;
  const resumed = options.costs.start !== "fresh";
  const costs = new CostMeter(options.costs);
  const reader = new RoundReader({ resumed, forwardSubagentText, costs });
  const round = new FrameRound({
    id: crypto.randomUUID(),
    executable: ports.launcher.locate(),
    invocation,
    idleMs: () => reader.busyWith === null ? options.idleMs : options.toolIdleMs,
    idleCause: (ms) => new IdleTimeout(ms, reader.busyWith),
  }, ports);
  const abort = () =>
    void round.stop({ code: "cancelled", message: "The round was cancelled by its caller" });
  if (signal?.aborted === true) abort();
  signal?.addEventListener("abort", abort);
  // What comes before a turn begins may belong to a conversation that is not there: then the round is begun anew, and
  // nobody is to see two results.
  const early: Update[] = [];
  try {
    for await (const batch of round.batches()) {
      for (const item of batch) {
        early.push(...reader.read(item));
        if (!resumed || reader.record.started) yield* early.splice(0);
      }
    }
  } finally {
    signal?.removeEventListener("abort", abort);
  }
  const { cause, receipts } = await round.ended;
  const { exit, cleanup, stderrTail } = receipts;
  const error = roundError({ record: reader.record, cause, exit, cleanup, stderrTail, resumed });
  if (!(error instanceof NoConversation)) yield* early;
  return { error, begun: reader.record.started, cost: costs.state };
}
