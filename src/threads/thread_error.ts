/**
 * What can go wrong in a round, as errors that say by their class what to do.
 *
 * @module
 */
import { AdapterError, type ErrorCode } from "../base/errors.ts";

/** An error of a thread. Everything else that a thread throws is a plain {@linkcode AdapterError}. */
export class ThreadError extends AdapterError {
  /** The name of the class. */
  override readonly name: string;

  /** Makes an error of a class by its name. */
  constructor(name: string, code: ErrorCode, message: string) {
    super(code, message);
    this.name = name;
  }
}

/** The CLI is not logged in, or its key or token is not accepted: code `authentication_required`. */
export class AuthenticationRequired extends ThreadError {
  /** The HTTP status, such as 401; `null` when nothing was asked because there is no login. */
  readonly status: number | null;

  /** Makes the error. */
  constructor(message: string, status: number | null = null) {
    super("AuthenticationRequired", "authentication_required", message);
    this.status = status;
  }
}

/** A usage, rate or credit limit was reached: code `usage_limited`. */
export class UsageLimited extends ThreadError {
  /** When the limit resets, in Unix seconds; `null` when the CLI did not say. */
  readonly resetsAt: number | null;
  /** The HTTP status, mostly 429; `null` when there was none. */
  readonly status: number | null;

  /** Makes the error. */
  constructor(
    message: string,
    facts: { readonly resetsAt?: number | null; readonly status?: number | null } = {},
  ) {
    super("UsageLimited", "usage_limited", message);
    this.resetsAt = facts.resetsAt ?? null;
    this.status = facts.status ?? null;
  }
}

/** The facts of a {@linkcode NativeError}. */
export interface NativeErrorFacts {
  /** As in {@linkcode NativeError}. */
  readonly status: number | null;
  /** As in {@linkcode NativeError}. */
  readonly retryable: boolean;
  /** As in {@linkcode NativeError}. */
  readonly subtype: string | null;
}

/** The CLI ended without a usable answer, or with an error of its own: code `vendor_failed`. */
export class NativeError extends ThreadError {
  /** The HTTP status of the API; `null` when it failed without an answer, or was not what failed. */
  readonly status: number | null;
  /**
   * Whether the same message may go through later: the API was overloaded, out of order or out of reach. The CLI has
   * tried ten times by then. `false` for requests that are wrong, for limits of turns and costs, and for what is unknown.
   */
  readonly retryable: boolean;
  /** The result's subtype, such as `error_max_turns`; `success` for API failures; `null` without a result. */
  readonly subtype: string | null;

  /** Makes the error. */
  constructor(message: string, { status, retryable, subtype }: NativeErrorFacts) {
    super("NativeError", "vendor_failed", message);
    this.status = status;
    this.retryable = retryable;
    this.subtype = subtype;
  }
}

/** The CLI was silent for too long and was stopped: code `timeout`. */
export class IdleTimeout extends ThreadError {
  /** The bound in milliseconds. */
  readonly idleMs: number;

  /** Whether the whole answer had come before the silence: then sending the message again would say it twice. */
  readonly answered: boolean;

  /** Makes the error; `during` says what ran, such as `a tool`. */
  constructor(idleMs: number, during: string | null = null, answered = false) {
    super(
      "IdleTimeout",
      "timeout",
      `Claude Code was silent for ${seconds(idleMs)}${
        during === null ? "" : ` while ${during} ran`
      }, which is the idle bound, so the round was stopped; raise the bound${
        answered
          ? " (its answer had come, and is in the conversation)"
          : ", or send the message again"
      }`,
    );
    this.idleMs = idleMs;
    this.answered = answered;
  }
}

/** Another round of this thread, or a run that resumes it, is under way, here or elsewhere: code `session_busy`. */
export class ThreadBusy extends ThreadError {
  /** The native session. */
  readonly sessionId: string;
  /** The process that has it; `null` when unknown, as when it is in another container or on another machine. */
  readonly pid: number | null;
  /** Since when it has it, Unix milliseconds by its own clock; `null` when unknown. */
  readonly since: number | null;

  /** Makes the error. */
  constructor(
    sessionId: string,
    holder: { readonly pid?: number | null; readonly since?: number | null } = {},
  ) {
    const { pid = null, since = null } = holder;
    const who = [
      pid === null ? "" : `in process ${pid}`,
      since === null ? "" : `since ${new Date(since).toISOString()}`,
    ].filter((part) => part !== "").join(" ");
    super(
      "ThreadBusy",
      "session_busy",
      `Another round or run is using this conversation${
        who === "" ? "" : ` (${who})`
      }; two at once would lose a turn, so wait for its end`,
    );
    this.sessionId = sessionId;
    this.pid = pid;
    this.since = since;
  }
}

/** There is no conversation to go on with: code `resume_failed`. It leads to a fresh session, and nothing else does. */
export class NoConversation extends ThreadError {
  /** Makes the error. */
  constructor(message: string) {
    super("NoConversation", "resume_failed", message);
  }
}

/**
 * The id of a fresh session is taken, so the conversation exists after all: code `session_busy`. Somebody else began it
 * at the same moment, or an earlier round failed in it (measured: a failed first round keeps its id). Resuming works.
 */
export class SessionTaken extends ThreadError {
  /** Makes the error. */
  constructor(message: string) {
    super("SessionTaken", "session_busy", message);
  }
}

function seconds(ms: number): string {
  return ms % 1000 === 0 ? `${ms / 1000} s` : `${ms} ms`;
}
