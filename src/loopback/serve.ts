/** Any HTTP handler on a free port of 127.0.0.1. */

/** A running server. */
export interface LoopbackServer extends AsyncDisposable {
  /** Base URL, without a trailing slash. */
  readonly url: string;
}

/**
 * Starts a server.
 *
 * @param handle Answers each request; a failure of its own is answered with 500.
 * @returns The server; `await using` ends it and every open connection.
 */
export function serveLoopback(
  handle: (request: Request) => Response | Promise<Response>,
): LoopbackServer {
  const closing = new AbortController();
  const server = Deno.serve({
    hostname: "127.0.0.1",
    port: 0,
    signal: closing.signal,
    onListen: () => {},
    onError: () => new Response(null, { status: 500 }),
  }, handle);
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    async [Symbol.asyncDispose]() {
      closing.abort();
      await server.finished;
    },
  };
}
