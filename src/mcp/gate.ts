/**
 * The rules of one connection: which line is answered at once, which goes to the server, and which
 * is dropped. No input or output here.
 *
 * The SDK has none of these rules: it answers before `initialize`, takes a second one, replaces a
 * request whose id is reused, never answers a request with a malformed `_meta`, cannot cancel a
 * request with the id 0, and stays silent about what it cannot parse (all read in its source).
 *
 * @module
 */
import { isObject, type JsonObject, type JsonValue } from "../base/json.ts";
import { MAX_IN_FLIGHT_REQUESTS } from "../base/limits.ts";
import { isRequestId, readIncoming } from "./incoming.ts";
import { errorAnswer, RpcCode } from "./rpc.ts";
import type { RpcCodeValue, RpcErrorAnswer, RpcResultAnswer } from "./rpc.ts";
import type { JSONRPCNotification, JSONRPCRequest, RequestId } from "./sdk.ts";

/** What to do with a line. */
export type GateStep =
  | { readonly kind: "ignore" }
  /** Send this. */
  | { readonly kind: "answer"; readonly answer: RpcErrorAnswer | RpcResultAnswer }
  /** Hand this to the server. A request stays in flight until {@linkcode Gate.finish}. */
  | { readonly kind: "deliver"; readonly message: JSONRPCRequest | JSONRPCNotification };

/** Whether `initialize` was accepted. */
export type GatePhase = "new" | "ready";

interface Request {
  readonly id: RequestId;
  readonly method: string;
  readonly params: JsonValue | undefined;
}

interface View {
  readonly phase: GatePhase;
  readonly closing: boolean;
  readonly inFlight: number;
  isActive(id: RequestId): boolean;
}

interface Refusal {
  readonly code: RpcCodeValue;
  readonly message: string;
}

interface Active {
  readonly method: string;
  readonly abort: AbortController;
  cancelled: boolean;
}

const METHODS: ReadonlySet<string> = new Set([
  "initialize",
  "ping",
  "tools/list",
  "tools/call",
  "resources/list",
  "resources/read",
]);
const IGNORE: GateStep = { kind: "ignore" };
/**
 * Tasks are not offered, so what a request says about them is ignored, as the protocol asks. The SDK
 * would drop a request whose related task it cannot read, and fail one that asks for a task.
 */
const RELATED_TASK = "io.modelcontextprotocol/related-task";

/** Every rule a request must pass, in the order in which they are asked. */
const RULES: readonly ((request: Request, view: View) => Refusal | null)[] = [
  (request, view) =>
    view.isActive(request.id)
      ? refuse(
        RpcCode.invalidRequest,
        "Invalid request: this id is still active; use a new id for every request",
      )
      : null,
  (request, view) =>
    view.phase === "new" && request.method !== "initialize" && request.method !== "ping"
      ? refuse(RpcCode.notInitialized, "Not initialized: send initialize first")
      : null,
  (request, view) =>
    view.phase === "ready" && request.method === "initialize"
      ? refuse(RpcCode.invalidRequest, "Invalid request: this connection is already initialized")
      : null,
  (request, view) =>
    view.closing && request.method !== "ping"
      ? refuse(RpcCode.unavailable, "The server is shutting down and takes no more requests")
      : null,
  (request) =>
    METHODS.has(request.method) ? null : refuse(
      RpcCode.methodNotFound,
      `Method not found; this server knows ${[...METHODS].join(", ")}`,
    ),
  (request) =>
    request.params === undefined || isObject(request.params)
      ? null
      : refuse(RpcCode.invalidParams, `Invalid params: "params" must be an object`),
  (request) => checkMeta(request.params),
  (request) => request.method === "initialize" ? checkInitialize(request.params) : null,
  // A ping is answered at once and never in flight: it is how hosts see that the server is alive.
  (request, view) =>
    request.method !== "ping" && view.inFlight >= MAX_IN_FLIGHT_REQUESTS
      ? refuse(
        RpcCode.unavailable,
        `Too many requests in flight: at most ${MAX_IN_FLIGHT_REQUESTS}; wait for an answer or cancel one`,
      )
      : null,
];

/** The state of one connection. */
export class Gate {
  #phase: GatePhase = "new";
  #closing = false;
  readonly #active = new Map<RequestId, Active>();

  /** Where the connection stands. */
  get phase(): GatePhase {
    return this.#phase;
  }

  /** Requests that were delivered and have not finished. */
  get inFlight(): number {
    return this.#active.size;
  }

  /** Decides about one line (bytes without the newline). Never throws. */
  take(line: Uint8Array): GateStep {
    const incoming = readIncoming(line);
    switch (incoming.kind) {
      case "blank":
      case "response":
        return IGNORE;
      case "invalid":
        return { kind: "answer", answer: errorAnswer(incoming.id, incoming) };
      case "notification":
        return this.#notification(incoming.method, incoming.params);
      case "request":
        return this.#request(incoming);
    }
  }

  /**
   * The handler of a delivered request is done: frees its id. Returns whether its answer may be sent;
   * not after a cancellation, since a late answer breaks some peers.
   */
  finish(id: RequestId): boolean {
    const active = this.#active.get(id);
    this.#active.delete(id);
    return active !== undefined && !active.cancelled;
  }

  /** Aborts when the peer cancels the request or the connection ends. */
  signal(id: RequestId): AbortSignal {
    return this.#active.get(id)?.abort.signal ?? AbortSignal.abort();
  }

  /** Whether a message about this request (its progress) may still be sent. */
  isLive(id: RequestId): boolean {
    return this.#active.get(id)?.cancelled === false;
  }

  /** Admits nothing more. Requests in flight go on. */
  close(): void {
    this.#closing = true;
  }

  /** Tells every request in flight that the connection ends. Their answers may still be sent. */
  abortAll(): void {
    for (const { abort } of this.#active.values()) abort.abort();
  }

  #request(request: Request): GateStep {
    const view: View = {
      phase: this.#phase,
      closing: this.#closing,
      inFlight: this.#active.size,
      isActive: (id) => this.#active.has(id),
    };
    for (const rule of RULES) {
      const refusal = rule(request, view);
      if (refusal !== null) return { kind: "answer", answer: errorAnswer(request.id, refusal) };
    }
    if (request.method === "ping") {
      return { kind: "answer", answer: { jsonrpc: "2.0", id: request.id, result: {} } };
    }
    // Ready at once, so that a script may send its first requests without waiting for the answer.
    if (request.method === "initialize") this.#phase = "ready";
    this.#active.set(request.id, {
      method: request.method,
      abort: new AbortController(),
      cancelled: false,
    });
    return { kind: "deliver", message: rebuild(request) };
  }

  #notification(method: string, params: JsonValue): GateStep {
    if (method === "notifications/cancelled" && isObject(params) && isRequestId(params.requestId)) {
      const active = this.#active.get(params.requestId);
      if (active !== undefined && active.method !== "initialize") {
        active.cancelled = true;
        active.abort.abort();
      }
      return IGNORE;
    }
    return method === "notifications/initialized" && this.#phase === "ready"
      ? { kind: "deliver", message: { jsonrpc: "2.0", method } }
      : IGNORE;
  }
}

/** A clean copy: the SDK leaves a request with any other member unanswered. */
function rebuild({ id, method, params }: Request): JSONRPCRequest {
  if (!isObject(params)) return { jsonrpc: "2.0", id, method };
  const clean: Record<string, unknown> = { ...params };
  delete clean.task;
  if (isObject(params._meta)) {
    const meta: Record<string, unknown> = { ...params._meta };
    delete meta[RELATED_TASK];
    clean._meta = meta;
  }
  return { jsonrpc: "2.0", id, method, params: clean };
}

function checkMeta(params: JsonValue | undefined): Refusal | null {
  const meta = isObject(params) ? params._meta : undefined;
  if (meta === undefined) return null;
  if (!isObject(meta)) {
    return refuse(RpcCode.invalidParams, `Invalid params: "_meta" must be an object`);
  }
  const token = meta.progressToken;
  const isToken = token === undefined || typeof token === "string" || Number.isSafeInteger(token);
  return isToken ? null : refuse(
    RpcCode.invalidParams,
    `Invalid params: "_meta.progressToken" must be a string or an integer`,
  );
}

function checkInitialize(params: JsonValue | undefined): Refusal | null {
  const proposed = (params as JsonObject | undefined)?.protocolVersion;
  return typeof proposed === "string" ? null : refuse(
    RpcCode.invalidParams,
    `Invalid params: initialize needs "protocolVersion", a string such as "2025-06-18"`,
  );
}

function refuse(code: RpcCodeValue, message: string): Refusal {
  return { code, message };
}
