/**
 * What one native process did, and questions about it.
 *
 * @module
 */
import { isObject, type JsonObject } from "../base/json.ts";
import { type Init, type NativeResult, readInit, readResult } from "../frames/native.ts";
import type { NativeExit } from "../runs/receipt_record.ts";
import type { Cleanup } from "../supervision/receipts.ts";

/** Why a process ended. */
export type EndReason =
  | "itself"
  /** An experiment asked for it. */
  | "asked"
  | "deadline"
  /** It printed more than is kept. */
  | "flood"
  /** Everything is being ended. */
  | "aborted";

/** One native process, after its end. */
export interface NativeRecord {
  readonly argv: readonly string[];
  readonly stdout: string;
  /** The lines of stdout that are JSON objects. */
  readonly frames: readonly JsonObject[];
  /** The other lines that are not blank. */
  readonly strays: readonly string[];
  /** The end of it. */
  readonly stderr: string;
  /** `null` when nobody saw it end. */
  readonly exit: NativeExit | null;
  readonly cleanup: Cleanup;
  readonly end: EndReason;
  /** Milliseconds, start-up and clean-up included. */
  readonly ms: number;
}

/** The first `system/init`, or `null`. */
export function initOf({ frames }: NativeRecord): Init | null {
  return frames.map(readInit).find((init) => init !== null) ?? null;
}

/** Every result, in order. */
export function resultsOf({ frames }: NativeRecord): readonly NativeResult[] {
  return frames.map(readResult).filter((result) => result !== null);
}

/** Every result as it was printed. */
export function rawResultsOf({ frames }: NativeRecord): readonly JsonObject[] {
  return frames.filter(({ type }) => type === "result");
}

/** A line as a frame, or `null`. */
export function frameOf(line: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}
