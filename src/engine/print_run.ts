/**
 * One native call whose output is a single JSON result, passed through byte for byte and judged at its end.
 *
 * @module
 */
import { messageOf } from "../base/errors.ts";
import { isObject, type JsonValue } from "../base/json.ts";
import { MAX_DISCARDED_FRAME_BYTES, QUOTED_LINE_BYTES } from "../base/limits.ts";
import { visible } from "../base/visible.ts";
import { readResult } from "../frames/native.ts";
import { type Cause, decideOutcome, type Outcome } from "../runs/outcome.ts";
import { PRINT_WORDING } from "../runs/wording.ts";
import { judgeResult, type PrimaryResult } from "../runs/primary_result.ts";
import { readVerdict } from "../runs/verdict.ts";
import type { Receipt } from "../supervision/receipts.ts";
import { ByteReader } from "./byte_reader.ts";
import {
  type LifeOwner,
  type LifePorts,
  type LifeRequest,
  NativeLife,
  type StdoutReader,
} from "./native_life.ts";

/** What one print needs. */
export interface PrintRequest extends LifeRequest {
  /** Whether an earlier conversation was asked for. */
  readonly resumed: boolean;
  /** The deadline, start-up included. */
  readonly timeoutSeconds: number;
  /**
   * Takes the native stdout as it comes, one piece after the other; a rejection means that it takes no more, and fails
   * the run. However long it takes, the native process is not made to wait: it gives up on an output that nobody reads
   * about 2 s after its work is done, and exits with 0 (measured).
   */
  readonly onStdout: (bytes: Uint8Array) => Promise<void>;
  /** Takes the native stderr as it comes. */
  readonly onStderr: (text: string) => void;
}

/** A print under way. */
export interface PrintRun {
  /** Asks for the end, of writing too; the first cause stays. */
  stop(cause: Cause): void;
  /** How it ended, after its clean-up and after the last write. Never rejects. */
  readonly ended: Promise<PrintOutcome>;
}

/** How a print ended. */
export interface PrintOutcome extends Outcome {
  /** What `onStdout` rejected with, if that is why the run failed. */
  readonly unwritten?: { readonly reason: unknown };
}

/** Starts one. */
export function startPrint(request: PrintRequest, ports: LifePorts): PrintRun {
  const print = new Print(request, ports);
  return { stop: (cause) => print.stop(cause), ended: print.ended };
}

class Print implements LifeOwner {
  readonly life: NativeLife;
  readonly ended: Promise<PrintOutcome>;
  readonly #request: PrintRequest;
  readonly #ports: LifePorts;
  readonly #chunks: Uint8Array[] = [];
  readonly #takeBackDeadline: () => void;
  readonly #stopped = Promise.withResolvers<Cause>();
  #bytes = 0;
  #writing: Promise<void> = Promise.resolve();
  /** What ended the writing after the native process had ended. */
  #late: Cause | null = null;
  #unwritten: { readonly cause: Cause; readonly reason: unknown } | null = null;

  constructor(request: PrintRequest, ports: LifePorts) {
    this.#request = request;
    this.#ports = ports;
    const { timeoutSeconds } = request;
    this.#takeBackDeadline = ports.clock.after(timeoutSeconds * 1000, () =>
      void this.life.stop({
        code: "timeout",
        message: `The run did not end within its ${timeoutSeconds} s`,
      }));
    this.life = new NativeLife({ ...request, forwardStderr: true }, ports, this);
    this.ended = this.#end();
  }

  stop(cause: Cause): void {
    this.life.stop(cause);
    this.#stopped.resolve(cause);
  }

  read(stdout: ReadableStream<Uint8Array>): StdoutReader {
    return new ByteReader(stdout, { clock: this.#ports.clock, take: (bytes) => this.#take(bytes) });
  }

  received(receipt: Receipt): void {
    if (receipt.receipt === "stderr") this.#request.onStderr(receipt.text);
    if (receipt.receipt === "exit") this.#takeBackDeadline();
  }

  async #end(): Promise<PrintOutcome> {
    await this.life.ended;
    const written = this.#writing.then(() => null);
    this.#late = await Promise.race([written, this.#stopped.promise]);
    return this.#judge();
  }

  #take(bytes: Uint8Array): Promise<void> {
    this.#bytes += bytes.length;
    if (this.#bytes > MAX_DISCARDED_FRAME_BYTES) {
      this.#chunks.length = 0;
      this.life.fault({
        code: "result_too_large",
        message:
          `The result has more than ${MAX_DISCARDED_FRAME_BYTES} bytes, which is the bound: ask for a shorter answer`,
      });
    } else {
      this.#chunks.push(bytes);
      this.#writing = this.#writing.then(() => this.#write(bytes));
    }
    return Promise.resolve();
  }

  async #write(bytes: Uint8Array): Promise<void> {
    if (this.#unwritten !== null) return;
    try {
      await this.#request.onStdout(bytes);
    } catch (reason) {
      const message = `What Claude Code printed cannot be passed on: ${messageOf(reason)}`;
      this.#unwritten ??= { cause: { code: "cancelled", message }, reason };
      this.life.stop(this.#unwritten.cause);
    }
  }

  #judge(): PrintOutcome {
    this.#takeBackDeadline();
    const { receipts } = this.life;
    // Once the native process has ended there is nothing to stop and no cause is taken, but the answer is lost all the
    // same (measured: a full disk is noticed after the exit in 1 of 12 runs).
    const cause = this.life.cause ?? this.#unwritten?.cause ?? this.#late;
    const unwritten = cause !== null && cause === this.#unwritten?.cause ? this.#unwritten : null;
    const { exit, cleanup, stderrTail } = receipts;
    const { primary, fault, brokenTail } = readOutput(this.#chunks);
    const outcome = decideOutcome({
      cause: cause ?? fault,
      primary,
      exit,
      cleanup,
      verdict: readVerdict({
        primary,
        latch: { errorWord: null, limitResetsAt: null, limitRejected: false },
        failedFollowUp: null,
        exitCode: exit?.code ?? null,
        stderrTail,
        resumed: this.#request.resumed,
      }),
      brokenTail,
      stderrTail,
      wording: PRINT_WORDING,
    });
    return { ...outcome, ...(unwritten !== null && { unwritten: { reason: unwritten.reason } }) };
  }
}

interface Output {
  readonly primary: PrimaryResult | null;
  readonly fault: Cause | null;
  readonly brokenTail: string | null;
}

const NO_OUTPUT: Output = { primary: null, fault: null, brokenTail: null };

/** Reads the whole output as the one result it has to be. */
function readOutput(chunks: readonly Uint8Array[]): Output {
  const text = decode(chunks);
  if (text === null) return invalid("it is not UTF-8");
  if (text.trim() === "") return NO_OUTPUT;
  let value: JsonValue;
  try {
    value = JSON.parse(text);
  } catch {
    // Whether it was cut off or was never JSON depends on how the process ended.
    return { ...NO_OUTPUT, brokenTail: visible(text.trim().slice(0, QUOTED_LINE_BYTES)) };
  }
  const native = isObject(value) ? readResult(value) : null;
  if (native === null) return invalid("it is no result object");
  // With background tasks the CLI prints only its last result, which may be a follow-up's (measured).
  const reading = judgeResult({ ...native, originKind: null });
  if (reading.kind === "invalid") return invalid(reading.reason);
  return { ...NO_OUTPUT, primary: reading.kind === "primary" ? reading.result : null };
}

function invalid(reason: string): Output {
  return {
    ...NO_OUTPUT,
    fault: {
      code: "invalid_vendor_response",
      message: `Claude Code printed something else than one JSON result: ${reason}`,
    },
  };
}

function decode(chunks: readonly Uint8Array[]): string | null {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  try {
    return chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join("") +
      decoder.decode();
  } catch {
    return null;
  }
}
