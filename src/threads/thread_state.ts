/**
 * What is remembered of a thread between its rounds, as text.
 *
 * @module
 */
import { isObject } from "../base/json.ts";
import type { ThreadCost } from "./cost.ts";

/** Encodes it, or nothing when nothing is known. */
export function encodeThreadState(cost: ThreadCost | null): string {
  return cost === null ? "" : JSON.stringify({ format_version: 1, cost });
}

/** Reads it; what cannot be read is nothing: costs of before are then unknown, and no round fails of it. */
export function readThreadState(text: string): ThreadCost | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isObject(value) || value.format_version !== 1 || !isObject(value.cost)) return null;
  const { sessionId, totalUsd, threadUsd } = value.cost;
  if (typeof sessionId !== "string" || !isDollars(totalUsd) || !isDollars(threadUsd)) return null;
  return { sessionId, totalUsd, threadUsd };
}

function isDollars(value: unknown): value is number | null {
  return value === null || (typeof value === "number" && value >= 0);
}
