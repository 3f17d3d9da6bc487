/**
 * What the supervisor tells its adapter: one JSON line each, on its stderr.
 *
 * @module
 */
import { isObject } from "../base/json.ts";
import type { AdmittedBy } from "./job.ts";
import type { Identity } from "./process_row.ts";

/** A process that was still there when the supervisor gave up. */
export interface Survivor {
  /** The process id. */
  readonly pid: number;
  /** The command name only, never its arguments. */
  readonly name: string;
}

/** What clean-up found and did. */
export interface Cleanup {
  /** Somebody looked, and nothing owned was left. */
  readonly confirmed: boolean;
  /** Processes that were still there after the native process ended or was told to, and had to be signalled. */
  readonly retired: number;
  /** SIGKILL was needed. */
  readonly escalated: boolean;
  /** What was still there at the end; at most 32. */
  readonly survivors: readonly Survivor[];
}

/** Survivors listed in a receipt. */
export const MAX_LISTED_SURVIVORS = 32;

/** Processes listed in a `seen` receipt, the newest: more would be a fork storm without a marker. */
export const MAX_SEEN = 256;

/** Why a process could not be started. */
export type SpawnFault =
  | "not_found"
  | "not_executable"
  | "too_large"
  | "other"
  /** The supervisor itself; said by the adapter in its place. */
  | "supervisor";

/** One line from the supervisor. */
export type Receipt =
  /** The first line: the job has come. Before it was written nothing was started. */
  | { readonly receipt: "accepted" }
  /**
   * The executable checks were run; `stdout` and `detail` are bounded and only for messages. `by` is the weakest reason
   * for which one of them passed; absent when there were none or one failed.
   */
  | {
    readonly receipt: "version";
    readonly ok: boolean;
    readonly by?: AdmittedBy;
    readonly stdout: string;
    readonly detail: string;
  }
  /** The native process runs. */
  | { readonly receipt: "started"; readonly pid: number }
  /** A process could not be started. */
  | { readonly receipt: "spawn_failed"; readonly fault: SpawnFault; readonly detail: string }
  /**
   * Processes of the run that no longer carry its marker, whenever they change: should the supervisor die, only
   * what it saw before tells that they belong to the run. A parent that ends hides them from everybody else.
   */
  | { readonly receipt: "seen"; readonly unmarked: readonly Identity[] }
  /** The native process ended. */
  | { readonly receipt: "exit"; readonly code: number; readonly signal: string | null }
  /** What the native process wrote to its stderr, as it comes; only when the job asks for it. */
  | { readonly receipt: "stderr"; readonly text: string }
  /** The end of the native stderr. */
  | { readonly receipt: "stderr_tail"; readonly text: string; readonly truncated: boolean }
  /** The last line: what clean-up found, and the last rung of the ladder that was needed. */
  | { readonly receipt: "cleanup"; readonly cleanup: Cleanup; readonly rung?: string };

/** Encodes a receipt as one line, newline included. */
export function encodeReceipt(receipt: Receipt): string {
  return JSON.stringify(receipt) + "\n";
}

/** Reads one line; `null` when it is not a receipt (such as a runtime's own warning). */
export function parseReceipt(line: string): Receipt | null {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return null;
  }
  return isObject(value) && isReceipt(value) ? value as unknown as Receipt : null;
}

function isReceipt(value: { readonly [key: string]: unknown }): boolean {
  switch (value.receipt) {
    case "accepted":
      return true;
    case "version":
      return typeof value.ok === "boolean" && typeof value.stdout === "string" &&
        typeof value.detail === "string" &&
        (value.by === undefined || typeof value.by === "string");
    case "started":
      return Number.isInteger(value.pid);
    case "spawn_failed":
      return typeof value.fault === "string" && typeof value.detail === "string";
    case "seen":
      return Array.isArray(value.unmarked) &&
        value.unmarked.every((row) =>
          isObject(row) && Number.isInteger(row.pid) && Number.isInteger(row.start)
        );
    case "exit":
      return Number.isInteger(value.code) &&
        (value.signal === null || typeof value.signal === "string");
    case "stderr":
      return typeof value.text === "string";
    case "stderr_tail":
      return typeof value.text === "string" && typeof value.truncated === "boolean";
    case "cleanup":
      return isCleanup(value.cleanup);
    default:
      return false;
  }
}

function isCleanup(value: unknown): boolean {
  return isObject(value) && typeof value.confirmed === "boolean" &&
    Number.isInteger(value.retired) && typeof value.escalated === "boolean" &&
    Array.isArray(value.survivors) &&
    value.survivors.every((row) =>
      isObject(row) && Number.isInteger(row.pid) && typeof row.name === "string"
    );
}
