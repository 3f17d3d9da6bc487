/**
 * The value of a settled run: everything a caller may need, within one byte bound.
 *
 * @module
 */
import { AdapterError } from "../base/errors.ts";
import { cutText, jsonBytes, type JsonObject, jsonText, type JsonValue } from "../base/json.ts";
import {
  MAX_DENIAL_INPUT_BYTES,
  MAX_LISTED_DENIALS,
  MAX_SHOWN_STDERR_BYTES,
  MAX_VALUE_BYTES,
} from "../base/limits.ts";
import type { RingPage } from "./event_ring.ts";
import type { Outcome } from "./outcome.ts";
import type { ReceiptRecord } from "./receipt_record.ts";
import type { RunRecord } from "./run_record.ts";
import type { SettledRun } from "./values.ts";

/** What a settled value is made of. */
export interface SettledFacts {
  readonly runId: string;
  readonly createdAt: number;
  readonly requestedMode: string;
  readonly executable: string;
  readonly receipts: ReceiptRecord;
  readonly record: RunRecord;
  readonly outcome: Outcome;
}

/**
 * Builds the value, with the first page of the events still kept: at most `maxEvents`, and what fits into
 * `maxBytes`. The page's `next_cursor` reads on.
 *
 * Throws `AdapterError` `result_too_large` when it does not fit even without events.
 */
export function settledValue(
  facts: SettledFacts,
  maxEvents: number,
  maxBytes: number = MAX_VALUE_BYTES,
): SettledRun {
  const value = withoutEvents(facts);
  // An empty page costs about 200 bytes, and what a page adds is counted exactly by the ring.
  const room = maxBytes - jsonBytes(value) - EMPTY_PAGE_BYTES;
  if (room < 0) {
    throw new AdapterError(
      "result_too_large",
      `The value of run '${facts.runId}' has more than ${maxBytes} bytes even without events; read them with claude.run.events`,
    );
  }
  return { ...value, ...eventMembers(facts.record.events.page(0, maxEvents, room)) };
}

const EMPTY_PAGE_BYTES = 512;

type EventMembers = Pick<SettledRun, "events" | "event_page" | "events_truncated">;

function withoutEvents(facts: SettledFacts): Omit<SettledRun, keyof EventMembers> {
  const { record, outcome, receipts } = facts;
  const { exit, cleanup, stderrTail: stderr } = receipts;
  const { error, cleanupError } = outcome;
  return {
    run_id: facts.runId,
    state: outcome.state,
    session_id: record.sessionId,
    created_at: facts.createdAt,
    completed: true,
    result: record.finalEvent === null ? null : record.primary?.text ?? null,
    subtype: record.primary?.subtype ?? null,
    is_error: error !== null,
    total_cost_usd: record.costUsd,
    permission_mode: record.permissionMode ?? facts.requestedMode,
    exit_code: exit?.code ?? null,
    signal: exit?.signal ?? null,
    final_event: record.finalEvent,
    cleanup_confirmed: cleanup?.confirmed ?? false,
    cleanup,
    native: {
      version: receipts.version,
      executable: facts.executable,
      admitted_by: receipts.admittedBy,
    },
    ...(error === null ? {} : { error: { code: error.code, message: error.message } }),
    ...(cleanupError === null
      ? {}
      : { cleanup_error: { code: cleanupError.code, message: cleanupError.message } }),
    followups: record.followups,
    background_tasks: { open: record.background.open, stopped: record.background.stopped },
    permission_denials: {
      count: record.denials.length,
      list: record.denials.slice(0, MAX_LISTED_DENIALS).map(shortDenial),
    },
    ...(error === null || stderr === "" ? {} : { stderr_tail: tailOf(stderr) }),
  };
}

function eventMembers(page: RingPage): EventMembers {
  const { events, ...rest } = page;
  return {
    events: events.map((row) => row.event),
    event_page: rest,
    events_truncated: page.has_more || page.missed_events > 0 || page.omitted_events > 0,
  };
}

function shortDenial(denial: JsonObject): JsonValue {
  if (jsonBytes(denial) <= MAX_DENIAL_INPUT_BYTES) return denial;
  const { tool_name, tool_use_id, tool_input } = denial;
  return {
    tool_name: typeof tool_name === "string" ? cutText(tool_name, 200) : null,
    tool_use_id: typeof tool_use_id === "string" ? cutText(tool_use_id, 200) : null,
    tool_input_cut: cutText(jsonText(tool_input ?? null), MAX_DENIAL_INPUT_BYTES),
  };
}

/** The end of stderr, whole lines where possible. */
function tailOf(stderr: string): string {
  if (stderr.length <= MAX_SHOWN_STDERR_BYTES) return stderr;
  const tail = stderr.slice(-MAX_SHOWN_STDERR_BYTES);
  const line = tail.indexOf("\n");
  return line === -1 ? tail : tail.slice(line + 1);
}
