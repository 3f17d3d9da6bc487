/**
 * What is remembered of a thread between its rounds, as text.
 *
 * @module
 */
import { isObject, type JsonObject } from "../base/json.ts";
import type { ThreadCost } from "./cost.ts";

/** What is known of a thread. */
export interface ThreadState {
  /** The directory of its rounds, a real path; `null` before the first one. */
  readonly cwd: string | null;
  readonly cost: ThreadCost | null;
}

/** Encodes it as one JSON object. */
export function encodeThreadState({ cwd, cost }: ThreadState): string {
  return JSON.stringify({ format_version: 1, cwd, cost });
}

/** Reads it; what cannot be read is nothing: costs of before are then unknown, and no round fails of it. */
export function readThreadState(text: string): ThreadState {
  let value: unknown = null;
  try {
    value = JSON.parse(text);
  } catch {
    // Nothing was written yet, or only a part of it.
  }
  if (!isObject(value) || value.format_version !== 1) return { cwd: null, cost: null };
  const { cwd, cost } = value;
  return {
    cwd: typeof cwd === "string" ? cwd : null,
    cost: isObject(cost) ? readCost(cost) : null,
  };
}

function readCost({ sessionId, totalUsd, threadUsd }: JsonObject): ThreadCost | null {
  if (typeof sessionId !== "string" || !isDollars(totalUsd) || !isDollars(threadUsd)) return null;
  return { sessionId, totalUsd, threadUsd };
}

function isDollars(value: unknown): value is number | null {
  return value === null || (typeof value === "number" && value >= 0);
}
