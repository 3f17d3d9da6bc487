/**
 * Why a run failed, in the words of the CLI itself: signed out, out of quota, no such conversation.
 *
 * The CLI says `success` with `is_error: true` for every API failure, and older versions even
 * `is_error: false` for "not logged in", so the reason is read from the error frames before the result, the
 * result itself and stderr. A model's own words are never read as a verdict: text counts only where the CLI
 * marks it as its own (an error result, a failed exit, a synthetic message).
 *
 * @module
 */
import { visibleSentence } from "../base/visible.ts";
import type { Cause } from "./outcome.ts";
import type { PrimaryResult } from "./primary_result.ts";
import { RUN_WORDING, type Wording } from "./wording.ts";

/** What the stream said about failures, apart from the result. */
export interface FailureLatch {
  /** The `error` word of the last API error message, such as `authentication_failed`. */
  readonly errorWord: string | null;
  /** When a usage limit resets (Unix seconds), from a rejected `rate_limit_event`. */
  readonly limitResetsAt: number | null;
  /** A `rate_limit_event` said that requests are rejected. */
  readonly limitRejected: boolean;
}

/** The facts a verdict is read from. */
export interface VerdictFacts {
  readonly primary: PrimaryResult | null;
  readonly latch: FailureLatch;
  /** The text of the last follow-up turn, when that turn failed. */
  readonly failedFollowUp: string | null;
  /** `null` while unknown. */
  readonly exitCode: number | null;
  readonly stderrTail: string;
  /** The run asked for an existing conversation. */
  readonly resumed: boolean;
  /** How messages speak of it. Default: as of a run. */
  readonly wording?: Wording;
}

const NO_CONVERSATION = /no conversation found|--resume requires a valid session id/i;

/** Sentences of the CLI, wherever they stand in a text that is certainly its own. */
const SIGNED_OUT = /not logged in|please run \/login|invalid api key|failed to authenticate/i;
const LIMITED = /usage limit|limit reached|hit your limit|credit balance|rejected \(429\)/i;
/** The same at the start of a line, for texts in which a model or a tool may speak too. */
const SIGNED_OUT_LINE =
  /^(not logged in|please run \/login|invalid api key|failed to authenticate)/im;
const LIMITED_LINE =
  /^(claude (ai )?usage limit|you've hit your limit|credit balance is too low)/im;

const SIGNED_OUT_WORDS: ReadonlySet<string> = new Set(["authentication_failed"]);
const LIMIT_WORDS: ReadonlySet<string> = new Set(["rate_limit", "billing_error"]);

/** The verdict, or `null` when the CLI gives none of these reasons. */
export function readVerdict(facts: VerdictFacts): Cause | null {
  const { primary, latch, wording = RUN_WORDING } = facts;
  const failed = primary === null || primary.isError ||
    (facts.exitCode !== null && facts.exitCode !== 0);
  if (!failed) return null;
  const said = facts.failedFollowUp !== null
    ? `A turn after the answer failed: ${facts.failedFollowUp}`
    : primary === null
    ? facts.stderrTail
    : primary.text ?? primary.errors.join("; ");
  const word = latch.errorWord;

  const missing = facts.resumed ? noConversation(facts) : null;
  if (missing !== null) {
    return {
      code: "resume_failed",
      message: `${
        firstLine(missing)
      } (conversations belong to the directory they were started in; start a new one or resume from there)`,
    };
  }
  // A turn or budget limit is its own reason, whatever an earlier frame said.
  if (primary !== null && primary.subtype.startsWith("error_max_")) return null;
  const own = facts.failedFollowUp !== null || (primary !== null && primary.isError);
  const [signedOut, limited] = own ? [SIGNED_OUT, LIMITED] : [SIGNED_OUT_LINE, LIMITED_LINE];
  if (word === null ? signedOut.test(said) : SIGNED_OUT_WORDS.has(word)) {
    return {
      code: "authentication_required",
      message: `${firstLine(said)} (${wording.login})`,
    };
  }
  const refused = latch.limitRejected || primary?.apiErrorKind === "usage_limit_reached";
  if (refused || (word === null ? limited.test(said) : LIMIT_WORDS.has(word))) {
    const resetsAt = limitReset(facts);
    const reset = resetsAt === null
      ? "wait for the limit to reset or raise it, then try again"
      : `the limit resets at ${isoSeconds(resetsAt)}`;
    return { code: "usage_limited", message: `${firstLine(said)} (${reset})` };
  }
  return null;
}

/**
 * What says that there is no such conversation, or `null`. The CLI says it in the `errors` of a result without an answer
 * or on stderr (measured: older versions only in the one, `json` only on the other), and never in an answer: that is the
 * model's, or the API's.
 */
function noConversation({ primary, failedFollowUp, stderrTail }: VerdictFacts): string | null {
  if (
    failedFollowUp !== null || (primary !== null && (!primary.isError || primary.text !== null))
  ) {
    return null;
  }
  const errors = primary === null ? "" : primary.errors.join("; ");
  return [errors, stderrTail].find((said) => NO_CONVERSATION.test(said)) ?? null;
}

/**
 * When a usage limit resets, in Unix seconds, or `null` when nobody said so. Older versions write it behind the sentence
 * of an error result: `Claude AI usage limit reached|1760000000`.
 */
export function limitReset({ primary, latch }: VerdictFacts): number | null {
  if (latch.limitResetsAt !== null) return latch.limitResetsAt;
  const text = primary !== null && primary.isError ? primary.text ?? "" : "";
  const digits = /^Claude (?:AI )?usage limit reached\|(\d{9,11})\s*$/i.exec(text)?.[1];
  return digits === undefined ? null : Number(digits);
}

function firstLine(text: string): string {
  const line = text.trim().split("\n")[0]!.trim();
  return line === "" ? "Claude Code gave no reason" : visibleSentence(line.slice(0, 500));
}

function isoSeconds(seconds: number): string {
  // Out-of-range numbers make an invalid date, whose text form throws.
  return Math.abs(seconds) < 8.64e12 ? new Date(seconds * 1000).toISOString() : String(seconds);
}
