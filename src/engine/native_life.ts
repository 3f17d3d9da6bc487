/**
 * One native process under its supervisor, from the decision to start it until nothing of it is left.
 *
 * What its output means is its owner's business: a run with events, a single JSON result, a round of a conversation.
 *
 * @module
 */
import { toAdapterError } from "../base/errors.ts";
import { CLEANUP_DEADLINE_MS, RECEIPT_GRACE_MS } from "../base/limits.ts";
import type { Invocation } from "../contract/run_arguments.ts";
import type { Cause } from "../runs/outcome.ts";
import { NOTHING_STARTED, ReceiptRecord } from "../runs/receipt_record.ts";
import { nextPhase, type Phase, type PhaseEvent } from "../runs/run_phase.ts";
import type {
  Admission,
  Clock,
  Launcher,
  Log,
  SessionLocks,
  Supervised,
} from "../supervision/ports.ts";
import type { Receipt } from "../supervision/receipts.ts";

/** What every life needs from outside. */
export interface LifePorts {
  readonly launcher: Launcher;
  readonly admission: Admission;
  readonly clock: Clock;
  readonly log: Log;
  /**
   * Keeps others from the sessions that a process goes on with.
   *
   * @default {nobody is kept from them}
   */
  readonly sessions?: SessionLocks;
}

/** What is started. */
export interface LifeRequest {
  readonly id: string;
  /** Absolute path of the native executable. */
  readonly executable: string;
  readonly invocation: Invocation;
  /** Whether the native stderr is handed on as it comes, besides its tail. Default: false. */
  readonly forwardStderr?: boolean;
  /**
   * The sessions that it names and its owner does not hold already: nobody else has them while it lives.
   *
   * @default {[]}
   */
  readonly sessions?: readonly string[];
}

/** Who reads the native stdout. */
export interface StdoutReader {
  /** Everything owned is gone: reads what is left, bounded, then leaves. */
  drain(): Promise<void>;
}

/** What an owner is told, and what it does for a life. */
export interface LifeOwner {
  /** Takes over the native stdout; called at most once. */
  read(stdout: ReadableStream<Uint8Array>): StdoutReader;
  /** A receipt was folded into {@linkcode NativeLife.receipts}. */
  received?(receipt: Receipt): void;
  /** The end was asked for, for the first time; `cause` is the first cause. */
  stopping?(cause: Cause): void;
  /** The phase changed. */
  changed?(): void;
}

/** One life. It starts itself. */
export class NativeLife {
  /** Everything its supervisor reported. */
  readonly receipts: ReceiptRecord;
  /** Resolves when the process and all it started are gone or given up, and its output is read. Never rejects. */
  readonly ended: Promise<void>;
  readonly #ports: LifePorts;
  readonly #request: LifeRequest;
  readonly #owner: LifeOwner;
  #phase: Phase = "starting";
  #supervised: Supervised | null = null;
  #cause: Cause | null = null;
  #giveUp: (() => void) | null = null;
  #takeBackGiveUp: (() => void) | null = null;
  #isLooking = false;
  readonly #faulted = new AbortController();
  /** What gives the sessions back that are held, or are about to be. */
  readonly #held: Promise<() => Promise<void>>[] = [];

  /** Starts; `owner` hears of it from the next microtask on. */
  constructor(request: LifeRequest, ports: LifePorts, owner: LifeOwner) {
    this.#request = request;
    this.#ports = ports;
    this.#owner = owner;
    this.receipts = new ReceiptRecord(request.executable);
    this.ended = Promise.resolve().then(() => this.#live());
  }

  /** Where it stands. */
  get phase(): Phase {
    return this.#phase;
  }

  /** The first thing that went wrong; never overwritten. */
  get cause(): Cause | null {
    return this.#cause;
  }

  /** Somebody looked, and nothing that it started is left. */
  get cleanupConfirmed(): boolean {
    return this.receipts.cleanup?.confirmed ?? false;
  }

  /**
   * Asks for the end; the first cause stays. Returns whether it still could make a difference: once the native process
   * has ended, an answer that was paid for is not thrown away.
   */
  stop(cause: Cause): boolean {
    const isOver = this.#phase === "draining" || this.#phase === "settled";
    if (this.receipts.exit !== null || isOver) return false;
    this.fault(cause);
    return true;
  }

  /** Records the first cause and, while there is something to stop, stops it. */
  fault(cause: Cause): void {
    this.#cause ??= cause;
    if (this.#phase !== "starting" && this.#phase !== "running") return;
    this.#step("stop");
    this.#faulted.abort();
    this.#owner.stopping?.(this.#cause);
    this.#supervised?.stop();
    this.#awaitReceipt();
  }

  /** Ends everything at once that is being ended politely; nothing happens unless it is. */
  kill(): void {
    const isEnding = this.#phase === "stopping" || this.receipts.exit !== null;
    if (isEnding && this.#phase !== "settled") this.#supervised?.stop("kill");
  }

  /** Keeps others from a session until the end; that somebody else has it is a fault. Never rejects. */
  async hold(sessionId: string): Promise<void> {
    const { sessions } = this.#ports;
    if (sessions === undefined) return;
    const held = sessions.hold(sessionId, this.#faulted.signal);
    this.#held.push(held);
    try {
      await held;
    } catch (caught) {
      const { code, message } = toAdapterError(caught);
      this.fault({ code, message });
    }
  }

  /**
   * Looks again for what an ended life may have left, and ends it. Resolves to whether clean-up was confirmed by this
   * look; `false` at once when it was confirmed before, or another look is under way.
   */
  async lookAgain(): Promise<boolean> {
    const supervised = this.#supervised;
    const isDue = this.#phase === "settled" && !this.cleanupConfirmed && !this.#isLooking;
    if (!isDue || supervised === null) return false;
    this.#isLooking = true;
    const found = await supervised.recover();
    this.#isLooking = false;
    this.receipts.lookedAgain(found);
    return found.confirmed;
  }

  #step(event: PhaseEvent): void {
    this.#phase = nextPhase(this.#phase, event);
    this.#owner.changed?.();
  }

  async #live(): Promise<void> {
    try {
      await this.#drive();
    } catch (caught) {
      // A fault of ours must not leave a life that never ends, nor a process behind.
      const error = toAdapterError(caught);
      const { id } = this.#request;
      this.#cause ??= { code: error.code, message: error.message };
      this.#ports.log.write("error", "a run failed inside the adapter", { run: id, error });
      if (this.receipts.cleanup === null && this.#supervised !== null) {
        this.receipts.cleanup = await this.#supervised.recover();
      }
    }
    this.#takeBackGiveUp?.();
    for (const held of this.#held) await held.then((release) => release(), () => {});
    this.#phase = "settled";
  }

  async #drive(): Promise<void> {
    const supervised = await this.#launch();
    if (supervised === null) {
      this.receipts.cleanup = NOTHING_STARTED;
      return;
    }
    this.#supervised = supervised;
    if (this.#phase === "stopping") supervised.stop(); // it was stopped before it could be told
    const reader = this.#owner.read(supervised.stdout);
    await Promise.race([
      this.#readReceipts(supervised),
      new Promise<void>((resolve) => this.#giveUp = resolve),
    ]);
    if (this.receipts.cleanup === null) {
      this.#ports.log.write("warn", "no clean-up receipt; looking for what is left", {
        run: this.#request.id,
      });
      this.receipts.cleanup = await supervised.recover();
    }
    this.#step("cleaned");
    await reader.drain();
  }

  /** The supervisor with its job, or `null` when none was started; then the cause says why. */
  async #launch(): Promise<Supervised | null> {
    const { id, executable, invocation, forwardStderr = false, sessions = [] } = this.#request;
    for (const session of sessions) await this.hold(session);
    if (this.#phase !== "starting") return null;
    const checks = await this.#ports.admission.checks(executable);
    this.receipts.expect(checks);
    if (this.#phase !== "starting") return null;
    try {
      return await this.#ports.launcher.launch({
        ...invocation,
        runId: id,
        executable,
        checks,
        forwardStderr,
      });
    } catch (caught) {
      const { code, message } = toAdapterError(caught);
      this.fault({ code, message });
      return null;
    }
  }

  async #readReceipts(supervised: Supervised): Promise<void> {
    try {
      for await (const receipt of supervised.receipts) this.#receive(receipt);
    } catch (error) {
      this.#ports.log.write("warn", "the receipts broke off", { run: this.#request.id, error });
    }
  }

  #receive(receipt: Receipt): void {
    const fault = this.receipts.receive(receipt);
    if (fault !== null) this.fault(fault);
    if (receipt.receipt === "started") this.#step("started");
    if (receipt.receipt === "exit") this.#awaitReceipt();
    this.#owner.received?.(receipt);
  }

  /** From now on the clean-up receipt is due; a supervisor that hangs is not waited for. */
  #awaitReceipt(): void {
    this.#takeBackGiveUp ??= this.#ports.clock.after(
      CLEANUP_DEADLINE_MS + RECEIPT_GRACE_MS,
      () => this.#giveUp?.(),
    );
  }
}
