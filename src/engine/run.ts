/**
 * One run, from its reservation to its settled value.
 *
 * @module
 */
import { type AdapterError, toAdapterError } from "../base/errors.ts";
import { CLEANUP_DEADLINE_MS, RECEIPT_GRACE_MS } from "../base/limits.ts";
import type { Invocation, RunArguments } from "../contract/run_arguments.ts";
import type { FrameItem } from "../frames/frame_stream.ts";
import { decideOutcome, type Outcome } from "../runs/outcome.ts";
import type { Cause } from "../runs/outcome.ts";
import { NOTHING_STARTED, ReceiptRecord } from "../runs/receipt_record.ts";
import { nextPhase, type Phase, type PhaseEvent } from "../runs/run_phase.ts";
import { RunRecord } from "../runs/run_record.ts";
import { requestedSessions, type SessionClaim } from "../runs/session_claims.ts";
import { settledValue } from "../runs/settled_value.ts";
import { readVerdict } from "../runs/verdict.ts";
import type { ExecutableCheck } from "../supervision/job.ts";
import type { Clock, Launcher, Log, Sha256, Supervised } from "../supervision/ports.ts";
import type { Receipt } from "../supervision/receipts.ts";
import type { RunInfo, SettledRun } from "../runs/values.ts";
import { StreamPump } from "./stream_pump.ts";
import { Watchers } from "./watchers.ts";

/** What every run of an engine shares. */
export interface RunPorts {
  readonly launcher: Launcher;
  readonly clock: Clock;
  readonly log: Log;
  readonly sha256: Sha256;
  readonly checks: readonly ExecutableCheck[];
  readonly oversizedFrames: "skip" | "fail";
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
export class Run {
  readonly id: string;
  readonly acquiredBy: string | null;
  readonly watchers: Watchers = new Watchers();
  /** Resolves when the run has settled; never rejects. */
  readonly settled: Promise<void>;
  readonly #ports: RunPorts;
  readonly #request: RunRequest;
  readonly #record: RunRecord;
  readonly #receipts: ReceiptRecord;
  readonly #createdAt: number;
  readonly #takeBackDeadline: () => void;
  readonly #onSession: (sessionId: string) => Cause | null;
  #phase: Phase = "starting";
  #supervised: Supervised | null = null;
  #cause: Cause | null = null;
  #sessionJudged: string | null = null;
  #sessionHeld: string | null = null;
  #giveUp: (() => void) | null = null;
  #takeBackGiveUp: (() => void) | null = null;
  #outcome: Outcome | null = null;
  #isLooking = false;

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
    this.#receipts = new ReceiptRecord(request.executable, ports.checks);
    const limit = request.args.timeout_seconds;
    this.#takeBackDeadline = clock.after(limit * 1000, () =>
      this.stop({
        code: "timeout",
        message:
          `The run did not end within its ${limit} s; raise 'timeout_seconds' (at most 1800) or ask for less at once`,
      }));
    this.settled = this.#live();
  }

  /** Whether the run has settled. */
  get isSettled(): boolean {
    return this.#phase === "settled";
  }

  /** Whether clean-up was confirmed; meaningful once settled. */
  get cleanupConfirmed(): boolean {
    return this.#receipts.cleanup?.confirmed ?? false;
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
    const state = this.#outcome?.state ?? (this.#phase === "starting" ? "starting" : "running");
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
      version: this.#receipts.version,
      record: this.#record,
      outcome: this.#outcome!,
      exit: this.#receipts.exit,
      cleanup: this.#receipts.cleanup,
      stderrTail: this.#receipts.stderrTail,
    }, maxEvents ?? this.#request.args.max_events);
  }

  /**
   * Asks for the end of the run; the first cause stays. Returns whether it still could make a difference: once the
   * native process has ended, an answer that was paid for is not thrown away.
   */
  stop(cause: Cause): boolean {
    if (this.#receipts.exit !== null || this.#phase === "draining" || this.#phase === "settled") {
      return false;
    }
    this.#fault(cause);
    return true;
  }

  /**
   * Looks again, in the background, for what a settled run may have left, and ends it; does nothing when clean-up
   * was confirmed or such a look is under way. How the run ended does not change by it: the first cause stays.
   */
  lookAgain(): void {
    if (!this.isSettled || this.cleanupConfirmed || this.#isLooking) return;
    this.#isLooking = true;
    void this.#supervised?.recover().then((found) => {
      this.#isLooking = false;
      this.#receipts.lookedAgain(found);
      if (!found.confirmed || this.#outcome === null) return;
      this.#outcome = { ...this.#outcome, cleanupError: null };
      this.#ports.log.write("info", "clean-up was confirmed by a later look", { run: this.id });
      this.watchers.notify();
    });
  }

  /** Records the first cause and, while there is something to stop, stops it. */
  #fault(cause: Cause): void {
    this.#cause ??= cause;
    if (this.#phase !== "starting" && this.#phase !== "running") return;
    this.#step("stop");
    this.#record.activity.set(`stopping (${this.#cause.code})`, this.#ports.clock.monotonic());
    this.#supervised?.stop();
    this.#awaitReceipt();
  }

  #step(event: PhaseEvent): void {
    this.#phase = nextPhase(this.#phase, event);
    this.watchers.notify();
  }

  async #live(): Promise<void> {
    try {
      await this.#drive();
    } catch (caught) {
      // A fault of ours must not leave a run that never settles, nor a process behind.
      const error = toAdapterError(caught);
      this.#cause ??= { code: error.code, message: error.message };
      this.#ports.log.write("error", "a run failed inside the adapter", { run: this.id, error });
      if (this.#receipts.cleanup === null && this.#supervised !== null) {
        this.#receipts.cleanup = await this.#supervised.recover();
      }
    }
    this.#settle();
  }

  async #drive(): Promise<void> {
    const { executable, invocation } = this.#request;
    let supervised: Supervised;
    try {
      supervised = await this.#ports.launcher.launch({
        runId: this.id,
        executable,
        argv: invocation.argv,
        stdin: invocation.stdin,
        env: invocation.env,
        checks: this.#ports.checks,
      });
    } catch (caught) {
      const error: AdapterError = toAdapterError(caught);
      this.#fault({ code: error.code, message: error.message });
      this.#receipts.cleanup = NOTHING_STARTED;
      return;
    }
    this.#supervised = supervised;
    if (this.#phase === "stopping") supervised.stop(); // it was stopped before it could be told
    const pump = new StreamPump(supervised.stdout, {
      clock: this.#ports.clock,
      strict: this.#ports.oversizedFrames === "fail",
      onItems: (items) => this.#observe(items),
      onFault: (cause) => this.#fault(cause),
    });
    await Promise.race([
      this.#readReceipts(supervised),
      new Promise<void>((resolve) => this.#giveUp = resolve),
    ]);
    if (this.#receipts.cleanup === null) {
      this.#ports.log.write("warn", "no clean-up receipt; looking for what is left", {
        run: this.id,
      });
      this.#receipts.cleanup = await supervised.recover();
    }
    this.#step("cleaned");
    await pump.drain();
  }

  /** One look at the clock and one notice for what came together: both showed in a profile when made per frame. */
  #observe(items: readonly FrameItem[]): void {
    const now = this.#ports.clock.monotonic();
    for (const item of items) {
      const fault = this.#record.observe(item, now);
      if (fault !== null) this.#fault(fault);
    }
    const session = this.#record.sessionId;
    if (session !== null && session !== this.#sessionJudged) {
      this.#sessionJudged = session;
      const clash = this.#onSession(session);
      if (clash !== null) this.#fault(clash);
      else this.#sessionHeld = session; // only the first one to report a session holds it
    }
    this.watchers.notify();
  }

  async #readReceipts(supervised: Supervised): Promise<void> {
    try {
      for await (const receipt of supervised.receipts) this.#receive(receipt);
    } catch (error) {
      this.#ports.log.write("warn", "the receipts broke off", { run: this.id, error });
    }
  }

  #receive(receipt: Receipt): void {
    const fault = this.#receipts.receive(receipt);
    if (fault !== null) this.#fault(fault);
    if (receipt.receipt === "started") this.#step("started");
    if (receipt.receipt === "exit") {
      this.#takeBackDeadline();
      this.#awaitReceipt();
      this.#record.activity.set("cleaning up", this.#ports.clock.monotonic());
    }
  }

  /** From now on the clean-up receipt is due; a supervisor that hangs is not waited for. */
  #awaitReceipt(): void {
    this.#takeBackGiveUp ??= this.#ports.clock.after(
      CLEANUP_DEADLINE_MS + RECEIPT_GRACE_MS,
      () => this.#giveUp?.(),
    );
  }

  #settle(): void {
    this.#takeBackDeadline();
    this.#takeBackGiveUp?.();
    const { primary, failures, brokenTail } = this.#record;
    this.#outcome = decideOutcome({
      cause: this.#cause,
      primary,
      exit: this.#receipts.exit,
      cleanup: this.#receipts.cleanup,
      verdict: readVerdict({
        primary,
        latch: failures,
        failedFollowUp: this.#record.failedFollowUp,
        exitCode: this.#receipts.exit?.code ?? null,
        stderrTail: this.#receipts.stderrTail,
        resumed: this.#request.args.resume_session_id !== undefined,
      }),
      brokenTail,
      stderrTail: this.#receipts.stderrTail,
    });
    this.#phase = "settled";
    this.watchers.notify();
  }
}
