/**
 * From how a turn went to the error it failed with. Pure.
 *
 * @module
 */
import { AdapterError, type ErrorCode } from "../base/errors.ts";
import { TURN_WORDING } from "../runs/wording.ts";
import { roundError, type RoundFacts } from "../threads/round_error.ts";
import { NativeError } from "../threads/thread_error.ts";

/** What is known of a failure besides its message. */
export interface TurnFailure {
  /** A word of the CLI for it, such as `error_max_turns`; `null` when it ended without one. */
  readonly subtype: string | null;
  /** The HTTP status of the API; `null` when it failed without an answer, or was not what failed. */
  readonly status: number | null;
  /** Whether the same turn may go well later: the API was overloaded, out of order or out of reach. */
  readonly retryable: boolean;
}

/** A turn failed on the model's side: codes `vendor_failed` and `context_overflow`. */
export class TurnFailed extends AdapterError implements TurnFailure {
  /** Always `TurnFailed`. */
  override readonly name: string = "TurnFailed";
  /** See {@linkcode TurnFailure}. */
  readonly subtype: string | null;
  /** See {@linkcode TurnFailure}. */
  readonly status: number | null;
  /** See {@linkcode TurnFailure}. */
  readonly retryable: boolean;

  /** Makes the error. */
  constructor(code: ErrorCode, message: string, failure: TurnFailure) {
    super(code, message);
    this.subtype = failure.subtype;
    this.status = failure.status;
    this.retryable = failure.retryable;
  }
}

/** What the CLI ends a turn with whose prompt is too long for the model (measured). */
const TOO_LONG = "prompt_too_long";

/** The error that a turn failed with, or `null` when it went well. */
export function turnError(facts: RoundFacts): AdapterError | null {
  const error = roundError({ ...facts, wording: TURN_WORDING });
  if (!(error instanceof NativeError)) return error;
  const { primary } = facts.record;
  const isTooLong = primary !== null && primary.terminalReason === TOO_LONG;
  const code = isTooLong ? "context_overflow" : "vendor_failed";
  const failed = new TurnFailed(code, error.message, error);
  failed.answer = error.answer;
  return failed;
}
