/**
 * What the engine offers to the MCP server, the library and the command line.
 *
 * @module
 */
import type { JsonValue } from "../base/json.ts";
import type { RunArguments } from "../contract/run_arguments.ts";
import type { PageInfo, RunInfo, SettledRun } from "../runs/values.ts";
import type { WorkEntry } from "../runs/work_ledger.ts";

export type {
  ErrorValue,
  FollowUp,
  PageInfo,
  RunInfo,
  RunState,
  SettledRun,
} from "../runs/values.ts";
export type { WorkEntry } from "../runs/work_ledger.ts";

/** A page of events. */
export interface EventPage extends RunInfo, PageInfo {
  /** The events with their cursors, which count from 1. */
  readonly events: readonly { readonly cursor: number; readonly event: JsonValue }[];
}

/** A complete snapshot of the work that this connection owns. */
export interface WorkSnapshot {
  /** The form of this snapshot. */
  readonly format_version: 1;
  /** A UUID of this connection. */
  readonly instance_id: string;
  /** Grows when the rows change, and is equal when they do not. */
  readonly revision: number;
  /** The rows, sorted by id. */
  readonly resources: readonly WorkEntry[];
}

/** How to read a page. */
export interface PageOptions {
  /** Only events newer than this; 0 is from the oldest kept on. */
  readonly after_cursor: number;
  /** At most so many events, 1 to 256. */
  readonly limit: number;
  /** At most so many bytes of events as JSON, 1,024 to 196,608. */
  readonly max_bytes: number;
}

/** How to wait for a run. */
export interface WaitOptions {
  /** At most so long. */
  readonly seconds: number;
  /** Ends the wait. */
  readonly signal?: AbortSignal;
  /** Until an event newer than this exists. */
  readonly afterCursor?: number;
  /** Until what the run is doing, however long it has done it, is something else. */
  readonly newActivity?: boolean;
}

/** How to cancel a run. */
export interface CancelOptions {
  /**
   * SIGKILL at once to everything the run started: the CLI gets no time to stop its tools and to save the conversation.
   *
   * @default {false}
   */
  readonly kill?: boolean;
  /**
   * One sentence that the run's error says, when this is its first cause.
   *
   * @default {"The run was cancelled"}
   */
  readonly reason?: string;
}

/** Runs, from reservation to release. Every method that takes a run id throws `unknown_run`. */
export interface Engine {
  /**
   * Reserves and starts a run; returns at once.
   *
   * `acquiredBy` is the host's invocation (a lower-case UUID) or `null`. Throws `AdapterError`:
   * `invalid_configuration`, `dependency_unavailable`, `capacity`, `session_busy`; then nothing is kept.
   */
  start(args: RunArguments, acquiredBy: string | null): RunInfo;
  /** Every retained run, oldest first. */
  list(): readonly RunInfo[];
  /** One run's short form. */
  info(runId: string): RunInfo;
  /**
   * A settled run's whole value, at most 512 KiB; a live run's short form.
   *
   * `maxEvents` defaults to the run's own `max_events`. Throws `result_too_large`.
   */
  result(runId: string, maxEvents?: number): RunInfo | SettledRun;
  /** A page of events. Throws `invalid_cursor`. */
  events(runId: string, options: PageOptions): EventPage;
  /**
   * Resolves when the run has settled, when `seconds` have passed, or when `signal` aborts; with
   * `afterCursor` also as soon as an event newer than it exists, with `newActivity` as soon as the run does something
   * else than now. Never rejects because of those.
   */
  wait(runId: string, options: WaitOptions): Promise<void>;
  /** Requests cancellation; a settled run is left as it is (`cancel_requested: false`). */
  cancel(
    runId: string,
    options?: CancelOptions,
  ): RunInfo & { readonly cancel_requested: boolean };
  /** Forgets a settled, confirmed run. Throws `run_active` or `cleanup_unconfirmed`. */
  release(runId: string): { readonly run_id: string; readonly released: true };
  /** The work snapshot. Throws `work_unavailable` while a retained run has no invocation. */
  work(): WorkSnapshot;
  /** Admits nothing more, cancels every run, and waits (bounded) until all have settled. Idempotent. */
  shutdown(): Promise<void>;
}
