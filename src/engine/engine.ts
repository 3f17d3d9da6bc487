/**
 * The engine: admits runs, keeps them, answers for them, and ends them all.
 *
 * @module
 */
import { AdapterError } from "../base/errors.ts";
import { SHUTDOWN_MS } from "../base/limits.ts";
import type { Invocation, RunArguments } from "../contract/run_arguments.ts";
import { admit, assertReleasable, type RetainedRun } from "../runs/retention.ts";
import { assertSessionFree, busy, holderOf } from "../runs/session_claims.ts";
import { WorkLedger } from "../runs/work_ledger.ts";
import type { NewId } from "../supervision/ports.ts";
import type {
  CancelOptions,
  Engine,
  EventPage,
  PageOptions,
  RunInfo,
  SettledRun,
  WaitOptions,
  WorkSnapshot,
} from "./api.ts";
import { Run, type RunPorts } from "./run.ts";

/** What an engine needs from outside. */
export interface EngineOptions extends RunPorts {
  readonly newId: NewId;
  /** Turns checked arguments into the native invocation. Throws `invalid_arguments`. */
  readonly invoke: (args: RunArguments) => Invocation;
}

/**
 * Makes an engine.
 *
 * Nothing is started until {@linkcode Engine.start}; {@linkcode Engine.shutdown} ends everything it started.
 */
export function createEngine(options: EngineOptions): Engine {
  return new RunEngine(options);
}

class RunEngine implements Engine {
  readonly #options: EngineOptions;
  readonly #runs = new Map<string, Run>(); // in order of creation
  readonly #ledger = new WorkLedger();
  readonly #instanceId: string;
  #shutdown: Promise<void> | null = null;

  constructor(options: EngineOptions) {
    this.#options = options;
    this.#instanceId = options.newId();
  }

  start(args: RunArguments, acquiredBy: string | null): RunInfo {
    if (this.#shutdown !== null) {
      throw new AdapterError("cancelled", "The adapter is shutting down and starts nothing more");
    }
    // Everything that can refuse comes first, so that nothing half starts and nobody is evicted in vain.
    const invocation = this.#options.invoke(args);
    assertSessionFree(args, this.#activeClaims());
    const executable = this.#options.launcher.locate();
    this.#lookAgain();
    const evicted = admit([...this.#runs.values()].map(toRetained));
    if (evicted !== null) this.#runs.delete(evicted);
    const id = this.#options.newId();
    const request = { id, args, invocation, executable, acquiredBy };
    const run = new Run(request, this.#options, (session) => {
      const holder = holderOf(session, id, this.#activeClaims());
      return holder === null ? null : busy(`session '${session}'`, holder);
    });
    this.#runs.set(id, run);
    return run.info();
  }

  list(): readonly RunInfo[] {
    return [...this.#runs.values()].map((run) => run.info());
  }

  info(runId: string): RunInfo {
    return this.#find(runId).info();
  }

  result(runId: string, maxEvents?: number): RunInfo | SettledRun {
    const run = this.#find(runId);
    return run.isSettled ? run.value(maxEvents) : run.info();
  }

  events(runId: string, { after_cursor, limit, max_bytes }: PageOptions): EventPage {
    const run = this.#find(runId);
    return { ...run.info(), ...run.record.events.page(after_cursor, limit, max_bytes) };
  }

  wait(
    runId: string,
    { afterCursor, newActivity, seconds, signal }: WaitOptions,
  ): Promise<void> {
    const run = this.#find(runId);
    const before = newActivity === true ? run.record.activity.what : null;
    const done = () =>
      run.isSettled || (afterCursor !== undefined && run.record.events.observed > afterCursor) ||
      (before !== null && run.record.activity.what !== before);
    return run.watchers.until(done, {
      clock: this.#options.clock,
      ms: seconds * 1000,
      ...(signal === undefined ? {} : { signal }),
    });
  }

  cancel(
    runId: string,
    { kill = false, reason = "The run was cancelled" }: CancelOptions = {},
  ): RunInfo & { readonly cancel_requested: boolean } {
    const run = this.#find(runId);
    run.lookAgain();
    const requested = run.stop({ code: "cancelled", message: reason });
    if (kill) run.kill();
    return { ...run.info(), cancel_requested: requested };
  }

  release(runId: string): { readonly run_id: string; readonly released: true } {
    const run = this.#find(runId);
    run.lookAgain();
    assertReleasable(toRetained(run));
    this.#runs.delete(runId);
    return { run_id: runId, released: true };
  }

  work(): WorkSnapshot {
    const { revision, resources } = this.#ledger.snapshot(
      [...this.#runs.values()].map((run) => ({
        id: run.id,
        acquiredBy: run.acquiredBy,
        uncertain: run.isSettled && !run.cleanupConfirmed,
      })),
    );
    return { format_version: 1, instance_id: this.#instanceId, revision, resources };
  }

  shutdown(): Promise<void> {
    this.#shutdown ??= this.#endAll();
    return this.#shutdown;
  }

  async #endAll(): Promise<void> {
    const runs = [...this.#runs.values()];
    for (const run of runs) {
      run.stop({ code: "cancelled", message: "The connection ended, so the run was cancelled" });
    }
    const { clock, log } = this.#options;
    let takeBack = () => {};
    await Promise.race([
      Promise.all(runs.map((run) => run.settled)),
      new Promise<void>((resolve) => takeBack = clock.after(SHUTDOWN_MS, resolve)),
    ]);
    takeBack();
    for (const run of runs) {
      if (!run.isSettled || !run.cleanupConfirmed) {
        log.write("error", "a run ended without confirmed clean-up", { run: run.id });
      }
    }
  }

  /** Runs whose clean-up was never confirmed would hold their places for ever. */
  #lookAgain(): void {
    for (const run of this.#runs.values()) run.lookAgain();
  }

  #activeClaims() {
    return [...this.#runs.values()].filter((run) => !run.isSettled).map((run) => run.claim);
  }

  #find(runId: string): Run {
    const run = this.#runs.get(runId);
    if (run === undefined) {
      throw new AdapterError(
        "unknown_run",
        `No retained run has the id '${
          runId.slice(0, 64)
        }': claude.run.list names those that are; a released or evicted run is gone, its native session is not`,
      );
    }
    return run;
  }
}

function toRetained(run: Run): RetainedRun {
  return { id: run.id, settled: run.isSettled, cleanupConfirmed: run.cleanupConfirmed };
}
