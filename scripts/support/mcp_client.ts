/**
 * A small MCP client that drives the adapter as a host does: a child process, and JSON lines on its stdio.
 *
 * Written by hand instead of with the official client, since it has to see every line: one that is not
 * JSON-RPC is a fault of the adapter.
 *
 * @module
 */

/** A JSON object as it came. */
// deno-lint-ignore no-explicit-any -- answers are looked at by tests and the demo, which know their shapes
export type Answer = Record<string, any>;

/** How to start the adapter. */
export interface McpClientOptions {
  /** The directory runs work in. */
  readonly cwd: string;
  /** The whole environment of the adapter. */
  readonly env: Readonly<Record<string, string>>;
  /**
   * Arguments after the program.
   *
   * @default {["serve"]}
   */
  readonly args?: readonly string[];
  /**
   * The program and its first arguments.
   *
   * @default {adapterCommand()}
   */
  readonly command?: readonly string[];
}

/** How to call a tool. */
export interface CallOptions {
  /** Asks for progress; each message goes to `onProgress`. */
  readonly onProgress?: (params: Answer) => void;
  /** Cancels the call with `notifications/cancelled`. */
  readonly signal?: AbortSignal;
  /** More members of `_meta`. */
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** What a tool answered. */
export interface ToolAnswer {
  readonly isError: boolean;
  /** `structuredContent.result`. */
  readonly value: Answer;
  /** The text for clients that show only text. */
  readonly text: string;
}

/** A JSON-RPC error. */
export class RpcError extends Error {
  override readonly name = "RpcError";
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** Names a binary, or a launcher of a bundle, that is started in the place of the source. */
export const BINARY_VARIABLE = "CLAUDE_CODE_ADAPTER_BINARY";

/** The binary under test; `null` for the source. */
export function binaryUnderTest(): string | null {
  const named = Deno.env.get(BINARY_VARIABLE) ?? "";
  return named === "" ? null : named;
}

/** The binary under test; else the adapter from source, as the README says to start it: these permissions and no other. */
export function adapterCommand(): readonly string[] {
  const binary = binaryUnderTest();
  if (binary !== null) return [binary];
  const entry = decodeURIComponent(new URL("../../mod.ts", import.meta.url).pathname);
  return [
    Deno.execPath(),
    "run",
    "--quiet",
    "--no-prompt",
    "--v8-flags=--max-semi-space-size=4",
    "--allow-run",
    "--allow-env",
    "--allow-read",
    entry,
  ];
}

/** How long {@linkcode McpClient.close} waits for the adapter: longer than its own whole clean-up may take. */
const CLOSE_MS = 20_000;

interface Waiting {
  readonly resolve: (result: Answer) => void;
  readonly reject: (error: Error) => void;
}

/** The adapter as a child process. */
export class McpClient implements AsyncDisposable {
  readonly pid: number;
  /** Every line of its stdout. */
  readonly lines: string[] = [];
  /** What was wrong with lines that are not JSON-RPC 2.0; empty when all is well. */
  readonly faults: string[] = [];
  /** Messages without an id, oldest first. */
  readonly notifications: Answer[] = [];
  /** Resolves when it has ended and all it wrote has been read. */
  readonly ended: Promise<Deno.CommandStatus>;
  readonly #child: Deno.ChildProcess;
  readonly #stdin: WritableStreamDefaultWriter<Uint8Array>;
  readonly #waiting = new Map<number, Waiting>();
  readonly #progress = new Map<number, (params: Answer) => void>();
  #nextId = 1;
  #stderr = "";
  #isClosed = false;

  private constructor(options: McpClientOptions) {
    const [program = "", ...first] = options.command ?? adapterCommand();
    this.#child = new Deno.Command(program, {
      args: [...first, ...options.args ?? ["serve"]],
      cwd: options.cwd,
      clearEnv: true,
      env: { ...options.env },
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    this.pid = this.#child.pid;
    this.#stdin = this.#child.stdin.getWriter();
    const read = Promise.all([
      readLines(this.#child.stdout, (line) => this.#take(line)),
      readLines(this.#child.stderr, (line) => this.#stderr += `${line}\n`),
    ]);
    this.ended = this.#end(read);
  }

  /** Starts the adapter; it is not initialised yet. */
  static start(options: McpClientOptions): McpClient {
    return new McpClient(options);
  }

  /** Starts the adapter and initialises it. */
  static async connect(options: McpClientOptions): Promise<McpClient> {
    const client = new McpClient(options);
    try {
      await client.initialize();
    } catch (error) {
      await client.close();
      throw error;
    }
    return client;
  }

  /** What it wrote to stderr so far. */
  get stderr(): string {
    return this.#stderr;
  }

  /** Does the handshake; returns the answer to `initialize`. */
  async initialize(): Promise<Answer> {
    const result = await this.request("initialize", {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "adapter-client", version: "1.0.0" },
    });
    this.notify("notifications/initialized");
    return result;
  }

  /**
   * Sends a request.
   *
   * @returns Its result.
   * @throws {RpcError} When it is answered with an error.
   * @throws {Error} When the adapter ends first.
   */
  request(method: string, params: Answer = {}): Promise<Answer> {
    return this.#send(this.#nextId++, method, params);
  }

  /** Sends a notification. */
  notify(method: string, params: Answer = {}): void {
    this.#write(`${JSON.stringify({ jsonrpc: "2.0", method, params })}\n`);
  }

  /**
   * Calls a tool.
   *
   * @throws {RpcError} When the call itself is refused; a failed operation is an answer with `isError`.
   * @throws {unknown} The signal's reason, when it aborts.
   */
  async callTool(name: string, args: Answer = {}, options: CallOptions = {}): Promise<ToolAnswer> {
    const id = this.#nextId++;
    const { onProgress, signal, meta } = options;
    signal?.throwIfAborted();
    if (onProgress !== undefined) this.#progress.set(id, onProgress);
    const aborted = Promise.withResolvers<never>();
    const cancel = () => {
      this.#waiting.delete(id);
      this.notify("notifications/cancelled", { requestId: id, reason: "cancelled" });
      aborted.reject(signal?.reason);
    };
    signal?.addEventListener("abort", cancel, { once: true });
    try {
      const _meta = { ...meta, ...(onProgress === undefined ? {} : { progressToken: id }) };
      const answer = this.#send(id, "tools/call", { name, arguments: args, _meta });
      const result =
        await (signal === undefined ? answer : Promise.race([answer, aborted.promise]));
      return {
        isError: result.isError === true,
        value: result.structuredContent?.result ?? {},
        text: result.content?.[0]?.text ?? "",
      };
    } finally {
      signal?.removeEventListener("abort", cancel);
      this.#progress.delete(id);
    }
  }

  /**
   * Closes stdin, as a host that leaves does, and waits until the adapter has ended. Can be called again.
   *
   * @returns Its exit code.
   * @throws {Error} When it does not end within 20 s (it is killed then).
   */
  async close(): Promise<number> {
    if (!this.#isClosed) {
      this.#isClosed = true;
      // Rejects when it ended already, which is what is wanted.
      await this.#stdin.close().catch(() => {});
    }
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<null>((resolve) => timer = setTimeout(resolve, CLOSE_MS, null));
    const status = await Promise.race([this.ended, late]);
    clearTimeout(timer);
    if (status !== null) return status.code;
    this.kill("SIGKILL");
    await this.#child.status;
    throw new Error(`the adapter did not end within ${CLOSE_MS} ms after its stdin closed`);
  }

  /** Sends the adapter a signal; nothing happens when it has ended. */
  kill(signal: Deno.Signal): void {
    try {
      this.#child.kill(signal);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error; // it has ended
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #send(id: number, method: string, params: Answer): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    });
  }

  #write(line: string): void {
    // When it is gone the write rejects, and `ended` fails whoever waits.
    this.#stdin.write(new TextEncoder().encode(line)).catch(() => {});
  }

  #take(line: string): void {
    this.lines.push(line);
    const message = parseMessage(line);
    if (message === null) {
      this.faults.push(line.slice(0, 300));
      return;
    }
    if (message.id === undefined) {
      this.notifications.push(message);
      if (message.method !== "notifications/progress") return;
      this.#progress.get(message.params?.progressToken)?.(message.params);
      return;
    }
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (waiting === undefined) return;
    if (message.error === undefined) waiting.resolve(message.result);
    else waiting.reject(new RpcError(message.error.code, message.error.message));
  }

  async #end(read: Promise<unknown>): Promise<Deno.CommandStatus> {
    const [status] = await Promise.all([this.#child.status, read]);
    const why = status.signal ?? `exit code ${status.code}`;
    const error = new Error(`the adapter ended (${why}): ${this.#stderr.trim().slice(-1000)}`);
    for (const waiting of this.#waiting.values()) waiting.reject(error);
    this.#waiting.clear();
    return status;
  }
}

function parseMessage(line: string): Answer | null {
  try {
    const message = JSON.parse(line);
    return message?.jsonrpc === "2.0" ? message : null;
  } catch {
    return null;
  }
}

/** Lines of any length; a last one without its newline counts too. */
async function readLines(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  take: (line: string) => void,
): Promise<void> {
  let parts: string[] = [];
  for await (const text of stream.pipeThrough(new TextDecoderStream())) {
    const [first = "", ...rest] = text.split("\n");
    parts.push(first);
    for (const next of rest) {
      take(parts.join(""));
      parts = [next];
    }
  }
  const last = parts.join("");
  if (last !== "") take(last);
}
