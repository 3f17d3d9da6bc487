/**
 * What the tools return, as JSON Schema. Nothing but `result` is required, because a rejected call
 * and a failed run must validate too: clients check `structuredContent` against these.
 *
 * @module
 */
import type { JsonObject } from "../base/json.ts";

const text = (description: string): JsonObject => ({ type: "string", description });
const maybeText = (description: string): JsonObject => ({ type: ["string", "null"], description });
const count = (description: string): JsonObject => ({ type: "integer", minimum: 0, description });
const flag = (description: string): JsonObject => ({ type: "boolean", description });

const ERROR: JsonObject = {
  type: "object",
  description: "Why it failed.",
  properties: { code: text("A stable code."), message: text("What was wrong and what to do.") },
  required: ["code", "message"],
};

const FAILURE = { is_error: flag("Whether the operation failed."), error: ERROR };

const INFO = {
  run_id: text("The adapter's handle of the run; not a native session id."),
  state: {
    type: "string",
    enum: ["starting", "running", "completed", "failed", "cancelled"],
    description: "Where the run stands.",
  },
  session_id: maybeText("The native session, once known: resume_session_id of a later run."),
  created_at: { type: "number", description: "Unix seconds." },
  completed: flag("Settled, which is not the same as succeeded."),
  activity: text("What a live run is doing, and for how long."),
};

const PAGE = {
  next_cursor: count("after_cursor of the next page."),
  oldest_cursor: count("The oldest event still kept."),
  has_more: flag("Whether events after this page are kept."),
  missed_events: count("Events after after_cursor that are no longer kept."),
  observed_events: count("Events so far."),
  omitted_events: count("Events kept only as a marker, because of their size."),
};

const SETTLED = {
  ...INFO,
  ...FAILURE,
  result: maybeText("The answer."),
  subtype: maybeText("The native outcome."),
  total_cost_usd: { type: ["number", "null"], description: "Running total of the native session." },
  permission_mode: maybeText("The mode that the native process reported."),
  exit_code: { type: ["integer", "null"] },
  signal: maybeText("The signal that ended the native process."),
  final_event: { type: ["object", "null"], description: "The native result event, as it came." },
  cleanup_confirmed: flag("Somebody looked, and no process of the run is left."),
  cleanup: { type: ["object", "null"], description: "What clean-up found and did." },
  native: {
    type: "object",
    description: "Version and executable of the native CLI, and what admitted it.",
  },
  cleanup_error: ERROR,
  followups: { type: "array", description: "Results of turns added after the answer." },
  background_tasks: { type: "object", description: "Background tasks left open, and stopped." },
  permission_denials: { type: "object", description: "How many tool uses were denied, and which." },
  stderr_tail: text("The end of the native standard error output, of a failed run."),
  events: { type: "array", description: "The first page of the native events still kept." },
  event_page: { type: "object", properties: PAGE },
  events_truncated: flag("Whether there are more events than these."),
};

/** A run's short form. */
export const INFO_OUTPUT: JsonObject = output({ ...INFO, ...FAILURE });
/** A settled run, or the short form of a live one. */
export const RUN_OUTPUT: JsonObject = output(SETTLED);
/** All runs. */
export const LIST_OUTPUT: JsonObject = output({
  runs: {
    type: "array",
    description: "Every retained run, oldest first.",
    items: { type: "object", properties: INFO },
  },
  ...FAILURE,
});
/** A page of events. */
export const PAGE_OUTPUT: JsonObject = output({
  ...INFO,
  ...PAGE,
  events: {
    type: "array",
    description: "Native events in order, as they came.",
    items: {
      type: "object",
      properties: { cursor: count("1-based."), event: {} },
      required: ["cursor", "event"],
    },
  },
  ...FAILURE,
});
/** What a cancellation did. */
export const CANCEL_OUTPUT: JsonObject = output({
  ...INFO,
  cancel_requested: flag("False when the run had already settled."),
  ...FAILURE,
});
/** What a release did. */
export const RELEASE_OUTPUT: JsonObject = output({
  run_id: INFO.run_id,
  released: flag("The result and its events are gone."),
  ...FAILURE,
});

function output(properties: JsonObject): JsonObject {
  return {
    type: "object",
    properties: { result: { type: "object", properties } },
    required: ["result"],
  };
}
