/**
 * MCP sessions of the bridge: a server and a transport for each client that introduces itself.
 *
 * @module
 */
import {
  BRIDGE_KEEP_ALIVE_MS,
  MAX_BRIDGE_BODY_BYTES,
  MAX_BRIDGE_SESSIONS,
} from "../base/limits.ts";
import { PROGRAM_NAME, VERSION } from "../base/version.ts";
import type { Clock, Log } from "../supervision/ports.ts";
import {
  CallToolRequestSchema,
  ListToolsRequestSchema,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from "./sdk.ts";
import type { ToolBench } from "./tool_bench.ts";

/** What sessions are made with. */
export interface SessionsOptions {
  readonly bench: ToolBench;
  readonly clock: Clock;
  readonly log: Log;
  /**
   * How often a waiting stream says that it is alive, in milliseconds; `null` is never.
   *
   * @default {5000}
   */
  readonly keepAliveMs?: number | null;
}

interface Session {
  readonly server: Server;
  readonly transport: WebStandardStreamableHTTPServerTransport;
}

const BOTH_TYPES = "application/json, text/event-stream";

/** All sessions of one bridge. */
export class Sessions {
  readonly #options: SessionsOptions;
  /** Oldest first. */
  readonly #sessions = new Map<string, Session>();
  #listed = false;
  #closed = false;

  /** Starts without any. */
  constructor(options: SessionsOptions) {
    this.#options = options;
  }

  /** Whether somebody has asked for the tools and got them. */
  get listed(): boolean {
    return this.#listed;
  }

  /** Answers a request that may come in. */
  async handle(request: Request): Promise<Response> {
    if (this.#closed) return rpcError(503, "The bridge is closing");
    const id = request.headers.get("mcp-session-id");
    if (id !== null) {
      const session = this.#sessions.get(id);
      return session === undefined
        ? rpcError(404, "Session not found")
        : await session.transport.handleRequest(tolerant(request));
    }
    const session = await this.#open(request);
    const response = await session.transport.handleRequest(tolerant(request));
    // It was no introduction, such as `server/discover`; the transport has said so.
    if (session.transport.sessionId === undefined) await session.server.close();
    return response;
  }

  /** Ends all sessions with their streams. */
  async close(): Promise<void> {
    this.#closed = true;
    const open = [...this.#sessions.values()];
    this.#sessions.clear();
    await Promise.all(open.map(({ server }) => server.close()));
  }

  async #open(request: Request): Promise<Session> {
    const { log, keepAliveMs = BRIDGE_KEEP_ALIVE_MS } = this.#options;
    const accept = request.headers.get("accept") ?? "*/*";
    const server = this.#server();
    const transport: WebStandardStreamableHTTPServerTransport =
      new WebStandardStreamableHTTPServerTransport({
        sessionIdGenerator: () => crypto.randomUUID(),
        onsessioninitialized: (id: string) => this.#add(id, { server, transport }),
        onsessionclosed: (id: string) => void this.#sessions.delete(id),
        keepAliveMs: keepAliveMs ?? 0,
        maxRequestBodySize: MAX_BRIDGE_BODY_BYTES,
        enableJsonResponse: !/text\/event-stream|text\/\*|\*\/\*/i.test(accept),
      });
    server.onerror = (error) =>
      log.write("debug", "the bridge met an error", { error: error.message });
    await server.connect(transport);
    return { server, transport };
  }

  #add(id: string, session: Session): void {
    this.#sessions.set(id, session);
    if (this.#sessions.size <= MAX_BRIDGE_SESSIONS) return;
    const [oldest, { server }] = this.#sessions.entries().next().value!;
    this.#sessions.delete(oldest);
    void server.close().catch(() => {});
  }

  #server(): Server {
    const { bench } = this.#options;
    const server = new Server(
      { name: PROGRAM_NAME, version: VERSION },
      { capabilities: { tools: {} } },
    );
    server.setRequestHandler(ListToolsRequestSchema, () => {
      this.#listed = true;
      return { tools: bench.list() };
    });
    server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
      const callId = params._meta?.["claudecode/toolUseId"];
      const token = params._meta?.progressToken;
      const stop = token === undefined ? () => {} : this.#beat((progress) =>
        // A stream that is gone cannot be told anything.
        void extra.sendNotification({
          method: "notifications/progress",
          params: { progressToken: token, progress },
        }).catch(() => {})
      );
      try {
        return await bench.call({
          name: params.name,
          input: params.arguments ?? {},
          signal: extra.signal,
          callId: typeof callId === "string" ? callId : null,
        });
      } finally {
        stop();
      }
    });
    return server;
  }

  /** Calls `report` with a growing number now and then until it is stopped. */
  #beat(report: (progress: number) => void): () => void {
    const { clock, keepAliveMs = BRIDGE_KEEP_ALIVE_MS } = this.#options;
    if (keepAliveMs === null) return () => {};
    let progress = 0;
    const next = (): () => void =>
      clock.after(keepAliveMs, () => {
        report(++progress);
        takeBack = next();
      });
    let takeBack = next();
    return () => takeBack();
  }
}

/**
 * The transport insists on both types in `Accept` (measured: 406 to a client that says one). Not a copy of the request:
 * that would ask for its signal, which makes the runtime print a warning.
 */
function tolerant({ url, method, headers, body }: Request): Request {
  const both = new Headers(headers);
  both.set("accept", BOTH_TYPES);
  return new Request(url, { method, headers: both, body });
}

function rpcError(status: number, message: string): Response {
  const error = { code: status === 404 ? -32001 : -32000, message };
  return Response.json({ jsonrpc: "2.0", error, id: null }, { status });
}
