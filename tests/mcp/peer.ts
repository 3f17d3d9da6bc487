import { assert } from "@std/assert";
import { encodeUtf8, isObject, type JsonObject, type JsonValue } from "../../src/base/json.ts";
import { runConnection } from "../../src/mcp/connection.ts";
import type { ConnectionEnd } from "../../src/mcp/stdio_transport.ts";
import type { Log } from "../../src/supervision/ports.ts";
import type { Engine } from "../../src/engine/api.ts";
import { FakeEngine } from "./fake_engine.ts";
import { FakeClock } from "../helpers/fake_clock.ts";

/** A message as a peer sees it. */
export type Message = { readonly [key: string]: JsonValue };

/** Reads messages line by line; every line must be one JSON-RPC 2.0 object. */
export class MessageReader {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #decoder = new TextDecoder();
  #text = "";

  constructor(stream: ReadableStream<Uint8Array>) {
    this.#reader = stream.getReader();
  }

  /** Closes the pipe, as a peer that is gone does. */
  cancel(): Promise<void> {
    return this.#reader.cancel(new Error("Broken pipe"));
  }

  /** The next message, or `null` at the end of the stream. */
  async next(): Promise<JsonObject | null> {
    while (!this.#text.includes("\n")) {
      const { done, value } = await this.#reader.read();
      if (done) {
        assert(this.#text === "", `an unfinished line: ${this.#text}`);
        return null;
      }
      this.#text += this.#decoder.decode(value, { stream: true });
    }
    const newline = this.#text.indexOf("\n");
    const message: unknown = JSON.parse(this.#text.slice(0, newline));
    this.#text = this.#text.slice(newline + 1);
    assert(isObject(message) && message.jsonrpc === "2.0", "every line is JSON-RPC 2.0");
    return message;
  }
}

/** A client end of an in-process connection: the whole server but for the process, on a fake engine. */
export class Peer<E extends Engine = FakeEngine> {
  readonly engine: E;
  readonly clock: FakeClock;
  readonly logged: string[] = [];
  readonly outcome: Promise<ConnectionEnd>;
  readonly #input = new TransformStream<Uint8Array, Uint8Array>();
  readonly #output = new TransformStream<Uint8Array, Uint8Array>();
  readonly #writer = this.#input.writable.getWriter();
  readonly #stop = new AbortController();
  readonly reader: MessageReader;

  constructor(
    { reads = true, engine, clock = new FakeClock(), syncBudgetSeconds = null }: {
      reads?: boolean;
      engine?: E;
      clock?: FakeClock;
      syncBudgetSeconds?: number | null;
    } = {},
  ) {
    this.clock = clock;
    this.engine = engine ?? new FakeEngine() as unknown as E;
    const log: Log = {
      write: (level, message, fields) =>
        this.logged.push(`${level} ${message} ${JSON.stringify(fields ?? {})}`),
    };
    this.reader = reads
      ? new MessageReader(this.#output.readable)
      : null as unknown as MessageReader;
    this.outcome = runConnection({
      engine: this.engine,
      clock: this.clock,
      log,
      version: "0.0.0-test",
      syncBudgetSeconds,
      input: this.#input.readable,
      output: this.#output.writable.getWriter(),
      stop: this.#stop.signal,
    });
  }

  /** A peer that is past initialize. */
  static async ready(): Promise<Peer> {
    const peer = new Peer();
    await peer.initialize();
    return peer;
  }

  async initialize(protocolVersion = "2025-06-18"): Promise<JsonObject> {
    const answer = await this.request("init", "initialize", {
      protocolVersion,
      capabilities: {},
      clientInfo: { name: "test", version: "1" },
    });
    await this.send({ jsonrpc: "2.0", method: "notifications/initialized" });
    return answer;
  }

  /** Sends bytes, or a line of text, or a message. */
  async send(what: Uint8Array | string | object): Promise<void> {
    const bytes = what instanceof Uint8Array
      ? what
      : encodeUtf8((typeof what === "string" ? what : JSON.stringify(what)) + "\n");
    await this.#writer.write(bytes);
  }

  /** Sends a request and reads one message, which must be its answer. */
  async request(id: string | number, method: string, params?: object): Promise<JsonObject> {
    await this.send({ jsonrpc: "2.0", id, method, ...(params && { params }) });
    const answer = await this.next();
    assert(answer.id === id, `expected the answer to ${id}, got one to ${answer.id}`);
    return answer;
  }

  /** Sends a tool call without waiting for its answer. */
  call(id: string | number, name: string, args?: object, meta?: object): Promise<void> {
    const params = { name, ...(args && { arguments: args }), ...(meta && { _meta: meta }) };
    return this.send({ jsonrpc: "2.0", id, method: "tools/call", params });
  }

  /** The next message; the stream must not end. */
  async next(): Promise<JsonObject> {
    const message = await this.reader.next();
    assert(message !== null, "the connection ended");
    return message;
  }

  /** Closes the server's input. */
  endInput(): Promise<void> {
    return this.#writer.close();
  }

  /** Makes every later write of the server fail, as a closed pipe does. */
  closeOutput(): Promise<void> {
    return this.reader.cancel();
  }

  /** What a signal to the process does. */
  stop(): void {
    this.#stop.abort();
  }

  /** Ends the connection and waits for it. */
  async end(): Promise<void> {
    await this.endInput();
    await this.outcome;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.stop();
    const drained = this.#drain();
    await this.outcome;
    void drained;
  }

  async #drain(): Promise<void> {
    try {
      while (await this.reader?.next()) { /* let the last answers go */ }
    } catch {
      // The other side is gone.
    }
  }
}
