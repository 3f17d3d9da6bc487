/**
 * From the facts of a round to the error it failed with.
 *
 * @module
 */
import { AdapterError, type ErrorCode } from "../base/errors.ts";
import { type Cause, decideOutcome } from "../runs/outcome.ts";
import { limitReset, readVerdict, type VerdictFacts } from "../runs/verdict.ts";
import { ROUND_WORDING, type Wording } from "../runs/wording.ts";
import type { Cleanup } from "../supervision/receipts.ts";
import type { RoundRecord } from "./round_reader.ts";
import {
  AuthenticationRequired,
  NativeError,
  NoConversation,
  SessionTaken,
  UsageLimited,
} from "./thread_error.ts";

/** Everything a round's end depends on. */
export interface RoundFacts {
  /** What the frames said. */
  readonly record: RoundRecord;
  /** Why it was ended early; an {@linkcode AdapterError}, such as `IdleTimeout`, is the round's error as it is. */
  readonly cause: Cause | null;
  /** `null` when nobody saw the process end. */
  readonly exit: { readonly code: number; readonly signal: string | null } | null;
  /** What clean-up found; `null` when nobody looked. */
  readonly cleanup: Cleanup | null;
  /** The end of what the CLI wrote to stderr. */
  readonly stderrTail: string;
  /** The CLI was asked to go on with a conversation. */
  readonly resumed: boolean;
  /** How messages speak of it. Default: as of a round. */
  readonly wording?: Wording;
}

/** What the CLI says on stderr when a fresh session's id is in use already (measured). */
const TAKEN = /^Error: Session ID \S{1,300} is already in use/im;

/** Words for failures that pass: overload, outage, a connection that is refused or cut. */
const PASSING: ReadonlySet<string> = new Set(["server_error", "overloaded", "rate_limit"]);

/** With these the CLI's "success" holds the reason and no answer, unless it is a turn after the answer that failed. */
const NO_ANSWER: ReadonlySet<ErrorCode> = new Set([
  "authentication_required",
  "usage_limited",
  "resume_failed",
]);

/** The error that a round failed with, or `null` when it went well. */
export function roundError(facts: RoundFacts): AdapterError | null {
  const error = faultOf(facts);
  const { primary, failedFollowUp } = facts.record;
  if (error === null || primary === null || primary.isError) return error;
  if (failedFollowUp !== null || !NO_ANSWER.has(error.code)) error.answer = primary.text;
  return error;
}

function faultOf(facts: RoundFacts): AdapterError | null {
  const { record, cause, exit, cleanup, stderrTail, resumed, wording = ROUND_WORDING } = facts;
  if (cause instanceof AdapterError) return cause;
  const verdictFacts: VerdictFacts = {
    primary: record.primary,
    latch: record.latch,
    failedFollowUp: record.failedFollowUp,
    exitCode: exit?.code ?? null,
    stderrTail,
    resumed: resumed && !record.started,
    wording,
  };
  const { error, cleanupError } = decideOutcome({
    cause,
    primary: record.primary,
    exit,
    cleanup,
    verdict: readVerdict(verdictFacts),
    brokenTail: record.brokenTail,
    stderrTail,
    wording,
  });
  if (error === null) return null;
  if (cause === null && record.primary === null && record.lostResult) {
    return lostResult(facts, cleanupError);
  }
  return typed(error, facts, verdictFacts);
}

/** A result past the frame bound holds a long answer: errors are short. So the exit code has to be the verdict. */
function lostResult(
  { exit, wording = ROUND_WORDING }: RoundFacts,
  cleanupError: Cause | null,
): AdapterError | null {
  if (exit !== null && exit.code === 0 && exit.signal === null) {
    return cleanupError && new AdapterError(cleanupError.code, cleanupError.message);
  }
  return new AdapterError(
    "frame_too_large",
    `The ${wording.what} failed, and its result is too large to say why; ask for a shorter answer`,
  );
}

function typed({ code, message }: Cause, facts: RoundFacts, verdict: VerdictFacts): AdapterError {
  const { record, stderrTail } = facts;
  const status = record.primary?.apiErrorStatus ?? record.apiStatus;
  switch (code) {
    case "authentication_required":
      return new AuthenticationRequired(message, status);
    case "usage_limited":
      return new UsageLimited(message, { resetsAt: limitReset(verdict), status });
    case "resume_failed":
      return new NoConversation(message);
    case "vendor_failed": {
      if (record.primary === null && !record.started && TAKEN.test(stderrTail)) {
        return new SessionTaken(
          "The conversation of this thread was begun by somebody else at the same moment; send the message again",
        );
      }
      const subtype = record.primary?.subtype ?? null;
      return new NativeError(message, { status, subtype, retryable: isRetryable(record, status) });
    }
    default:
      return new AdapterError(code, message);
  }
}

function isRetryable({ primary, latch }: RoundRecord, status: number | null): boolean {
  if (primary === null || !primary.isError || primary.subtype !== "success") return false;
  if (status !== null) return status >= 500 || status === 408 || status === 409 || status === 429;
  return latch.errorWord !== null && PASSING.has(latch.errorWord);
}
