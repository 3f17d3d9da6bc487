/** The loopback model: a Messages API on 127.0.0.1 that answers what a script says, streaming as the real one does. */

import { type Failure, failure, type Reply } from "./reply.ts";
import { type LoggedRequest, readRequest } from "./request.ts";
import { BrokenConnection, type RenderContext, streamEvents, wholeMessage } from "./sse.ts";

/**
 * What the model answers: replies in order, one for each request for a message, or a function of the request.
 *
 * When a list runs out, or a function returns undefined, the request gets 400 "the script has no reply"
 * (which the native CLI reports as an error), never silence.
 */
export type Script =
  | readonly Reply[]
  | ((request: LoggedRequest) => Reply | undefined | Promise<Reply | undefined>);

/** How to start the loopback model. */
export interface LoopbackOptions {
  readonly script: Script;
  /**
   * Port on 127.0.0.1; 0 picks a free one.
   *
   * @default {0}
   */
  readonly port?: number;
  /**
   * Requests kept in the log; the oldest go first.
   *
   * @default {200}
   */
  readonly maxRequests?: number;
}

/** A running loopback model. */
export interface LoopbackModel extends AsyncDisposable {
  /** Base URL for ANTHROPIC_BASE_URL, without a trailing slash. */
  readonly url: string;
  /** What was asked, oldest first, every path. */
  readonly requests: readonly LoggedRequest[];
  /** Only the requests for a message, oldest first. */
  readonly messages: readonly LoggedRequest[];
  /**
   * Waits until so many requests for a message have arrived in all.
   *
   * @throws {Error} When the model closes first.
   */
  arrived(count: number): Promise<void>;
  /** Ends every open answer, held ones too, and the server. Can be called twice. */
  close(): Promise<void>;
}

/**
 * Starts a loopback model.
 *
 * @param options The script and the bounds.
 * @returns The running model; `await using` or `close()` ends it.
 */
export function startLoopbackModel(options: LoopbackOptions): LoopbackModel {
  return new Server(options);
}

class Server implements LoopbackModel {
  readonly url: string;
  readonly requests: LoggedRequest[] = [];
  readonly #options: LoopbackOptions;
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  readonly #closing = new AbortController();
  readonly #waiting = new Set<{ count: number; done: () => void; fail: (e: Error) => void }>();
  #messageCount = 0;
  #toolCount = 0;
  #requestCount = 0;

  constructor(options: LoopbackOptions) {
    this.#options = options;
    this.#server = Deno.serve({
      hostname: "127.0.0.1",
      port: options.port ?? 0,
      signal: this.#closing.signal,
      onListen: () => {},
    }, (request) => this.#handle(request));
    this.url = `http://127.0.0.1:${this.#server.addr.port}`;
  }

  get messages(): readonly LoggedRequest[] {
    return this.requests.filter(isMessageRequest);
  }

  arrived(count: number): Promise<void> {
    if (this.#messageCount >= count) return Promise.resolve();
    if (this.#closing.signal.aborted) return Promise.reject(this.#closing.signal.reason);
    return new Promise((done, fail) => this.#waiting.add({ count, done, fail }));
  }

  async close(): Promise<void> {
    const reason = new Error("the loopback model closed");
    this.#closing.abort(reason);
    for (const waiter of this.#waiting) waiter.fail(reason);
    this.#waiting.clear();
    await this.#server.finished;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #handle(request: Request): Promise<Response> {
    let logged: LoggedRequest;
    try {
      logged = await readRequest(request);
    } catch (error) {
      return failed(failure(400, { message: `unreadable request: ${error}` }), this.#requestId());
    }
    this.requests.push(logged);
    if (this.requests.length > (this.#options.maxRequests ?? 200)) this.requests.shift();
    if (isMessageRequest(logged)) return await this.#message(logged);
    if (logged.path === "/v1/messages/count_tokens") return Response.json({ input_tokens: 10 });
    if (logged.path === "/api/hello") return Response.json({ message: "hello" });
    if (logged.method === "HEAD") return new Response(null);
    return failed(failure(404, { message: `no such path: ${logged.path}` }), this.#requestId());
  }

  async #message(logged: LoggedRequest): Promise<Response> {
    const number = ++this.#messageCount;
    for (const waiter of this.#waiting) {
      if (waiter.count > number) continue;
      this.#waiting.delete(waiter);
      waiter.done();
    }
    const reply = await this.#reply(logged, number);
    const requestId = this.#requestId();
    if (reply.kind === "failure") return failed(reply, requestId);
    const left = new AbortController();
    const context: RenderContext = {
      model: logged.body?.model ?? "unknown",
      messageId: `msg_loopback_${padded(number)}`,
      nextToolId: () => `toolu_loopback_${padded(++this.#toolCount)}`,
      signal: AbortSignal.any([this.#closing.signal, left.signal]),
    };
    const streaming = logged.body?.stream === true;
    const broken = streaming ? undefined : reply.steps.find((step) => step.kind === "error");
    if (broken?.kind === "error") return failed(failure(500, broken), requestId);
    const events = streaming ? streamEvents(reply, context) : wholeMessage(reply, context);
    const type = streaming ? "text/event-stream" : "application/json";
    const headers = new Headers({ "content-type": type, "request-id": requestId });
    // An erroring body would tear the connection down too, but Deno prints the error; a body that ends before
    // the length it promised does it silently (measured).
    if (reply.steps.some((step) => step.kind === "break")) {
      headers.set("content-length", "1000000000");
    }
    return new Response(body(events, context.signal, () => left.abort()), { headers });
  }

  async #reply(logged: LoggedRequest, number: number): Promise<Reply> {
    const { script } = this.#options;
    const reply = typeof script === "function" ? await script(logged) : script[number - 1];
    return reply ?? failure(400, { message: `the script has no reply for request ${number}` });
  }

  #requestId(): string {
    return `req_loopback_${padded(++this.#requestCount)}`;
  }
}

function isMessageRequest(request: LoggedRequest): boolean {
  return request.method === "POST" && request.path === "/v1/messages";
}

function padded(count: number): string {
  return String(count).padStart(4, "0");
}

function failed(reply: Failure, requestId: string): Response {
  const error = { type: reply.type, message: reply.message };
  return Response.json({ type: "error", error, request_id: requestId }, {
    status: reply.status,
    headers: { "request-id": requestId, ...reply.headers },
  });
}

/** Pulled by the client, so an answer of any size costs one event of memory. */
function body(
  parts: AsyncGenerator<string, void>,
  signal: AbortSignal,
  onCancel: () => void,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      try {
        const next = await parts.next();
        if (next.done) controller.close();
        else controller.enqueue(encoder.encode(next.value));
      } catch (error) {
        if (!(error instanceof BrokenConnection) && !signal.aborted) throw error;
        controller.close();
      }
    },
    cancel() {
      onCancel();
    },
  });
}
