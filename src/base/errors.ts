/**
 * The one error class of this program, and the stable codes it carries.
 *
 * @module
 */

/** Every `code` a caller can meet. Codes are part of the interface: none is renamed or reused. */
export type ErrorCode = RunErrorCode | TurnErrorCode;

/** What can go wrong with any native process. */
export type RunErrorCode =
  /** An argument is missing, of the wrong kind, out of bounds, or excludes another one. */
  | "invalid_arguments"
  /** The program was configured with something it cannot use, such as a relative executable path. */
  | "invalid_configuration"
  /** There is no such executable, or it may not be executed. */
  | "dependency_unavailable"
  /** The operating system refused to start the process. */
  | "startup_failed"
  /** The installed CLI is not the version the command tree was written for. */
  | "incompatible_vendor"
  /** The CLI wrote something that is not a valid stream of frames with one primary result. */
  | "invalid_vendor_response"
  /** A frame that cannot be left out (a result, or one that never ends) passed the frame bound. */
  | "frame_too_large"
  /** The final event, or a whole answer built from it, passed its bound. */
  | "result_too_large"
  /** The CLI ended without a usable answer, or its own verdict is an error with no closer code. */
  | "vendor_failed"
  /** The CLI says it is not logged in or that its key is not accepted. */
  | "authentication_required"
  /** The CLI says that a usage, rate or credit limit was reached. */
  | "usage_limited"
  /** The conversation to resume does not exist here. */
  | "resume_failed"
  /** Another active run already uses the same native session. */
  | "session_busy"
  /** The run's deadline passed. */
  | "timeout"
  /** The run was cancelled by its caller, or because the connection ended. */
  | "cancelled"
  /** Nobody could confirm that every process of the run is gone. */
  | "cleanup_unconfirmed"
  /** Too many runs are active or retained. */
  | "capacity"
  /** No retained run has this id. */
  | "unknown_run"
  /** The run has not settled yet. */
  | "run_active"
  /** The cursor is newer than the stream. */
  | "invalid_cursor"
  /** The work snapshot cannot be given: a retained run has no host invocation. */
  | "work_unavailable"
  /** A fault of this program. */
  | "internal_error";

/** What can go wrong besides when the caller's own tools are lent for a turn. */
export type TurnErrorCode =
  /** The CLI could not use the bridge to the lent tools, or the bridge could not be opened. */
  | "bridge_failed"
  /** The CLI did not begin its turn within the bound on its start. */
  | "startup_timeout"
  /** The CLI was silent for too long in the middle of its turn. */
  | "stalled"
  /** There is media that the model cannot be given, and the caller asked to be told. */
  | "unsupported_media"
  /** The CLI ended well, but without the structured output that was asked for, or with one that does not fit. */
  | "invalid_structured_output"
  /** The conversation does not fit the model's context. */
  | "context_overflow";

/**
 * An error with a stable code and a message written for the person (or model) who has to act on it.
 *
 * @example
 * ```ts
 * import { AdapterError } from "./errors.ts";
 *
 * const error = new AdapterError("unknown_run", "No retained run has the id 'x'");
 * console.assert(error.code === "unknown_run");
 * ```
 */
export class AdapterError extends Error {
  /** `AdapterError`, or the name of the closer class. */
  override readonly name: string = "AdapterError";
  /** The stable code; see {@linkcode ErrorCode}. */
  readonly code: ErrorCode;
  /**
   * The whole answer, when it had come before what failed: then the work is paid and done, and asking again would do it
   * twice. Set by threads and executors; runs have it in their settled value.
   *
   * @default {null}
   */
  answer: string | null = null;

  /** Makes an error from its code and a sentence that names what, the bound and what to do. */
  constructor(code: ErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * What a caught value means: an {@linkcode AdapterError} as it is, a permission that the runtime was not given
 * `invalid_configuration`, anything else `internal_error`.
 */
export function toAdapterError(caught: unknown): AdapterError {
  if (caught instanceof AdapterError) return caught;
  if (isMissingPermission(caught)) {
    // The runtime's own words name what is refused and the flag, such as --allow-run.
    return new AdapterError(
      "invalid_configuration",
      `A permission is missing: ${
        messageOf(caught)
      }; docs/SECURITY.md says which this program needs`,
    );
  }
  return new AdapterError("internal_error", `Internal fault: ${messageOf(caught)}`);
}

/** Whether the runtime refused something because the program was started without the flag for it. */
export function isMissingPermission(caught: unknown): boolean {
  return caught instanceof Error && caught.name === "NotCapable";
}

/** What a caught value says, to be quoted in a message of our own. Never throws, whatever was thrown. */
export function messageOf(caught: unknown): string {
  try {
    return String(caught instanceof Error ? caught.message : caught);
  } catch {
    return "something that cannot be said as text";
  }
}
