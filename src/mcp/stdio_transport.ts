/**
 * The SDK's transport over two byte streams, with the rules of {@linkcode Gate}.
 *
 * The SDK's own stdio transport never notices the end of its input, crashes on EPIPE, waits for ever
 * on a peer that stopped reading, and has no bound on a line (all measured or read in its source).
 *
 * @module
 */
import { encodeUtf8, isObject, jsonText } from "../base/json.ts";
import { MAX_MESSAGE_BYTES } from "../base/limits.ts";
import type { Clock, Log } from "../supervision/ports.ts";
import { Gate, type GateStep } from "./gate.ts";
import { LineBuffer } from "./line_buffer.ts";
import { type ByteSink, Outbox, type OutboxFault } from "./outbox.ts";
import { errorAnswer, RpcCode } from "./rpc.ts";
import type { JSONRPCMessage, RequestId, Transport } from "./sdk.ts";

/** Why a connection ends. */
export type ConnectionEnd =
  /** The peer closed our input, or is gone. */
  | "input_ended"
  /** Reading failed. */
  | "input_failed"
  /** A line passed 1 MiB. */
  | "line_too_long"
  /** The program was told to stop. */
  | "stopped"
  /** The server behind the transport could not be loaded. */
  | "server_failed"
  /** Somebody called `close()`. */
  | "closed"
  | OutboxFault;

/** What a transport needs. */
export interface StdioTransportOptions {
  /** Bytes from the peer. Read by one reader, which is never cancelled. */
  readonly input: ReadableStream<Uint8Array>;
  /** Bytes to the peer. */
  readonly output: ByteSink;
  readonly clock: Clock;
  readonly log: Log;
}

/** Progress is dropped while this much waits for the peer: the next report says more anyway. */
const PROGRESS_BACKLOG_BYTES = 64 * 1024;

/** One connection. Ends once, for one reason; what comes after it is for the caller to order. */
export class StdioTransport implements Transport {
  /** Set by the SDK; called exactly once. */
  onclose: (() => void) | undefined;
  /** Set by the SDK. */
  onerror: ((error: Error) => void) | undefined;
  /** Set by the SDK. */
  onmessage: Transport["onmessage"];
  /** The rules and the requests in flight. */
  readonly gate: Gate = new Gate();
  /** Resolves when the connection can take nothing more in, with the first reason. Never rejects. */
  readonly ended: Promise<ConnectionEnd>;

  readonly #options: StdioTransportOptions;
  readonly #outbox: Outbox;
  #resolveEnded: (reason: ConnectionEnd) => void = () => {};
  #started = false;
  #closed = false;
  #idleWaiters: (() => void)[] = [];

  /** Takes both streams; reading starts with {@linkcode StdioTransport.start}. */
  constructor(options: StdioTransportOptions) {
    this.#options = options;
    this.ended = new Promise((resolve) => this.#resolveEnded = resolve);
    this.#outbox = new Outbox({
      output: options.output,
      clock: options.clock,
      onFault: (fault, detail) => {
        options.log.write("warn", "the peer takes no more output", { fault, detail });
        this.end(fault);
      },
    });
  }

  /** Starts reading; the SDK calls it once more. */
  start(): Promise<void> {
    if (!this.#started) void this.#read();
    this.#started = true;
    return Promise.resolve();
  }

  /** Hands a message to whoever listens. */
  deliver(message: JSONRPCMessage): void {
    this.onmessage?.(message);
  }

  /** Queues a message. Never rejects; what may not or cannot be sent is dropped. */
  send(
    message: JSONRPCMessage,
    options?: { relatedRequestId?: RequestId | undefined },
  ): Promise<void> {
    if ("method" in message) {
      const about = options?.relatedRequestId;
      const isStale = about !== undefined && !this.gate.isLive(about);
      if (!isStale && this.#outbox.queuedBytes <= PROGRESS_BACKLOG_BYTES) this.#push(message, null);
    } else if (message.id !== undefined && this.gate.finish(message.id)) {
      this.#push(message, message.id);
    }
    this.#wakeIdle();
    return Promise.resolve();
  }

  /** Admits nothing more, from this moment on. Requests in flight can still be answered. */
  end(reason: ConnectionEnd): void {
    this.gate.close();
    this.#resolveEnded(reason);
  }

  /** Resolves when no request is in flight. */
  idle(): Promise<void> {
    if (this.gate.inFlight === 0) return Promise.resolve();
    return new Promise((resolve) => this.#idleWaiters.push(resolve));
  }

  /** Resolves when the peer has taken every queued byte, or cannot take more. */
  flushed(): Promise<void> {
    return this.#outbox.flushed();
  }

  /** Ends the connection at once; unsent bytes are dropped (see {@linkcode StdioTransport.flushed}). */
  close(): Promise<void> {
    if (!this.#closed) {
      this.#closed = true;
      this.end("closed");
      this.gate.abortAll();
      this.#outbox.stop();
      this.onclose?.();
    }
    return Promise.resolve();
  }

  async #read(): Promise<void> {
    const reader = this.#options.input.getReader();
    const buffer = new LineBuffer(MAX_MESSAGE_BYTES);
    try {
      while (true) {
        const { done, value } = await reader.read();
        if (this.#closed) return;
        if (done) return this.end("input_ended");
        const { lines, oversized } = buffer.push(value);
        for (const line of lines) {
          this.#perform(this.gate.take(line));
          await this.#outbox.room();
          if (this.#closed) return;
        }
        if (oversized) return this.#refuseOversizedLine();
      }
    } catch (caught) {
      const detail = caught instanceof Error ? caught.message : String(caught);
      this.#options.log.write("warn", "reading from the peer failed", { detail });
      this.end("input_failed");
    }
  }

  #perform(step: GateStep): void {
    if (step.kind === "answer") this.#push(step.answer, null);
    else if (step.kind === "deliver") this.deliver(step.message);
  }

  #refuseOversizedLine(): void {
    this.#push(
      errorAnswer(null, {
        code: RpcCode.invalidRequest,
        message:
          `Invalid request: a line passed ${MAX_MESSAGE_BYTES} bytes; the connection closes after clean-up`,
      }),
      null,
    );
    this.end("line_too_long");
  }

  #push(message: unknown, answersId: RequestId | null): void {
    const bytes = encodeUtf8(jsonText(message) + "\n");
    if (bytes.length - 1 <= MAX_MESSAGE_BYTES) return this.#outbox.push(bytes);
    const size = bytes.length - 1;
    const method = isObject(message) ? message.method : undefined;
    this.#options.log.write("error", "an outgoing message was too large", { size, method });
    if (answersId === null) return;
    this.#push(
      errorAnswer(answersId, {
        code: RpcCode.internalError,
        message:
          `The answer has ${size} bytes; one message may have ${MAX_MESSAGE_BYTES}. Ask for less, such as a smaller page`,
      }),
      null,
    );
  }

  #wakeIdle(): void {
    if (this.gate.inFlight > 0) return;
    const waiters = this.#idleWaiters;
    this.#idleWaiters = [];
    for (const resume of waiters) resume();
  }
}
