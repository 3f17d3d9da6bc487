/**
 * From the facts of a run to its outcome: pure, and the only place where success is decided.
 *
 * @module
 */
import type { ErrorCode } from "../base/errors.ts";
import { cutText } from "../base/json.ts";
import { visible, visibleSentence } from "../base/visible.ts";
import type { Cleanup } from "../supervision/receipts.ts";
import type { PrimaryResult } from "./primary_result.ts";

/** The first thing that went wrong. */
export interface Cause {
  readonly code: ErrorCode;
  readonly message: string;
}

/** Everything an outcome depends on. */
export interface OutcomeFacts {
  /** The first cause recorded while the run lived; never overwritten. */
  readonly cause: Cause | null;
  readonly primary: PrimaryResult | null;
  /** What the native process said of itself when it ended; `null` when nobody saw it end. */
  readonly exit: { readonly code: number; readonly signal: string | null } | null;
  readonly cleanup: Cleanup | null;
  /** What stderr or the frames say about the reason of a missing or failed result. */
  readonly verdict: Cause | null;
  /** The stream ended inside a line that is not a frame; quoted. */
  readonly brokenTail: string | null;
  readonly stderrTail: string;
  /** Where the reader of the message finds an answer that came before a failure, as in "its answer is in …". */
  readonly answerIn: string;
}

/** How a run ended. */
export interface Outcome {
  readonly state: "completed" | "failed" | "cancelled";
  readonly error: Cause | null;
  readonly cleanupError: Cause | null;
}

/** One rule: a cause when it applies, else `null`. The first rule that applies decides. */
type Rule = (facts: OutcomeFacts) => Cause | null;

const RULES: readonly Rule[] = [
  // First cause wins: our own SIGTERM's exit code 143 is not a crash.
  (facts) => facts.cause,
  // Signed out, out of credit, no such conversation: true even where the CLI says success.
  (facts) => facts.verdict,
  (facts) => facts.primary !== null && facts.primary.isError ? nativeError(facts.primary) : null,
  (facts) => facts.primary === null ? missingResult(facts) : null,
  (facts) => unhappyExit(facts),
  (facts) => cleanupCause(facts.cleanup),
];

/** Decides how a run ended. */
export function decideOutcome(facts: OutcomeFacts): Outcome {
  let error: Cause | null = null;
  for (const rule of RULES) {
    error = rule(facts);
    if (error !== null) break;
  }
  const state = error === null ? "completed" : error.code === "cancelled" ? "cancelled" : "failed";
  return { state, error: shown(error), cleanupError: shown(cleanupCause(facts.cleanup)) };
}

/** Whatever a cause quotes, its message is one line that is safe to print. */
function shown(cause: Cause | null): Cause | null {
  return cause === null ? null : { code: cause.code, message: visible(cause.message) };
}

function nativeError(primary: PrimaryResult): Cause {
  const detail = primary.errors.length > 0 ? primary.errors.join("; ") : primary.text ?? "";
  const said = detail === ""
    ? "without saying why"
    : `: ${visibleSentence(cutText(detail, 2_000))}`;
  return {
    code: "vendor_failed",
    message: `Claude Code ended the run with an error (${cutText(primary.subtype, 100)})${
      said.startsWith(":") ? said : ` ${said}`
    }`,
  };
}

function missingResult(facts: OutcomeFacts): Cause {
  if (facts.brokenTail !== null && facts.exit?.code === 0) {
    return {
      code: "invalid_vendor_response",
      message:
        `The native output ended inside a line that is not a JSON frame: ${facts.brokenTail}`,
    };
  }
  return {
    code: "vendor_failed",
    message: `Claude Code ended without a result (${describeExit(facts)})${
      lastWords(facts.stderrTail)
    }${TAKEN_ID.test(facts.stderrTail) ? TAKEN_ID_ADVICE : ""}`,
  };
}

const TAKEN_ID = /session id .{0,300} is already in use/i;
const TAKEN_ID_ADVICE =
  "; that conversation exists: pass its id as resume_session_id to go on with it, or another session_id";

function unhappyExit(facts: OutcomeFacts): Cause | null {
  if (facts.exit !== null && facts.exit.code === 0 && facts.exit.signal === null) return null;
  return {
    code: "vendor_failed",
    message: `Claude Code reported success, but ${describeExit(facts)}${
      lastWords(facts.stderrTail)
    }; its answer is in ${facts.answerIn}`,
  };
}

function cleanupCause(cleanup: Cleanup | null): Cause | null {
  if (cleanup !== null && cleanup.confirmed) return null;
  const survivors = cleanup?.survivors ?? [];
  const found = survivors.length === 0
    ? "nobody could look"
    : "still there: " + survivors.map((row) => `${row.name} (pid ${row.pid})`).join(", ");
  return {
    code: "cleanup_unconfirmed",
    message:
      `It is not confirmed that every process of the run is gone (${found}); check them before you start more work`,
  };
}

function describeExit({ exit, cleanup }: OutcomeFacts): string {
  if (exit === null) {
    return `its supervisor was lost, so the exit status is unknown; ${describeFound(cleanup)}`;
  }
  return exit.signal === null ? `exit code ${exit.code}` : `ended by ${exit.signal}`;
}

/** What the adapter found when it looked in the supervisor's place. */
function describeFound(cleanup: Cleanup | null): string {
  if (cleanup === null || !cleanup.confirmed) return "what is left of the run is not confirmed";
  if (cleanup.retired === 0) return "nothing of the run was left";
  const processes = cleanup.retired === 1 ? "1 process" : `${cleanup.retired} processes`;
  return `${processes} of the run had to be ended, and nothing is left`;
}

function lastWords(stderr: string): string {
  const line = stderr.trimEnd().split("\n").at(-1)?.trim() ?? "";
  return line === "" ? "" : `: ${visibleSentence(cutText(line, 500))}`;
}
