/**
 * The tool bridge: an MCP server on this machine's loopback, for one run of the CLI and nobody else.
 *
 * @module
 */
import { AdapterError, isMissingPermission, messageOf } from "../base/errors.ts";
import { BRIDGE_CLOSE_MS } from "../base/limits.ts";
import { type Door, refusal } from "./door.ts";
import { Sessions, type SessionsOptions } from "./sessions.ts";

/** How to open a bridge. */
export interface BridgeOptions extends SessionsOptions {}

/** Where a bridge listens, and with which key. */
export interface BridgeAddress {
  /** With a path that nobody can guess. */
  readonly url: string;
  /** The whole `Authorization` header. */
  readonly authorization: string;
}

const LOOPBACK = "127.0.0.1";

/** An open bridge. It listens from its construction on. */
export class Bridge implements AsyncDisposable {
  /** Where it listens. Both parts are secrets. */
  readonly address: BridgeAddress;
  readonly #options: BridgeOptions;
  readonly #sessions: Sessions;
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  readonly #cut = new AbortController();
  /** Answers to the client that are on their way. */
  readonly #answers = new Set<Promise<void>>();
  #closing: Promise<void> | null = null;

  /**
   * Opens the bridge on a free port of 127.0.0.1. Needs --allow-net=127.0.0.1.
   *
   * @throws {AdapterError} `bridge_failed` when it cannot listen, `invalid_configuration` when it may not.
   */
  constructor(options: BridgeOptions) {
    this.#options = options;
    this.#sessions = new Sessions(options);
    const [path, authorization] = [`/${secret()}/mcp`, `Bearer ${secret()}`];
    let door: Door | null = null;
    try {
      this.#server = Deno.serve({
        hostname: LOOPBACK,
        port: 0,
        signal: this.#cut.signal,
        onListen: () => {},
      }, (request, { completed }) => this.#answer(request, { door: door!, completed }));
    } catch (caught) {
      throw new AdapterError(
        isMissingPermission(caught) ? "invalid_configuration" : "bridge_failed",
        `The bridge for lent tools cannot listen on ${LOOPBACK} (${
          messageOf(caught)
        }); allow it with --allow-net=${LOOPBACK}`,
      );
    }
    const host = `${LOOPBACK}:${this.#server.addr.port}`;
    door = { host, path, authorization };
    this.address = { url: `http://${host}${path}`, authorization };
  }

  /** Whether somebody with the key has asked for the tools and got them. */
  get listed(): boolean {
    return this.#sessions.listed;
  }

  /**
   * Ends it: calls that run are answered as errors, then the transports close, then the listener. May be called again.
   * Never rejects.
   */
  close(reason = "The turn is over"): Promise<void> {
    this.#closing ??= this.#close(reason);
    return this.#closing;
  }

  /** As {@linkcode close}. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(reason: string): Promise<void> {
    const { bench, clock, log } = this.#options;
    bench.close(reason);
    // The answers are written in microtasks that follow; a macrotask later they are on their way.
    await new Promise<void>((resolve) => clock.after(0, resolve));
    await this.#sessions.close().catch((caught) =>
      log.write("debug", "the bridge's sessions ended with an error", {
        error: messageOf(caught),
      })
    );
    // Only the client's answers are waited for. A stranger that keeps a connection open would hold up a shutdown() of
    // the server, and an abort() in the middle of that throws where nobody can catch it (measured).
    const overdue = Promise.withResolvers<void>();
    const takeBack = clock.after(BRIDGE_CLOSE_MS, overdue.resolve);
    await Promise.race([Promise.all(this.#answers), overdue.promise]);
    takeBack();
    this.#cut.abort();
    await this.#server.finished.catch(() => {});
  }

  async #answer(
    request: Request,
    { door, completed }: { readonly door: Door; readonly completed: Promise<void> },
  ): Promise<Response> {
    const refused = refusal(request, door);
    if (refused !== null) {
      await request.body?.cancel();
      const { status, body, headers } = refused;
      return Response.json(body, { status, headers });
    }
    const sent = completed.catch(() => {}).finally(() => this.#answers.delete(sent));
    this.#answers.add(sent);
    try {
      return await this.#sessions.handle(request);
    } catch (caught) {
      this.#options.log.write("warn", "the bridge failed to answer", {
        error: messageOf(caught),
      });
      return Response.json({ error: "internal_error" }, { status: 500 });
    }
  }
}

/** 256 random bits for an address or a header. */
function secret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return bytes.toBase64({ alphabet: "base64url", omitPadding: true });
}
