/**
 * What the engine offers to the MCP server, the library and the command line.
 *
 * @module
 */
import type { JsonObject, JsonValue } from "../base/json.ts";
import type { ErrorCode } from "../base/errors.ts";
import type { RunArguments } from "../contract/run_arguments.ts";
import type { Cleanup } from "../supervision/receipts.ts";

/** Where a run stands. */
export type RunState = "starting" | "running" | "completed" | "failed" | "cancelled";

/** The short form of a run. */
export interface RunInfo {
  readonly run_id: string;
  readonly state: RunState;
  /** The native session, once known; not interchangeable with `run_id`. */
  readonly session_id: string | null;
  /** Unix seconds. */
  readonly created_at: number;
  /** Settled, which is not the same as succeeded. */
  readonly completed: boolean;
  /** What a live run is doing and for how long; only on live runs. */
  readonly activity?: string;
}

/** A code and a sentence. */
export interface ErrorValue {
  readonly code: ErrorCode;
  readonly message: string;
}

/** A result of a turn the CLI added after its answer. */
export interface FollowUp {
  readonly result: string | null;
  readonly subtype: string;
  readonly is_error: boolean;
}

/** A page of events without the events. */
export interface PageInfo {
  readonly next_cursor: number;
  readonly oldest_cursor: number;
  readonly has_more: boolean;
  readonly missed_events: number;
  readonly observed_events: number;
  readonly omitted_events: number;
}

/** A page of events. */
export interface EventPage extends RunInfo, PageInfo {
  readonly events: readonly { readonly cursor: number; readonly event: JsonValue }[];
}

/** A run that settled. */
export interface SettledRun extends RunInfo {
  readonly result: string | null;
  readonly subtype: string | null;
  readonly is_error: boolean;
  readonly total_cost_usd: number | null;
  readonly permission_mode: string | null;
  readonly exit_code: number | null;
  readonly signal: string | null;
  readonly final_event: JsonObject | null;
  readonly cleanup_confirmed: boolean;
  readonly cleanup: Cleanup | null;
  readonly native: { readonly version: string | null; readonly executable: string };
  readonly error?: ErrorValue;
  readonly cleanup_error?: ErrorValue;
  readonly followups: readonly FollowUp[];
  readonly background_tasks: { readonly open: number; readonly stopped: number };
  readonly permission_denials: { readonly count: number; readonly list: readonly JsonValue[] };
  readonly stderr_tail?: string;
  readonly events: readonly JsonValue[];
  readonly event_page: PageInfo;
  readonly events_truncated: boolean;
}

/** A row of the work resource. */
export interface WorkRow {
  readonly kind: "claude.run";
  readonly id: string;
  readonly acquired_by: string;
  readonly state: "active" | "uncertain";
}

/** A complete snapshot of the work that this connection owns. */
export interface WorkSnapshot {
  readonly format_version: 1;
  readonly instance_id: string;
  readonly revision: number;
  readonly resources: readonly WorkRow[];
}

/** How to read a page. */
export interface PageOptions {
  readonly after_cursor: number;
  readonly limit: number;
  readonly max_bytes: number;
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
   * `afterCursor` also as soon as an event newer than it exists. Never rejects because of those.
   */
  wait(
    runId: string,
    options: { seconds: number; signal?: AbortSignal; afterCursor?: number },
  ): Promise<void>;
  /** Requests cancellation; a settled run is left as it is (`cancel_requested: false`). */
  cancel(runId: string): RunInfo & { readonly cancel_requested: boolean };
  /** Forgets a settled, confirmed run. Throws `run_active` or `cleanup_unconfirmed`. */
  release(runId: string): { readonly run_id: string; readonly released: true };
  /** The work snapshot. Throws `work_unavailable` while a retained run has no invocation. */
  work(): WorkSnapshot;
  /** Admits nothing more, cancels every run, and waits (bounded) until all have settled. Idempotent. */
  shutdown(): Promise<void>;
}
