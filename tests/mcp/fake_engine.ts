import { AdapterError } from "../../src/base/errors.ts";
import type { JsonValue } from "../../src/base/json.ts";
import type { RunArguments } from "../../src/contract/run_arguments.ts";
import type {
  Engine,
  EventPage,
  PageOptions,
  RunInfo,
  SettledRun,
  WaitOptions,
  WorkSnapshot,
} from "../../src/engine/api.ts";

interface FakeRun {
  info: RunInfo;
  readonly args: RunArguments;
  readonly acquiredBy: string | null;
  settled: SettledRun | null;
  events: JsonValue[];
  cancels: number;
  watchers: (() => void)[];
}

/** The id of the n-th run. */
export function runId(n: number): string {
  return `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
}

/** A settled run's value, with every member a real one has. */
export function settledRun(over: Partial<SettledRun> = {}): SettledRun {
  return {
    run_id: runId(1),
    state: "completed",
    session_id: "11111111-1111-4111-8111-111111111111",
    created_at: 1_700_000_000,
    completed: true,
    result: "hello",
    subtype: "success",
    is_error: false,
    total_cost_usd: 0.01,
    permission_mode: "dontAsk",
    exit_code: 0,
    signal: null,
    final_event: { type: "result", subtype: "success", is_error: false },
    cleanup_confirmed: true,
    cleanup: { confirmed: true, retired: 0, escalated: false, survivors: [] },
    native: { version: "2.1.332", executable: "/usr/bin/claude", admitted_by: "tree" },
    followups: [],
    background_tasks: { open: 0, stopped: 0 },
    permission_denials: { count: 0, list: [] },
    events: [],
    event_page: {
      next_cursor: 0,
      oldest_cursor: 1,
      has_more: false,
      missed_events: 0,
      observed_events: 0,
      omitted_events: 0,
    },
    events_truncated: false,
    ...over,
  };
}

/** An engine whose runs do what a test says. Timeouts of `wait` never pass by themselves. */
export class FakeEngine implements Engine {
  readonly runs = new Map<string, FakeRun>();
  /** Thrown by the next `start`. */
  startFault: AdapterError | null = null;
  /** Thrown by every `work`. */
  workFault: AdapterError | null = null;
  /** Replaces what `result` returns. */
  resultOverride: (() => RunInfo | SettledRun) | null = null;
  shutdowns = 0;
  /** Whether cancelling settles a run at once. */
  settlesOnCancel = true;
  #started = 0;
  #startWatchers: (() => void)[] = [];

  start(args: RunArguments, acquiredBy: string | null): RunInfo {
    if (this.shutdowns > 0) throw new AdapterError("cancelled", "shutting down");
    if (this.startFault !== null) {
      const fault = this.startFault;
      this.startFault = null;
      throw fault;
    }
    const info: RunInfo = {
      run_id: runId(++this.#started),
      state: "running",
      session_id: null,
      created_at: 1_700_000_000,
      completed: false,
      activity: "thinking for 3 s",
    };
    const run = { info, args, acquiredBy, settled: null, events: [], cancels: 0, watchers: [] };
    this.runs.set(info.run_id, run);
    for (const wake of this.#startWatchers.splice(0)) wake();
    return info;
  }

  /** Resolves when the n-th run has been started. */
  async started(n: number): Promise<FakeRun> {
    while (this.#started < n) {
      await new Promise<void>((resolve) => this.#startWatchers.push(resolve));
    }
    return this.run(runId(n));
  }

  /** Ends a run. */
  settle(id: string, over: Partial<SettledRun> = {}): void {
    const run = this.run(id);
    run.settled = settledRun({ run_id: id, ...over });
    const { run_id, state, session_id, created_at, completed } = run.settled;
    run.info = { run_id, state, session_id, created_at, completed };
    this.#wake(run);
  }

  /** Adds an event to a run. */
  emit(id: string, event: JsonValue): void {
    const run = this.run(id);
    run.events.push(event);
    this.#wake(run);
  }

  list(): readonly RunInfo[] {
    return [...this.runs.values()].map(({ info }) => info);
  }

  info(id: string): RunInfo {
    return this.run(id).info;
  }

  result(id: string, _maxEvents?: number): RunInfo | SettledRun {
    const run = this.run(id);
    return this.resultOverride?.() ?? run.settled ?? run.info;
  }

  events(id: string, { after_cursor, limit }: PageOptions): EventPage {
    const run = this.run(id);
    if (after_cursor > run.events.length) {
      throw new AdapterError(
        "invalid_cursor",
        `after_cursor ${after_cursor} is newer than the stream`,
      );
    }
    const events = run.events.map((event, i) => ({ cursor: i + 1, event }))
      .slice(after_cursor, after_cursor + limit);
    const next = after_cursor + events.length;
    return {
      ...run.info,
      events,
      next_cursor: next,
      oldest_cursor: 1,
      has_more: next < run.events.length,
      missed_events: 0,
      observed_events: run.events.length,
      omitted_events: 0,
    };
  }

  async wait(id: string, { signal, afterCursor }: WaitOptions): Promise<void> {
    const run = this.run(id);
    const isOver = () =>
      run.info.completed || signal?.aborted === true ||
      (afterCursor !== undefined && run.events.length > afterCursor);
    while (!isOver()) {
      await new Promise<void>((resolve) => {
        run.watchers.push(resolve);
        signal?.addEventListener("abort", () => resolve(), { once: true });
      });
    }
  }

  cancel(id: string): RunInfo & { readonly cancel_requested: boolean } {
    const run = this.run(id);
    if (run.info.completed) return { ...run.info, cancel_requested: false };
    run.cancels++;
    if (this.settlesOnCancel) this.#settleCancelled(id);
    return { ...run.info, cancel_requested: true };
  }

  release(id: string): { readonly run_id: string; readonly released: true } {
    if (!this.run(id).info.completed) throw new AdapterError("run_active", "The run is active");
    this.runs.delete(id);
    return { run_id: id, released: true };
  }

  work(): WorkSnapshot {
    if (this.workFault !== null) throw this.workFault;
    const resources = [...this.runs.values()].map(({ info, acquiredBy }) => ({
      kind: "claude.run" as const,
      id: info.run_id,
      acquired_by: acquiredBy ?? "",
      state: "active" as const,
    }));
    return { format_version: 1, instance_id: runId(999), revision: this.#started, resources };
  }

  shutdown(): Promise<void> {
    this.shutdowns++;
    for (const [id, { info }] of this.runs) if (!info.completed) this.#settleCancelled(id);
    return Promise.resolve();
  }

  run(id: string): FakeRun {
    const run = this.runs.get(id);
    if (run === undefined) {
      throw new AdapterError("unknown_run", `No retained run has the id '${id}'`);
    }
    return run;
  }

  #settleCancelled(id: string): void {
    const error = { code: "cancelled", message: "The run was cancelled" } as const;
    this.settle(id, { state: "cancelled", is_error: true, result: null, subtype: null, error });
  }

  #wake(run: FakeRun): void {
    for (const wake of run.watchers.splice(0)) wake();
  }
}
