/**
 * How a run ended: in its settled value when there is one, else in the CLI's own result.
 *
 * @module
 */
import {
  arrayMember,
  isObject,
  type JsonObject,
  jsonText,
  numberMember,
  objectMember,
  stringMember,
} from "../base/json.ts";
import { MAX_REPORT_LIST } from "../base/limits.ts";
import { readResult } from "../frames/native.ts";
import { judgeResult } from "../runs/primary_result.ts";
import type { Cleanup } from "../supervision/receipts.ts";
import { shortName } from "./names.ts";
import type { Ending, KeptText, SettledFacts } from "./report.ts";

/** What the end is read from. */
export interface EndingFacts {
  /** The last result that answers the caller; `null` when there is none. */
  readonly primary: JsonObject | null;
  /** The value of the settled run; `null` when there is none. */
  readonly settled: JsonObject | null;
  readonly keep: (text: string, max?: number) => KeptText;
}

/** A reason is a sentence or two; whole pages of one are an answer that failed. */
const MESSAGE_CHARS = 4_000;

/** Reads it. No member of either value is trusted to be there, or to be what it should be. */
export function readEnding({ primary, settled, keep }: EndingFacts): Ending {
  const result = settled === null ? endingOfResult(primary) : endingOfSettled(settled, primary);
  return {
    state: result.state,
    title: result.title,
    message: result.message === null ? null : keep(result.message, MESSAGE_CHARS).text,
    answer: result.answer === null || result.answer === "" ? null : keep(result.answer),
    settled: settled === null ? null : readSettled(settled, keep),
  };
}

interface Read extends Omit<Ending, "answer" | "settled"> {
  readonly answer: string | null;
}

function endingOfResult(primary: JsonObject | null): Read {
  const native = primary === null ? null : readResult(primary);
  if (native === null) {
    return {
      state: "unknown",
      title: "No result",
      message: "These events end without a result: the run was ended, or they are incomplete.",
      answer: null,
    };
  }
  const judged = judgeResult(native);
  const reason = native.errors.join("; ");
  if (judged.kind === "invalid") {
    return {
      state: "failed",
      title: "The result is not valid",
      message: judged.reason,
      answer: native.result,
    };
  }
  if (native.isError === false) {
    return { state: "succeeded", title: "Succeeded", message: null, answer: native.result };
  }
  // A failed API call says its reason where an answer would stand, with the subtype `success` (measured).
  const word = native.subtype === "success"
    ? native.apiErrorType ?? native.terminalReason
    : native.subtype;
  return {
    state: "failed",
    title: `Failed: ${shortName(word ?? "no reason given")}`,
    message: reason !== "" ? reason : native.result,
    answer: null,
  };
}

function endingOfSettled(settled: JsonObject, primary: JsonObject | null): Read {
  const error = objectMember(settled, "error");
  const state = stringMember(settled, "state");
  const message = stringMember(error, "message");
  const native = primary === null ? null : readResult(primary);
  const answer = stringMember(settled, "result") ?? native?.result ?? null;
  if (error !== null || settled.is_error === true || (state !== null && ENDED_BADLY.has(state))) {
    const code = stringMember(error, "code") ?? stringMember(settled, "subtype") ??
      "no reason given";
    const isCancelled = state === "cancelled";
    return {
      state: isCancelled ? "cancelled" : "failed",
      title: isCancelled ? "Cancelled" : `Failed: ${shortName(code)}`,
      message: message ?? answer,
      answer: message === null ? null : answer,
    };
  }
  if (state !== null && state !== "completed") {
    return { state: "unknown", title: `Not ended: ${shortName(state)}`, message: null, answer };
  }
  return { state: "succeeded", title: "Succeeded", message: null, answer };
}

const ENDED_BADLY: ReadonlySet<string> = new Set(["failed", "cancelled"]);

function readSettled(settled: JsonObject, keep: EndingFacts["keep"]): SettledFacts {
  const native = objectMember(settled, "native");
  const tasks = objectMember(settled, "background_tasks");
  const tail = stringMember(settled, "stderr_tail");
  const text = (value: unknown, key: string) => {
    const found = stringMember(value, key);
    return found === null ? null : shortName(found);
  };
  return {
    runId: text(settled, "run_id"),
    exitCode: numberMember(settled, "exit_code"),
    signal: text(settled, "signal"),
    cleanupConfirmed: settled.cleanup_confirmed === true,
    cleanup: readCleanup(objectMember(settled, "cleanup")),
    cleanupError: text(objectMember(settled, "cleanup_error"), "message"),
    executable: text(native, "executable"),
    admittedBy: text(native, "admitted_by"),
    stderrTail: tail === null || tail === "" ? null : keep(tail),
    tasksOpen: numberMember(tasks, "open") ?? 0,
    tasksStopped: numberMember(tasks, "stopped") ?? 0,
  };
}

function readCleanup(cleanup: JsonObject | null): Cleanup | null {
  if (cleanup === null) return null;
  return {
    confirmed: cleanup.confirmed === true,
    retired: numberMember(cleanup, "retired") ?? 0,
    escalated: cleanup.escalated === true,
    survivors: arrayMember(cleanup, "survivors").slice(0, MAX_REPORT_LIST).filter(isObject).map(
      (row) => ({
        pid: numberMember(row, "pid") ?? 0,
        name: shortName(stringMember(row, "name") ?? jsonText(row)),
      }),
    ),
  };
}
