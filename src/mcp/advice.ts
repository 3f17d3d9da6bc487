/**
 * What a caller can do about each error code.
 *
 * @module
 */
import type { RunErrorCode } from "../base/errors.ts";

/**
 * One sentence per code, written for the model that reads the digest. A `Record`, so that a new code
 * without advice does not compile.
 */
export const ADVICE: { readonly [code in RunErrorCode]: string } = {
  invalid_arguments: "Correct the named argument and call again; nothing was started.",
  invalid_configuration:
    "Ask the user to correct the adapter's configuration: --executable or CLAUDE_CODE_EXECUTABLE must be an absolute path. Nothing was started.",
  dependency_unavailable:
    "Ask the user to install Claude Code, or to point --executable or CLAUDE_CODE_EXECUTABLE at it.",
  startup_failed:
    "The operating system refused to start a process; trying once more later can help.",
  incompatible_vendor:
    "Ask the user to install the Claude Code version that this adapter supports (the message has the command), or a newer adapter. No prompt was sent.",
  invalid_vendor_response:
    "The CLI's output cannot be trusted. What it did so far may have happened: look before starting the task again.",
  frame_too_large: "The answer was too large to read. Ask for a shorter one, or for a file.",
  result_too_large:
    "Ask for less: fewer events (max_events, limit) or a shorter answer. Events can be read in pages with claude.run.events.",
  vendor_failed:
    "Read the message and the events for the cause. What it did so far may have happened: look before starting the task again.",
  authentication_required:
    "Ask the user to log in to Claude Code (run claude and use /login) or to correct the API key; do not retry before.",
  usage_limited:
    "A usage, rate or credit limit was reached. Tell the user; retry only after the limit resets.",
  resume_failed:
    "That conversation does not exist in this directory. Check the session id, or start without resuming.",
  session_busy:
    "Another run or chat thread, here or in another program, uses that conversation. Wait for it (claude.run.result for a run of yours) or cancel it first.",
  timeout:
    "The run was stopped at its deadline. Continue it with resume_session_id when a session_id is given, or give a larger timeout_seconds.",
  cancelled:
    "The run was stopped as asked. Continue it with resume_session_id when a session_id is given.",
  cleanup_unconfirmed:
    "Processes of the run may still be alive. Tell the user; the run stays listed and cannot be released.",
  capacity:
    "Wait for a run to settle (claude.run.list, claude.run.result), cancel one, or release settled ones.",
  unknown_run:
    "Use claude.run.list for the runs there are. A run id is lost when it was released, made room for another, or the adapter restarted.",
  run_active: "Wait for it with claude.run.result, or cancel it with claude.run.cancel.",
  invalid_cursor: "Use the next_cursor of an earlier page, or 0 to begin.",
  work_unavailable: "Release the runs that were started without a host invocation.",
  internal_error: "This is a fault of the adapter; its standard error output has the details.",
};
