/**
 * One round of a thread on a real process: frames in, updates out, an error when it failed.
 *
 * @module
 */
import type { AdapterError } from "../base/errors.ts";
import { FrameRound } from "../engine/frame_round.ts";
import type { LifePorts } from "../engine/native_life.ts";
import type { Invocation } from "../contract/run_arguments.ts";
import type { CostMeter } from "../threads/cost.ts";
import { notice } from "../threads/notices.ts";
import { roundError } from "../threads/round_error.ts";
import { RoundReader } from "../threads/round_reader.ts";
import { IdleTimeout, NoConversation } from "../threads/thread_error.ts";
import type { SessionUpdate, Update } from "../threads/updates.ts";

/** What a round is started with. */
export interface RoundOptions {
  readonly invocation: Invocation;
  /** The session that was asked for. */
  readonly sessionId: string;
  /** The CLI was asked to go on with a conversation. */
  readonly resumed: boolean;
  /** Adds up what the round costs. */
  readonly costs: CostMeter;
  /** Told when a turn begins, so that the conversation is there. */
  readonly onBegun: () => void;
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
}

/**
 * Runs one round: yields what happens and returns how it ended, after its clean-up. A reader that breaks off, or an
 * abort, ends the process and everything it started first.
 */
export async function* runRound(
  options: RoundOptions,
  ports: LifePorts,
): AsyncGenerator<Update, RoundOutcome> {
  const { invocation, forwardSubagentText, signal, resumed, costs, sessionId } = options;
  const reader = new RoundReader({ resumed, forwardSubagentText, costs });
  const round = new FrameRound({
    id: crypto.randomUUID(),
    executable: ports.launcher.locate(),
    invocation,
    idleMs: () => reader.busyWith === null ? options.idleMs : options.toolIdleMs,
    idleCause: (ms) => new IdleTimeout(ms, reader.busyWith, reader.record.primary !== null),
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
        for (const update of reader.read(item)) {
          early.push(update);
          if (update.kind === "session" && update.id !== sessionId) early.push(elsewhere(update));
        }
        if (reader.record.started) options.onBegun();
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
  return { error };
}

/** As after `/clear`: what is said there, the thread does not know. */
function elsewhere({ id, turn }: SessionUpdate): Update {
  const message =
    "The CLI went over to another session; the thread's next round is in its own again, without this one";
  return { ...notice("information", message, { session_id: id }), turn };
}
