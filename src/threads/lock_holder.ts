/**
 * Who holds the lock of a thread, as one line of text in it.
 *
 * @module
 */
import { isObject, type JsonObject } from "../base/json.ts";
import type { Identity } from "../supervision/process_row.ts";

/** A process that has a thread's lock. */
export interface LockHolder {
  /** When it took the lock, Unix milliseconds. */
  readonly since: number;
  /** Its pid and start time; `null` when it could not look itself up. */
  readonly process: Identity | null;
  /** The number of the pid namespace that the pid belongs to; 0 where there is none or it is unknown. */
  readonly namespace: number;
}

/** The last millisecond that a date can be. */
const MAX_TIME = 8.64e15;

/** Encodes it; at most 159 bytes. */
export function encodeLockHolder({ since, process, namespace }: LockHolder): string {
  return JSON.stringify({ since, pid: process?.pid ?? 0, start: process?.start ?? 0, namespace });
}

/** Reads it; `null` when the text says nothing of the kind. */
export function readLockHolder(text: string): LockHolder | null {
  let value: unknown = null;
  try {
    value = JSON.parse(text);
  } catch {
    // Nobody holds it, or nobody has said so yet.
  }
  if (!isObject(value) || !isCount(value.since) || value.since > MAX_TIME) return null;
  return { since: value.since, process: identity(value), namespace: count(value.namespace) };
}

function identity({ pid, start }: JsonObject): Identity | null {
  return isCount(pid) && isCount(start) && pid > 0 ? { pid, start } : null;
}

function count(value: unknown): number {
  return isCount(value) ? value : 0;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
