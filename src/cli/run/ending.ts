/**
 * What is said when a run is over: its summary, and the receipt of its clean-up. Pure.
 *
 * @module
 */
import { visible } from "../../base/visible.ts";
import type { SettledRun } from "../../runs/values.ts";
import { dollars, duration, plural } from "./amounts.ts";
import { type LineKind, type LinePiece, plainLine } from "./piece.ts";
import type { Progress } from "./transcript.ts";

const STATES: { readonly [state: string]: readonly [LineKind, string] } = {
  completed: ["ok", "done in"],
  failed: ["failed", "failed after"],
  cancelled: ["unfinished", "interrupted after"],
};

/** The last line of a transcript. */
export function summary(
  value: SettledRun,
  { progress, elapsedMs }: { readonly progress: Progress; readonly elapsedMs: number },
): LinePiece {
  const [line, words] = STATES[value.state] ?? ["note", `${value.state} after`];
  const { tokens, calls } = progress;
  const costUsd = progress.costUsd ?? value.total_cost_usd;
  const parts = [
    `${words} ${duration(elapsedMs)}`,
    ...(calls === 0 ? [] : [plural(calls, "tool call")]),
    ...(tokens.input === 0 ? [] : [`${tokens.input} tokens in, ${tokens.output} out`]),
    ...(costUsd === null ? [] : [dollars(costUsd)]),
    ...(value.session_id === null ? [] : [`session ${visible(value.session_id)}`]),
  ];
  return plainLine(line, parts.join(" · "));
}

/** One sentence about what was ended, and whether it is confirmed that nothing is left. */
export function receipt({ cleanup, exit_code, signal }: SettledRun): string {
  const confirmed = cleanup !== null && cleanup.confirmed;
  const ended = signal !== null
    ? `Claude Code was ended by ${visible(signal)}`
    : exit_code !== null
    ? `Claude Code ended with exit code ${exit_code}`
    : confirmed && cleanup.retired === 0
    ? "Claude Code was not started"
    : "nobody saw Claude Code end";
  const more = cleanup === null || cleanup.retired === 0
    ? ""
    : `, ${plural(cleanup.retired, "process")}`.replace(/processs$/, "processes") +
      ` of the run had to be ended${cleanup.escalated ? " (SIGKILL was needed)" : ""}`;
  const survivors = (cleanup?.survivors ?? []).map(({ pid, name }) =>
    `${visible(name)} (pid ${pid})`
  );
  const left = confirmed
    ? "nothing is left"
    : survivors.length === 0
    ? "whether anything is left is not known"
    : `still there: ${survivors.join(", ")}`;
  return `clean-up ${confirmed ? "confirmed" : "NOT confirmed"}: ${ended}${more}; ${left}`;
}

/** Whether the receipt is worth saying: the run was stopped, or something had to be ended. */
export function isReceiptDue({ error, cleanup }: SettledRun): boolean {
  const isStopped = error?.code === "cancelled" || error?.code === "timeout";
  return isStopped || cleanup === null || !cleanup.confirmed || cleanup.retired > 0;
}
