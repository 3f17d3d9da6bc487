/**
 * The status line: how long, how much, and what is going on. Pure.
 *
 * @module
 */
import { dollars, short, ticking } from "./amounts.ts";
import type { Progress } from "./transcript.ts";

/** What else the line needs to know. */
export interface StatusFacts {
  readonly progress: Progress;
  /** Milliseconds of the clock that the transcript was told. */
  readonly now: number;
  readonly startedAt: number;
  /** What the engine says that the run is doing, and for how long. */
  readonly activity: string;
  /** Somebody asked for the end. */
  readonly isEnding: boolean;
}

/** One line of any length; where it is drawn it is cut. */
export function statusLine({ progress, now, startedAt, activity, isEnding }: StatusFacts): string {
  const { tokens, costUsd, running } = progress;
  const [tool] = running;
  const others = running.length > 1 ? ` and ${running.length - 1} more` : "";
  const detail = tool === undefined || tool.detail === "" ? "" : `(${cut(tool.detail)})`;
  const doing = tool === undefined || isEnding
    ? activity.replace(/ for 0 s$/, "")
    : `running ${tool.name}${detail}${others} for ${ticking(now - tool.since)}`;
  return [
    ticking(now - startedAt),
    ...(tokens.input === 0 ? [] : [`${short(tokens.input)} in, ${short(tokens.output)} out`]),
    ...(costUsd === null ? [] : [dollars(costUsd)]),
    doing,
    ...(isEnding ? ["Ctrl-C again kills"] : []),
  ].join(" · ");
}

/** So that what comes behind a long command can be read as well. */
function cut(detail: string): string {
  return detail.length <= 40 ? detail : `${detail.slice(0, 39).replace(/[\ud800-\udbff]$/, "")}…`;
}
