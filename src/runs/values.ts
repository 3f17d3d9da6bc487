/**
 * The values that callers get of a run: the short form, the settled form, and their parts. Types only.
 *
 * @module
 */
import type { ErrorCode } from "../base/errors.ts";
import type { JsonObject, JsonValue } from "../base/json.ts";
import type { AdmittedBy } from "../supervision/job.ts";
import type { Cleanup } from "../supervision/receipts.ts";

/** Where a run stands. */
export type RunState = "starting" | "running" | "completed" | "failed" | "cancelled";

/** The short form of a run. */
export interface RunInfo {
  /** The adapter's handle of the run. It ends with the adapter, with a release, or when the run is evicted. */
  readonly run_id: string;
  /** `starting` and `running` are live; the others are settled. */
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
  /** Stable; see {@linkcode ErrorCode}. */
  readonly code: ErrorCode;
  /** What happened, the bound, and what to do. */
  readonly message: string;
}

/** A result of a turn that the CLI added after its answer, when a background task ended. */
export interface FollowUp {
  /** The turn's text, at most 4 KiB with a cut marked; `null` on error subtypes. */
  readonly result: string | null;
  /** The native subtype, such as `success`. */
  readonly subtype: string;
  /** Whether that turn failed. */
  readonly is_error: boolean;
}

/** A page of events without the events. */
export interface PageInfo {
  /** Pass this as `after_cursor` to read on. */
  readonly next_cursor: number;
  /** The oldest event still kept; one more than `observed_events` when none is. */
  readonly oldest_cursor: number;
  /** More events are kept after this page. */
  readonly has_more: boolean;
  /** Events before this page, and after the cursor that was asked for, that are no longer kept. */
  readonly missed_events: number;
  /** Events seen in the whole run. */
  readonly observed_events: number;
  /** Events of the whole run that are or were kept as a marker because of their size. */
  readonly omitted_events: number;
}

/** A run that settled. */
export interface SettledRun extends RunInfo {
  /** The answer; `null` when there is none or it was too large to keep. */
  readonly result: string | null;
  /** The native subtype of the answer, such as `success` or `error_max_budget_usd`. */
  readonly subtype: string | null;
  /** Whether the run failed in any way; then `error` says why. */
  readonly is_error: boolean;
  /** US dollars: the CLI's running total of the session, not of this run alone when it resumed one. */
  readonly total_cost_usd: number | null;
  /** The permission mode the CLI reported, else the one that was asked for. */
  readonly permission_mode: string | null;
  /** The native exit code; `null` when nobody saw the process end. */
  readonly exit_code: number | null;
  /** The signal that ended the native process, or `null`. */
  readonly signal: string | null;
  /** The answer's event as it came, at most 128 KiB. */
  readonly final_event: JsonObject | null;
  /** Somebody looked, and nothing that the run started was left. */
  readonly cleanup_confirmed: boolean;
  /** What clean-up found and did. */
  readonly cleanup: Cleanup | null;
  /**
   * Which executable ran, what it said its version is, and why it was admitted: it printed the tree's own text, `verify`
   * has passed for exactly this file, or the operator said so. `null` when it was not.
   */
  readonly native: {
    readonly version: string | null;
    readonly executable: string;
    readonly admitted_by: AdmittedBy | null;
  };
  /** Why the run failed: the first cause, whatever followed. */
  readonly error?: ErrorValue;
  /** Set when clean-up is not confirmed, beside any earlier error. */
  readonly cleanup_error?: ErrorValue;
  /** The last follow-up results, oldest first; at most 16. */
  readonly followups: readonly FollowUp[];
  /** Background tasks that were still open at the end, and that were stopped. */
  readonly background_tasks: { readonly open: number; readonly stopped: number };
  /** Refused tool calls: all are counted, the first 16 listed. */
  readonly permission_denials: { readonly count: number; readonly list: readonly JsonValue[] };
  /** The end of the native stderr, at most 8 KiB; only when the run failed and said something. */
  readonly stderr_tail?: string;
  /** The first page of the events still kept. */
  readonly events: readonly JsonValue[];
  /** That page's cursors and counts. */
  readonly event_page: PageInfo;
  /** Events are missing here: beyond the page, no longer kept, or kept as markers. */
  readonly events_truncated: boolean;
}
