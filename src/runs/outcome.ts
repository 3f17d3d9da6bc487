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
import { RUN_WORDING, type Wording } from "./wording.ts";

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
  /** How messages speak of it. Default: as of a run. */
  readonly wording?: Wording;
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
  (facts) =>
    facts.primary !== null && facts.primary.isError
      ? nativeError(facts.primary, wordingOf(facts))
      : null,
  (facts) => facts.primary === null ? missingResult(facts) : null,
  (facts) => unhappyExit(facts),
  (facts) => cleanupCause(facts),
];

/** Decides how a run ended. */
export function decideOutcome(facts: OutcomeFacts): Outcome {
  let error: Cause | null = null;
  for (const rule of RULES) {
    error = rule(facts);
    if (error !== null) break;
  }
  const state = error === null ? "completed" : error.code === "cancelled" ? "cancelled" : "failed";
  return { state, error: shown(error), cleanupError: shown(cleanupCause(facts)) };
}

/** Whatever a cause quotes, its message is one line that is safe to print. */
function shown(cause: Cause | null): Cause | null {
  return cause === null ? null : { code: cause.code, message: visible(cause.message) };
}

function wordingOf({ wording = RUN_WORDING }: OutcomeFacts): Wording {
  return wording;
}

function nativeError(primary: PrimaryResult, { what }: Wording): Cause {
  const detail = primary.errors.length > 0 ? primary.errors.join("; ") : primary.text ?? "";
  const said = detail === ""
    ? "without saying why"
    : `: ${visibleSentence(cutText(detail, 2_000))}`;
  return {
    code: "vendor_failed",
    message: `Claude Code ended the ${what} with an error${errorWord(primary)}${
      said.startsWith(":") ? said : ` ${said}`
    }`,
  };
}

/** Of failures of the API the CLI's word is `success` (measured), which would only confuse. */
function errorWord({ subtype }: PrimaryResult): string {
  return subtype === "success" ? "" : ` (${cutText(subtype, 100)})`;
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
    }${TAKEN_ID.test(facts.stderrTail) ? `; ${wordingOf(facts).takenId}` : ""}`,
  };
}

const TAKEN_ID = /session id .{0,300} is already in use/i;

function unhappyExit(facts: OutcomeFacts): Cause | null {
  if (facts.exit !== null && facts.exit.code === 0 && facts.exit.signal === null) return null;
  return {
    code: "vendor_failed",
    message: `Claude Code reported success, but ${describeExit(facts)}${
      lastWords(facts.stderrTail)
    }; ${wordingOf(facts).answer}`,
  };
}

function cleanupCause(facts: OutcomeFacts): Cause | null {
  const { cleanup } = facts;
  if (cleanup !== null && cleanup.confirmed) return null;
  const survivors = cleanup?.survivors ?? [];
  const found = survivors.length === 0
    ? "nobody could look"
    : "still there: " + survivors.map((row) => `${row.name} (pid ${row.pid})`).join(", ");
  return {
    code: "cleanup_unconfirmed",
    message: `It is not confirmed that every process of the ${
      wordingOf(facts).what
    } is gone (${found}); check them before you start more work`,
  };
}

function describeExit(facts: OutcomeFacts): string {
  const { exit } = facts;
  if (exit === null) {
    return `its supervisor was lost, so the exit status is unknown; ${describeFound(facts)}`;
  }
  return exit.signal === null ? `exit code ${exit.code}` : `ended by ${exit.signal}`;
}

/** What the adapter found when it looked in the supervisor's place. */
function describeFound(facts: OutcomeFacts): string {
  const [{ cleanup }, { what }] = [facts, wordingOf(facts)];
  if (cleanup === null || !cleanup.confirmed) return `what is left of the ${what} is not confirmed`;
  if (cleanup.retired === 0) return `nothing of the ${what} was left`;
  const processes = cleanup.retired === 1 ? "1 process" : `${cleanup.retired} processes`;
  return `${processes} of the ${what} had to be ended, and nothing is left`;
}

function lastWords(stderr: string): string {
  const line = stderr.trimEnd().split("\n").at(-1)?.trim() ?? "";
  return line === "" ? "" : `: ${visibleSentence(cutText(line, 500))}`;
}
