/** A proxy that lets nothing through and remembers what it was asked for. */

/** A running sink. */
export interface ProxySink extends AsyncDisposable {
  /** Base URL for HTTP_PROXY and its kin. */
  readonly url: string;
  /** The first line of each request, such as `CONNECT example.com:443 HTTP/1.1`; at most 100, cut to 200 characters. */
  readonly requests: readonly string[];
  /** Ends it. Can be called twice. */
  close(): Promise<void>;
}

const MAX_REQUESTS = 100;
const MAX_LINE_BYTES = 200;
const REFUSAL = "HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";

/** Starts a sink on a free port of 127.0.0.1. */
export function startProxySink(): ProxySink {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const requests: string[] = [];
  const open = new Set<Deno.Conn>();
  const serving = (async () => {
    for await (const connection of listener) {
      open.add(connection);
      void refuse(connection, (line) => {
        if (requests.length < MAX_REQUESTS) requests.push(line);
      }).finally(() => open.delete(connection));
    }
  })().catch(() => {}); // closed
  const close = async () => {
    try {
      listener.close();
    } catch {
      // It was closed before.
    }
    for (const connection of open) closeQuietly(connection);
    await serving;
  };
  return {
    url: `http://127.0.0.1:${listener.addr.port}`,
    requests,
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function refuse(connection: Deno.Conn, seen: (line: string) => void): Promise<void> {
  const bytes = new Uint8Array(MAX_LINE_BYTES);
  let length = 0;
  try {
    while (length < bytes.length && !bytes.subarray(0, length).includes(0x0a)) {
      const count = await connection.read(bytes.subarray(length));
      if (count === null) break;
      length += count;
    }
    const [line = ""] = new TextDecoder().decode(bytes.subarray(0, length)).split("\r\n");
    seen(line);
    await connection.write(new TextEncoder().encode(REFUSAL));
  } catch {
    // It went away.
  }
  closeQuietly(connection);
}

function closeQuietly(connection: Deno.Conn): void {
  try {
    connection.close();
  } catch {
    // It was closed before.
  }
}
