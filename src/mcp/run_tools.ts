/**
 * The tools that start a run.
 *
 * @module
 */
import { MAX_TIMEOUT_SECONDS } from "../base/limits.ts";
import { parseRunArguments, runArgumentsJsonSchema } from "../contract/run_schema.ts";
import { INFO_OUTPUT, RUN_OUTPUT } from "./output_schemas.ts";
import type { ToolCall, ToolEntry } from "./tool_entry.ts";

/** For clients whose model sees the value and not the text beside it. */
const NEXT_WHILE_IT_RUNS =
  "The run goes on. Call claude.run.result with this run_id and wait_seconds: 50, again until " +
  "completed is true. Do not start the task again.";

/** Start a run and wait for it. */
export const RUN_TOOL: ToolEntry = {
  name: "claude.run",
  title: "Run Claude Code and wait",
  description:
    "Gives a task to the user's own Claude Code and waits until it has finished and every process " +
    "it started is gone. Claude Code works as an agent in this server's working directory: it reads " +
    "and edits files and runs commands, as far as permission_mode and the user's settings allow. " +
    "Use it when the answer is wanted now and should take less than a minute or so; for longer tasks, " +
    "or several side by side, use claude.run.start. Returns the answer in result, session_id for " +
    "continuing with resume_session_id, the cost, denied permissions, and a first page of its events " +
    "(max_events: 1 keeps it small). When completed is false the run goes on: call " +
    "claude.run.result with its run_id and wait_seconds until completed is true. A failed run is an " +
    "error with a code and advice; the task may have been done in part, so look before repeating it. " +
    "Cancelling this call cancels the run. When the answer of this call was lost, claude.run.list " +
    "shows whether its run goes on; do not start the task again before looking.",
  risk: "full-shell",
  continues: false,
  inputSchema: runArgumentsJsonSchema,
  outputSchema: RUN_OUTPUT,
  call: async ({ engine, args, acquiredBy, signal, syncBudgetSeconds, attend }: ToolCall) => {
    const { run_id } = engine.start(parseRunArguments(args), acquiredBy);
    const cancel = (): void => {
      try {
        engine.cancel(run_id);
      } catch {
        // Released or evicted meanwhile: nothing is left to cancel.
      }
    };
    if (signal.aborted) cancel();
    else signal.addEventListener("abort", cancel, { once: true });
    try {
      return await attend(run_id, async () => {
        // Without the signal: a cancelled run is waited for too, so that nothing of it is left when
        // the call ends.
        await engine.wait(run_id, { seconds: syncBudgetSeconds ?? MAX_TIMEOUT_SECONDS });
        const info = engine.info(run_id);
        if (syncBudgetSeconds !== null && !info.completed && !signal.aborted) {
          return { ...info, next: NEXT_WHILE_IT_RUNS };
        }
        while (!engine.info(run_id).completed) {
          await engine.wait(run_id, { seconds: MAX_TIMEOUT_SECONDS });
        }
        return engine.result(run_id);
      });
    } finally {
      signal.removeEventListener("abort", cancel);
    }
  },
};

/** Start a run and return at once. */
export const START_TOOL: ToolEntry = {
  name: "claude.run.start",
  title: "Start a Claude Code run",
  description:
    "Gives a task to the user's own Claude Code, as claude.run does, but returns at once with a " +
    "run_id. Use it for anything that may take longer than half a minute, and to run several tasks " +
    "side by side (at most four). Then call claude.run.result with that run_id and wait_seconds, " +
    "again until completed is true; claude.run.events shows what happens meanwhile, " +
    "claude.run.cancel stops it. Do not call it again because an answer was late: that starts a " +
    "second agent; claude.run.list shows what runs.",
  risk: "full-shell",
  continues: false,
  inputSchema: runArgumentsJsonSchema,
  outputSchema: INFO_OUTPUT,
  call: ({ engine, args, acquiredBy }: ToolCall) =>
    engine.start(parseRunArguments(args), acquiredBy),
};
