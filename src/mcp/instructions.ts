/**
 * What the server tells a model about itself when it is connected.
 *
 * @module
 */

/** The `instructions` of the initialize answer. */
export const INSTRUCTIONS = `Runs the user's own Claude Code CLI as a coding agent in this \
server's working directory, without a terminal. Use claude.run.start for anything that may take \
longer than half a minute, then claude.run.result with wait_seconds until completed is true; use \
claude.run when the caller may wait (when it answers with completed false, go on with \
claude.run.result). Give a complete task: the agent cannot ask back, and denied \
permissions are reported in the result. completed means settled, not succeeded: read is_error and \
error. To continue a conversation, pass the session_id of a result as resume_session_id. run_id is \
only a handle here; release it when its result is not needed. Results carry a page of events: pass \
max_events: 1 unless you need them, since a large value may not fit into a model's context.`;
