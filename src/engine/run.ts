/**
 * One run, from its reservation to its settled value.
 *
 * @module
 */
import type { Invocation, RunArguments } from "../contract/run_arguments.ts";
import type { FrameItem } from "../frames/frame_stream.ts";
import { decideOutcome, type Outcome } from "../runs/outcome.ts";
import type { Cause } from "../runs/outcome.ts";
import type { NumberedEvent } from "../runs/event_ring.ts";
import { RunRecord } from "../runs/run_record.ts";
import { namesSession, requestedSessions, type SessionClaim } from "../runs/session_claims.ts";
import { settledValue } from "../runs/settled_value.ts";
import type { RunInfo, SettledRun } from "../runs/values.ts";
import { readVerdict } from "../runs/verdict.ts";
import type { Sha256 } from "../supervision/ports.ts";
import type { Receipt } from "../supervision/receipts.ts";
import { type LifeOwner, type LifePorts, NativeLife, type StdoutReader } from "./native_life.ts";
import { StreamPump } from "./stream_pump.ts";
import { Watchers } from "./watchers.ts";

/** What every run of an engine shares. */
export interface RunPorts extends LifePorts {
  readonly sha256: Sha256;
  readonly oversizedFrames: "skip" | "fail";
  /**
   * Told of everything a run's stream says, at once and in order, so that nothing is missed that is no longer kept when
   * somebody asks. Must not throw, and is not waited for. Default: nobody.
   */
  readonly onItem?: (observed: ObservedItem) => void;
}

/** One item of a run's stream. */
export interface ObservedItem {
  readonly runId: string;
  /** As it was read, whole. */
  readonly item: FrameItem;
  /** The event as it is kept; `null` for a line that is none. */
  readonly event: NumberedEvent | null;
}

/** What makes one run. */
export interface RunRequest {
  readonly id: string;
  readonly args: RunArguments;
  readonly invocation: Invocation;
  /** Absolute path of the native executable. */
  readonly executable: string;
  readonly acquiredBy: string | null;
}

/** One run. It starts itself; everything that it learns is told to {@linkcode Run.watchers}. */
export class Run implements LifeOwner {
  readonly id: string;
  readonly acquiredBy: string | null;
  readonly watchers: Watchers = new Watchers();
  /** Resolves when the run has settled; never rejects. */
  readonly settled: Promise<void>;
  readonly #ports: RunPorts;
  readonly #request: RunRequest;
  readonly #record: RunRecord;
  readonly #life: NativeLife;
  readonly #createdAt: number;
  readonly #takeBackDeadline: () => void;
  readonly #onSession: (sessionId: string) => Cause | null;
  #sessionJudged: string | null = null;
  #sessionHeld: string | null = null;
  #outcome: Outcome | null = null;

  /** Arms the deadline and starts; `onSession` judges a session id as soon as the CLI reports it. */
  constructor(
    request: RunRequest,
    ports: RunPorts,
    onSession: (sessionId: string) => Cause | null,
  ) {
    this.id = request.id;
    this.acquiredBy = request.acquiredBy;
    this.#request = request;
    this.#ports = ports;
    this.#onSession = onSession;
    const { clock } = ports;
    this.#createdAt = Math.floor(clock.now() / 1000);
    this.#record = new RunRecord(ports, clock.monotonic());
    const limit = request.args.timeout_seconds;
    this.#takeBackDeadline = clock.after(limit * 1000, () =>
      this.stop({
        code: "timeout",
        message:
          `The run did not end within its ${limit} s; raise 'timeout_seconds' (at most 1800) or ask for less at once`,
      }));
    this.#life = new NativeLife(
      { ...request, sessions: requestedSessions(request.args) },
      ports,
      this,
    );
    this.settled = this.#life.ended.then(() => this.#settle());
  }

  /** Whether the run has settled. */
  get isSettled(): boolean {
    return this.#outcome !== null;
  }

  /** Whether clean-up was confirmed; meaningful once settled. */
  get cleanupConfirmed(): boolean {
    return this.#life.cleanupConfirmed;
  }

  /** The events of the run. */
  get record(): RunRecord {
    return this.#record;
  }

  /** The sessions it holds while it is active. */
  get claim(): SessionClaim {
    const { args } = this.#request;
    const seen = this.#sessionHeld === null ? [] : [this.#sessionHeld];
    return {
      runId: this.id,
      sessionIds: [...requestedSessions(args), ...seen],
      isUnknown: args.continue_previous === true && this.#sessionJudged === null,
      isSaved: args.no_session_persistence !== true,
    };
  }

  /** The short form. */
  info(): RunInfo {
    const state = this.#outcome?.state ??
      (this.#life.phase === "starting" ? "starting" : "running");
    const base: RunInfo = {
      run_id: this.id,
      state,
      session_id: this.#record.sessionId ?? this.#request.args.session_id ?? null,
      created_at: this.#createdAt,
      completed: this.isSettled,
    };
    if (this.isSettled) return base;
    return { ...base, activity: this.#record.activity.line(this.#ports.clock.monotonic()) };
  }

  /** The whole value of a settled run. Throws `result_too_large`. */
  value(maxEvents?: number): SettledRun {
    return settledValue({
      runId: this.id,
      createdAt: this.#createdAt,
      requestedMode: this.#request.args.permission_mode,
      executable: this.#request.executable,
      receipts: this.#life.receipts,
      record: this.#record,
      outcome: this.#outcome!,
    }, maxEvents ?? this.#request.args.max_events);
  }

  /** Asks for the end of the run; the first cause stays. Returns whether it still could make a difference. */
  stop(cause: Cause): boolean {
    return this.#life.stop(cause);
  }

  /** Ends what is being stopped at once, without the time it is given otherwise. */
  kill(): void {
    this.#life.kill();
  }

  /**
   * Looks again, in the background, for what a settled run may have left, and ends it. How the run ended does not
   * change by it: the first cause stays.
   */
  lookAgain(): void {
    if (!this.isSettled) return;
    void this.#life.lookAgain().then((isConfirmed) => {
      if (!isConfirmed || this.#outcome === null) return;
      this.#outcome = { ...this.#outcome, cleanupError: null };
      this.#ports.log.write("info", "clean-up was confirmed by a later look", { run: this.id });
      this.watchers.notify();
    });
  }

  /** See {@linkcode LifeOwner}. */
  read(stdout: ReadableStream<Uint8Array>): StdoutReader {
    return new StreamPump(stdout, {
      clock: this.#ports.clock,
      strict: this.#ports.oversizedFrames === "fail",
      onItems: (items) => this.#observe(items),
      onFault: (cause) => this.#life.fault(cause),
    });
  }

  /** See {@linkcode LifeOwner}. */
  stopping({ code }: Cause): void {
    this.#record.activity.set(`stopping (${code})`, this.#ports.clock.monotonic());
  }

  /** See {@linkcode LifeOwner}. */
  changed(): void {
    this.watchers.notify();
  }

  /** See {@linkcode LifeOwner}. */
  received({ receipt }: Receipt): void {
    if (receipt !== "exit") return;
    this.#takeBackDeadline();
    this.#record.activity.set("cleaning up", this.#ports.clock.monotonic());
  }

  /** One look at the clock and one notice for what came together: both showed in a profile when made per frame. */
  #observe(items: readonly FrameItem[]): void {
    const now = this.#ports.clock.monotonic();
    for (const item of items) {
      const fault = this.#record.observe(item, now);
      if (fault !== null) this.#life.fault(fault);
      this.#tell(item);
    }
    const session = this.#record.sessionId;
    if (session !== null && session !== this.#sessionJudged) {
      this.#sessionJudged = session;
      const clash = this.#onSession(session);
      if (clash !== null) this.#life.fault(clash);
      else this.#holdReported(session); // only the first one to report a session holds it
    }
    this.watchers.notify();
  }

  /** A conversation that the CLI has chosen, as the latest one or by its title, is known only now. */
  #holdReported(session: string): void {
    this.#sessionHeld = session;
    const { args } = this.#request;
    if (args.continue_previous !== true && args.resume_session_id === undefined) return;
    if (!namesSession(requestedSessions(args), session)) void this.#life.hold(session);
  }

  #tell(item: FrameItem): void {
    const { onItem } = this.#ports;
    if (onItem === undefined) return;
    const isEvent = item.kind === "frame" || item.kind === "oversized";
    onItem({ runId: this.id, item, event: isEvent ? this.#record.events.newest : null });
  }

  #settle(): void {
    this.#takeBackDeadline();
    const { primary, failures, brokenTail, failedFollowUp } = this.#record;
    const { cause, receipts } = this.#life;
    const { exit, cleanup, stderrTail } = receipts;
    this.#outcome = decideOutcome({
      cause,
      primary,
      exit,
      cleanup,
      verdict: readVerdict({
        primary,
        latch: failures,
        failedFollowUp,
        exitCode: exit?.code ?? null,
        stderrTail,
        resumed: this.#request.args.resume_session_id !== undefined,
      }),
      brokenTail,
      stderrTail,
    });
    this.watchers.notify();
  }
}
