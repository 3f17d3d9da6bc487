/**
 * The text that a client shows when it shows only text: what happened, the ids, the answer, and what
 * to do next. Events are never in it.
 *
 * @module
 */
import type { RunErrorCode } from "../base/errors.ts";
import {
  arrayMember,
  cutText,
  isObject,
  type JsonObject,
  numberMember,
  objectMember,
  stringMember,
} from "../base/json.ts";
import { MAX_DIGEST_TEXT_BYTES } from "../base/limits.ts";
import { visible, visibleLines } from "../base/visible.ts";
import { ADVICE } from "./advice.ts";

/** Of a failed run's standard error output. */
const STDERR_BYTES = 2 * 1024;
/** Of one message or one follow-up. */
const NOTE_BYTES = 4 * 1024;
/**
 * Of a whole digest. Control characters take six bytes each as JSON, so this and the largest value
 * always fit into one message.
 */
const DIGEST_BYTES = 64 * 1024;

/**
 * The digest of any tool value. It reads the value as a client would, so whatever shape it has, the
 * text says no more than the value does.
 */
export function digest(value: object): string {
  if (!isObject(value)) return "";
  const lines = Array.isArray(value.runs)
    ? listLines(value.runs.filter(isObject))
    : value.released === true
    ? [
      `Run ${value.run_id} is released: its result and events are gone. The native session is kept.`,
    ]
    : typeof value.run_id === "string"
    ? runLines(value)
    : errorLines(value);
  return cutText(lines.filter((line) => line !== null).join("\n"), DIGEST_BYTES);
}

function listLines(runs: readonly JsonObject[]): (string | null)[] {
  if (runs.length === 0) return ["No runs. Start one with claude.run or claude.run.start."];
  return [
    `${runs.length} ${runs.length === 1 ? "run" : "runs"}, oldest first:`,
    ...runs.map((run) => {
      const session = stringMember(run, "session_id");
      const activity = stringMember(run, "activity");
      return `- run_id ${run.run_id}: ${run.state}` +
        (session === null ? "" : `, session_id ${visible(session)}`) +
        (activity === null ? "" : ` (${visible(activity)})`);
    }),
  ];
}

function runLines(run: JsonObject): (string | null)[] {
  const activity = stringMember(run, "activity");
  const error = objectMember(run, "error");
  return [
    headLine(String(run.state), activity),
    ...errorLines(run),
    `run_id: ${run.run_id}`,
    `session_id: ${sessionOf(run)}`,
    ...("is_error" in run ? outcomeLines(run) : []),
    ...(Array.isArray(run.events) && "next_cursor" in run ? pageLines(run) : []),
    ...("cancel_requested" in run ? [cancelLine(run)] : []),
    error === null ? nextLine(run) : null,
    ...("is_error" in run ? textLines(run) : []),
  ];
}

/** An activity may begin with the state, as in "starting for 2 s". */
function headLine(state: string, activity: string | null): string {
  if (activity === null) return `Run ${state}.`;
  const shown = visible(activity);
  return shown.startsWith(`${state} `) ? `Run ${shown}.` : `Run ${state}: ${shown}.`;
}

/** The conversation that can be continued. */
function sessionOf(run: JsonObject): string {
  // The CLI repeats the id that it did not find.
  const isMissing = stringMember(objectMember(run, "error"), "code") === "resume_failed";
  const session = isMissing ? null : stringMember(run, "session_id");
  return session === null ? run.completed === true ? "none" : "not known yet" : visible(session);
}

function errorLines(value: JsonObject): (string | null)[] {
  const error = objectMember(value, "error");
  const cleanup = objectMember(value, "cleanup_error");
  const isSame = error !== null && cleanup !== null && error.code === cleanup.code;
  return [
    ...oneError("Error", error),
    ...oneError("Clean-up error", isSame ? null : cleanup),
  ];
}

function oneError(label: string, error: JsonObject | null): string[] {
  if (error === null) return [];
  const code = stringMember(error, "code") ?? "internal_error";
  const advice = ADVICE[code as RunErrorCode];
  return [
    `${label} ${code}: ${visible(cutText(stringMember(error, "message") ?? "", NOTE_BYTES))}`,
    ...(advice === undefined ? [] : [`What to do: ${advice}`]),
  ];
}

function outcomeLines(run: JsonObject): (string | null)[] {
  const cost = numberMember(run, "total_cost_usd");
  const stderr = stringMember(run, "stderr_tail");
  return [
    cost === null ? null : `total_cost_usd: ${Number(cost.toFixed(6))}`,
    run.is_error === true ? endLine(run) : null,
    denialLine(objectMember(run, "permission_denials")),
    backgroundLine(objectMember(run, "background_tasks")),
    run.cleanup_confirmed === false ? "Clean-up was NOT confirmed." : null,
    run.is_error === true && stderr !== null && stderr !== ""
      ? `Standard error output ends with:\n${visibleLines(cutText(stderr, STDERR_BYTES))}`
      : null,
  ];
}

function textLines(run: JsonObject): string[] {
  const text = stringMember(run, "result");
  const label = run.is_error !== true
    ? "Result:"
    : run.subtype === "success" && objectMember(run, "final_event")?.is_error === false
    ? "The answer, which came before the failure:"
    : "Text that came with the error:";
  return [
    ...(text === null ? [] : [`\n${label}`, bounded(text)]),
    ...arrayMember(run, "followups").map((followUp) =>
      `\nFollow-up after the result:\n${
        cutText(stringMember(followUp, "result") ?? "", NOTE_BYTES)
      }`
    ),
  ];
}

function bounded(text: string): string {
  return text === "" ? "(empty)" : cutText(text, MAX_DIGEST_TEXT_BYTES);
}

function endLine(run: JsonObject): string {
  const subtype = stringMember(run, "subtype");
  const code = numberMember(run, "exit_code");
  const signal = stringMember(run, "signal");
  return `Native outcome: ${visible(cutText(subtype ?? "no result", 100))}, ` +
    (signal !== null ? `ended by ${signal}` : code !== null ? `exit code ${code}` : "no exit code");
}

function denialLine(denials: JsonObject | null): string | null {
  const count = numberMember(denials, "count") ?? 0;
  if (count === 0) return null;
  const names = new Set(
    arrayMember(denials, "list").map((row) =>
      visible(cutText(stringMember(row, "tool_name") ?? "unknown", 200))
    ),
  );
  return `Permission denied ${count} ${count === 1 ? "time" : "times"} (${
    [...names].join(", ")
  }): parts of the task may be undone. A run with permission_mode acceptEdits may do more.`;
}

function backgroundLine(tasks: JsonObject | null): string | null {
  const open = numberMember(tasks, "open") ?? 0;
  const stopped = numberMember(tasks, "stopped") ?? 0;
  return open + stopped === 0
    ? null
    : `Background tasks: ${open} still open at the end, ${stopped} stopped.`;
}

function pageLines(page: JsonObject): (string | null)[] {
  const tally = new Map<string, number>();
  for (const entry of arrayMember(page, "events")) {
    const event = objectMember(entry, "event");
    const type = stringMember(event, "type") ?? "other";
    const subtype = stringMember(event, "subtype");
    const name = visible(cutText(subtype === null ? type : `${type}/${subtype}`, 200));
    tally.set(name, (tally.get(name) ?? 0) + 1);
  }
  const kinds = [...tally].map(([name, count]) => `${count} ${name}`).join(", ");
  const missed = numberMember(page, "missed_events") ?? 0;
  return [
    tally.size === 0 ? "No events in this page." : `Events in this page: ${kinds}.`,
    `next_cursor: ${page.next_cursor}, has_more: ${page.has_more}` +
    (missed === 0 ? "" : `, missed_events: ${missed} (no longer kept)`),
    "The events themselves are in structuredContent.result.events.",
  ];
}

function cancelLine(run: JsonObject): string {
  return run.cancel_requested === true
    ? "Cancellation requested; claude.run.result tells when everything is stopped."
    : "Nothing to cancel: the run has already settled.";
}

function nextLine(run: JsonObject): string | null {
  if (run.completed !== true) {
    return "Next: claude.run.result with wait_seconds waits for the end; claude.run.events shows what happens; claude.run.cancel stops it.";
  }
  if (!("is_error" in run)) return "Next: claude.run.result gives the outcome.";
  return stringMember(run, "session_id") === null
    ? null
    : "Next: give this session_id as resume_session_id to continue the conversation; claude.run.release when the result is not needed any more.";
}
