/**
 * The tools that look at, stop or forget runs.
 *
 * @module
 */
import {
  EVENTS_ARGUMENTS,
  LIST_ARGUMENTS,
  RESULT_ARGUMENTS,
  RUN_ID_ARGUMENTS,
} from "../contract/handle_schema.ts";
import {
  CANCEL_OUTPUT,
  LIST_OUTPUT,
  PAGE_OUTPUT,
  RELEASE_OUTPUT,
  RUN_OUTPUT,
} from "./output_schemas.ts";
import type { ToolCall, ToolEntry } from "./tool_entry.ts";

/** Every retained run. */
export const LIST_TOOL: ToolEntry = {
  name: "claude.run.list",
  title: "List Claude Code runs",
  description:
    "Lists the runs this server keeps, oldest first: run_id, state, session_id, and for a live run " +
    "what it is doing. Use it to find a run whose answer was lost, and before starting a task again. " +
    "At most 32 runs are kept; a new run makes room by forgetting the oldest settled one.",
  risk: "read-only",
  continues: false,
  inputSchema: LIST_ARGUMENTS.jsonSchema,
  outputSchema: LIST_OUTPUT,
  call: ({ engine, args }: ToolCall) => {
    LIST_ARGUMENTS.parse(args);
    return { runs: engine.list() };
  },
};

/** A run's outcome, now or when it comes. */
export const RESULT_TOOL: ToolEntry = {
  name: "claude.run.result",
  title: "Get a Claude Code run's result",
  description:
    "Tells how a run stands. With wait_seconds (up to 50) it waits for the end and answers as soon " +
    "as the run settles; call it again while completed is false. A settled run comes with result, " +
    "session_id, cost, denied permissions and the first page of the events still kept; a failed one is an error with a code " +
    "and advice. Reading a result does not forget it: use claude.run.release for that.",
  risk: "read-only",
  continues: true,
  inputSchema: RESULT_ARGUMENTS.jsonSchema,
  outputSchema: RUN_OUTPUT,
  call: async ({ engine, args, signal, attend }: ToolCall) => {
    const { run_id, max_events, wait_seconds } = RESULT_ARGUMENTS.parse(args);
    if (wait_seconds > 0 && !engine.info(run_id).completed) {
      await attend(run_id, () => engine.wait(run_id, { seconds: wait_seconds, signal }));
    }
    return engine.result(run_id, max_events);
  },
};

/** What happened in a run, page by page. */
export const EVENTS_TOOL: ToolEntry = {
  name: "claude.run.events",
  title: "Read a Claude Code run's events",
  description:
    "Reads the native events of a run in order, a page at a time: start with after_cursor 0, then " +
    "pass the next_cursor of each page. With wait_seconds (up to 50) an empty page waits for the " +
    "next event or the end of the run. Only the last 256 events (256 KiB) are kept: missed_events " +
    "counts what was dropped, and a very large event is replaced by a marker. Use it to follow a run " +
    "or to find out why one failed; claude.run.result has the outcome.",
  risk: "read-only",
  continues: true,
  inputSchema: EVENTS_ARGUMENTS.jsonSchema,
  outputSchema: PAGE_OUTPUT,
  call: async ({ engine, args, signal, attend }: ToolCall) => {
    const { run_id, wait_seconds, ...page } = EVENTS_ARGUMENTS.parse(args);
    // Read before waiting: a cursor from the future is an error now, not in 50 seconds.
    const first = engine.events(run_id, page);
    const isEmpty = first.events.length === 0 && !first.has_more && !first.completed;
    if (wait_seconds === 0 || !isEmpty) return first;
    const wait = { seconds: wait_seconds, signal, afterCursor: page.after_cursor };
    await attend(run_id, () => engine.wait(run_id, wait));
    return engine.events(run_id, page);
  },
};

/** Stop a run. */
export const CANCEL_TOOL: ToolEntry = {
  name: "claude.run.cancel",
  title: "Cancel a Claude Code run",
  description:
    "Asks a run to stop, with every process it started. Returns at once; call claude.run.result " +
    "with wait_seconds to see that everything is gone. What the run did so far is not undone, and " +
    "its conversation is kept: resume_session_id continues it. A run that has already settled is " +
    "left as it is (cancel_requested is false).",
  risk: "destructive",
  continues: true,
  inputSchema: RUN_ID_ARGUMENTS.jsonSchema,
  outputSchema: CANCEL_OUTPUT,
  call: ({ engine, args }: ToolCall) => engine.cancel(RUN_ID_ARGUMENTS.parse(args).run_id),
};

/** Forget a settled run. */
export const RELEASE_TOOL: ToolEntry = {
  name: "claude.run.release",
  title: "Release a Claude Code run",
  description:
    "Forgets a settled run: its result, its events and its run_id. Use it when the result is not " +
    "needed any more; note the session_id first if the conversation may be continued, since that is " +
    "kept by Claude Code itself. A live run is refused (run_active), and so is one whose clean-up " +
    "could not be confirmed (cleanup_unconfirmed).",
  risk: "destructive",
  continues: true,
  inputSchema: RUN_ID_ARGUMENTS.jsonSchema,
  outputSchema: RELEASE_OUTPUT,
  call: ({ engine, args }: ToolCall) => engine.release(RUN_ID_ARGUMENTS.parse(args).run_id),
};
