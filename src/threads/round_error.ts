/**
 * From the facts of a round to the error it failed with.
 *
 * @module
 */
import { AdapterError } from "../base/errors.ts";
import { cutText } from "../base/json.ts";
import { visibleSentence } from "../base/visible.ts";
import { type Cause, decideOutcome } from "../runs/outcome.ts";
import { limitReset, readVerdict, type VerdictFacts } from "../runs/verdict.ts";
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
}

/** What the CLI says on stderr when a fresh session's id is in use already (measured). */
const TAKEN = /^Error: Session ID \S{1,300} is already in use/im;

/** Words for failures that pass: overload, outage, a connection that is refused or cut. */
const PASSING: ReadonlySet<string> = new Set(["server_error", "overloaded", "rate_limit"]);

/** The error that a round failed with, or `null` when it went well. */
export function roundError(facts: RoundFacts): AdapterError | null {
  const { record, cause, exit, cleanup, stderrTail, resumed } = facts;
  if (cause instanceof AdapterError) return cause;
  const verdictFacts: VerdictFacts = {
    primary: record.primary,
    latch: record.latch,
    failedFollowUp: record.failedFollowUp,
    exitCode: exit?.code ?? null,
    stderrTail,
    resumed: resumed && !record.started,
  };
  const { error, cleanupError } = decideOutcome({
    cause,
    primary: record.primary,
    exit,
    cleanup,
    verdict: readVerdict(verdictFacts),
    brokenTail: record.brokenTail,
    stderrTail,
  });
  if (error === null) return null;
  if (cause === null && record.primary === null && record.lostResult) {
    return lostResult(facts, cleanupError);
  }
  return typed(error, facts, verdictFacts);
}

/** A result past the frame bound holds a long answer: errors are short. So the exit code has to be the verdict. */
function lostResult({ exit }: RoundFacts, cleanupError: Cause | null): AdapterError | null {
  if (exit !== null && exit.code === 0 && exit.signal === null) {
    return cleanupError && new AdapterError(cleanupError.code, cleanupError.message);
  }
  return new AdapterError(
    "frame_too_large",
    "The round failed, and its result is too large to say why; ask for a shorter answer",
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
      if (record.primary?.isError === false) {
        return new NativeError(badEnd(facts), {
          status,
          subtype: record.primary.subtype,
          retryable: false,
        });
      }
      const subtype = record.primary?.subtype ?? null;
      return new NativeError(message, { status, subtype, retryable: isRetryable(record, status) });
    }
    default:
      return new AdapterError(code, message);
  }
}

/** The answer is whole, and the exit says that something went wrong after it. */
function badEnd({ record: { failedFollowUp }, exit, stderrTail }: RoundFacts): string {
  const keep = "the answer is in the updates that came and in the conversation";
  if (failedFollowUp !== null) {
    const said = visibleSentence(cutText(failedFollowUp, 2_000));
    return `Claude Code answered, and then a turn that it added for a background task failed: ${said} (${keep})`;
  }
  const how = exit === null
    ? "nobody saw how"
    : exit.signal === null
    ? `exit code ${exit.code}`
    : exit.signal;
  const last = stderrTail.trimEnd().split("\n").at(-1)?.trim() ?? "";
  const words = last === "" ? "" : `: ${visibleSentence(cutText(last, 500))}`;
  return `Claude Code answered, and then did not end well (${how})${words}; ${keep}, so do not send the message again`;
}

function isRetryable({ primary, latch }: RoundRecord, status: number | null): boolean {
  if (primary === null || !primary.isError || primary.subtype !== "success") return false;
  if (status !== null) return status >= 500 || status === 408 || status === 409 || status === 429;
  return latch.errorWord !== null && PASSING.has(latch.errorWord);
}
