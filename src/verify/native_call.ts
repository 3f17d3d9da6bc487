/**
 * One native process under our own supervisor, so that nothing of it is left however it behaves.
 *
 * @module
 */
import { toAdapterError } from "../base/errors.ts";
import type { JsonObject } from "../base/json.ts";
import { CLEANUP_DEADLINE_MS, DRAIN_MAX_MS, RECEIPT_GRACE_MS } from "../base/limits.ts";
import { within } from "../host/clock.ts";
import { NOTHING_STARTED, ReceiptRecord } from "../runs/receipt_record.ts";
import type { Clock, Launcher, Supervised } from "../supervision/ports.ts";
import { type EndReason, frameOf, type NativeRecord } from "./native_record.ts";

/** What is kept of a stdout; more ends the process. The longest that a check asks for is below 1 MiB. */
const MAX_STDOUT_BYTES = 16 * 1024 * 1024;

/** A launcher starts processes in this program's own folder; a shell that becomes the CLI changes to another. */
const IN_FOLDER = 'cd "$1" || exit 97; shift; exec "$@"';

/** What is started. */
export interface CallRequest {
  /** Absolute. */
  readonly executable: string;
  readonly argv: readonly string[];
  /** Text for its standard input; `null` is `/dev/null`. */
  readonly stdin: string | null;
  /** The folder it works in, absolute. */
  readonly cwd: string;
  /** Added to what the launcher's processes inherit. */
  readonly env: { readonly [name: string]: string };
  readonly deadlineMs: number;
  /** Hears of each frame as it comes. */
  readonly onFrame?: (frame: JsonObject) => void;
}

/** What every call needs from outside. */
export interface CallPorts {
  readonly launcher: Launcher;
  readonly clock: Clock;
}

/** A process that was started. */
export class NativeCall {
  /** What it did; after its clean-up. Rejects with an `AdapterError` when it could not be started. */
  readonly ended: Promise<NativeRecord>;
  readonly #request: CallRequest;
  readonly #ports: CallPorts;
  readonly #frames: JsonObject[] = [];
  readonly #strays: string[] = [];
  #stdout = "";
  #end: EndReason | null = null;
  #supervised: Supervised | null = null;
  #giveUp: () => void = () => {};
  #takeBackGiveUp: (() => void) | null = null;

  /** Starts it. */
  constructor(request: CallRequest, ports: CallPorts) {
    this.#request = request;
    this.#ports = ports;
    this.ended = this.#live();
  }

  /** Asks it to end with SIGTERM and sees to it. The first reason stays. */
  stop(reason: Exclude<EndReason, "itself">): void {
    this.#end ??= reason;
    this.#supervised?.stop();
    if (this.#supervised !== null) this.#awaitReceipt();
  }

  async #live(): Promise<NativeRecord> {
    const { clock, launcher } = this.#ports;
    const { executable, argv, stdin, cwd, env, deadlineMs } = this.#request;
    const from = clock.monotonic();
    const takeBackDeadline = clock.after(deadlineMs, () => this.stop("deadline"));
    const receipts = new ReceiptRecord(executable);
    const gaveUp = new Promise<void>((resolve) => this.#giveUp = resolve);
    try {
      const supervised = await launcher.launch({
        runId: crypto.randomUUID(),
        executable: "/bin/sh",
        argv: ["-c", IN_FOLDER, "sh", cwd, executable, ...argv],
        stdin,
        env,
        checks: [],
      });
      this.#supervised = supervised;
      if (this.#end !== null) this.stop(this.#end as Exclude<EndReason, "itself">);
      const leaving = new AbortController();
      const reading = this.#read(supervised.stdout, leaving.signal);
      await Promise.race([this.#fold(supervised, receipts), gaveUp]);
      receipts.cleanup ??= await supervised.recover();
      await within(clock, DRAIN_MAX_MS, reading);
      leaving.abort();
    } finally {
      takeBackDeadline();
      this.#takeBackGiveUp?.();
    }
    return {
      argv,
      stdout: this.#stdout,
      frames: this.#frames,
      strays: this.#strays,
      stderr: receipts.stderrTail,
      exit: receipts.exit,
      cleanup: receipts.cleanup ?? NOTHING_STARTED,
      end: this.#end ?? "itself",
      ms: clock.monotonic() - from,
    };
  }

  async #fold(supervised: Supervised, receipts: ReceiptRecord): Promise<void> {
    try {
      for await (const receipt of supervised.receipts) {
        const fault = receipts.receive(receipt);
        if (fault !== null) receipts.stderrTail = fault.message;
        if (receipt.receipt === "exit") this.#awaitReceipt();
      }
    } catch (caught) {
      receipts.stderrTail = toAdapterError(caught).message;
    }
  }

  /** From now on the clean-up receipt is due. */
  #awaitReceipt(): void {
    this.#takeBackGiveUp ??= this.#ports.clock.after(
      CLEANUP_DEADLINE_MS + RECEIPT_GRACE_MS,
      () => this.#giveUp(),
    );
  }

  async #read(stdout: ReadableStream<Uint8Array>, leaving: AbortSignal): Promise<void> {
    const decoder = new TextDecoder();
    const reader = stdout.getReader();
    const leave = () => void reader.cancel().catch(() => {});
    leaving.addEventListener("abort", leave, { once: true });
    let rest = "";
    let bytes = 0;
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        bytes += value.length;
        if (bytes > MAX_STDOUT_BYTES) {
          this.stop("flood");
          continue; // it is read on, so that it can end, and not kept
        }
        const text = decoder.decode(value, { stream: true });
        this.#stdout += text;
        const lines = (rest + text).split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines) this.#take(line);
      }
    } catch {
      // A pipe that fails has ended.
    }
    this.#take(rest);
  }

  #take(line: string): void {
    if (line.trim() === "") return;
    const frame = frameOf(line);
    if (frame === null) {
      this.#strays.push(line);
      return;
    }
    this.#frames.push(frame);
    this.#request.onFrame?.(frame);
  }
}
