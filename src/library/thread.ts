/**
 * A chat thread: one native session, resumed each round, begun anew with a transcript when it is gone.
 *
 * @module
 */
import { AdapterError } from "../base/errors.ts";
import { PROGRAM_NAME } from "../base/version.ts";
import { type FileLock, takeLock } from "../host/file_lock.ts";
import {
  hasFileBelow,
  makeFolder,
  makeScratchFolder,
  readText,
  removeFolder,
  writeSecret,
} from "../host/scratch_folder.ts";
import { authEnv, type ThreadAuth } from "../threads/auth_env.ts";
import { type Collected, UpdateCollector } from "../threads/collect_updates.ts";
import type { ThreadCost } from "../threads/cost.ts";
import { mcpConfigText, type McpServers } from "../threads/mcp_config.ts";
import { threadSessionId } from "../threads/session_id.ts";
import { NoConversation, SessionTaken, ThreadBusy } from "../threads/thread_error.ts";
import {
  type RoundSession,
  type ThreadArguments,
  threadArgv,
} from "../threads/thread_invocation.ts";
import { encodeThreadState, readThreadState } from "../threads/thread_state.ts";
import { buildTranscript, type TranscriptOptions, type Turn } from "../threads/transcript.ts";
import type { Update } from "../threads/updates.ts";
import { encodeUserMessage, type UserMessage } from "../threads/user_message.ts";
import type { HostPorts } from "./host_ports.ts";
import { type RoundOutcome, runRound } from "./round.ts";
import type { Turnstile } from "./turnstile.ts";

/** How a thread talks to Claude Code. */
export interface ThreadOptions extends ThreadArguments {
  /** The directory of every round; sessions belong to it. Default: the program's own. */
  readonly cwd?: string;
  /** The CLI's configuration folder, which is what keeps users apart. Default: inherited. */
  readonly configDir?: string;
  /** How to log in. Default: `{ kind: "inherit" }`. */
  readonly auth?: ThreadAuth;
  /** MCP servers of the thread. Their secrets go through a private file. Default: none. */
  readonly mcpServers?: McpServers;
  /** The namespace of session ids, a UUID. Default: see `session_id.ts`. */
  readonly namespace?: string;
  /** The longest silence, milliseconds. Default: 120,000. */
  readonly idleMs?: number;
  /** The longest silence while a tool or a background task runs, milliseconds. Default: `idleMs`. */
  readonly toolIdleMs?: number;
  /** Bounds of the transcript that is handed over. */
  readonly transcript?: TranscriptOptions;
  /** What to do while another round of the thread runs in this process. Default: `wait`. */
  readonly whenBusy?: "wait" | "fail";
}

/** What a round may be given besides its message. */
export interface SendOptions {
  /** Ends the round and everything it started. */
  readonly signal?: AbortSignal;
  /** Earlier turns, oldest first, handed over only when the CLI has no conversation any more. */
  readonly history?: readonly Turn[];
}

/** What threads of one program share. */
export interface ThreadHost {
  readonly ports: HostPorts;
  readonly turnstile: Turnstile;
}

/** The updates of one round, to be iterated or collected, once. */
export interface ThreadRound extends AsyncGenerator<Update, void> {
  /** Reads all of it; resolves to the whole answer. Rejects as the iteration throws. */
  collect(): Promise<Collected>;
}

const DEFAULT_IDLE_MS = 120_000;

const STARTS = { resume: "resumed", fork: "forked", fresh: "fresh" } as const;

/** One message on its way. */
interface Call {
  readonly id: string;
  readonly cwd: string;
  readonly line: string;
  readonly lock: FileLock;
  readonly message: UserMessage;
  readonly options: SendOptions;
}

/** One thread. */
export interface Thread {
  /** The native session of this thread: a UUID of its path, the same on every machine. */
  sessionId(): Promise<string>;
  /**
   * Sends one message. The round begins with the first update that is asked for, and ends with its clean-up; breaking
   * off ends it. One round at a time, across processes too. Iterating throws `AdapterError` or one of its closer
   * classes when the round fails.
   */
  send(message: UserMessage, options?: SendOptions): ThreadRound;
  /** A thread that begins with everything that was said in this one, and leaves this one as it is. */
  fork(path: string): Thread;
  /** Whether the CLI has a conversation of this thread. */
  exists(): Promise<boolean>;
  /** What the thread cost so far, as the last round left it; `null` when nothing is known. */
  cost(): Promise<ThreadCost | null>;
  /** Forgets what is remembered of its costs and its directory. The conversation itself is the CLI's and stays. */
  forget(): Promise<void>;
}

/** A thread on this machine's processes. */
export class NativeThread implements Thread {
  readonly #host: ThreadHost;
  readonly #path: string;
  readonly #options: ThreadOptions;
  readonly #source: NativeThread | null;

  /**
   * Nothing is started yet. `path` names the thread, and with it the session, on every machine alike. A thread with a
   * `source` begins with everything that was said there.
   */
  constructor(
    host: ThreadHost,
    path: string,
    options: ThreadOptions & { readonly source?: NativeThread } = {},
  ) {
    const { source = null, ...others } = options;
    this.#host = host;
    this.#path = path;
    this.#options = others;
    this.#source = source;
  }

  /** See {@linkcode Thread}. */
  fork(path: string): Thread {
    return new NativeThread(this.#host, path, { ...this.#options, source: this });
  }

  /** See {@linkcode Thread}. */
  async exists(): Promise<boolean> {
    const name = `${await this.sessionId()}.jsonl`;
    return await hasFileBelow(`${await this.#folder()}/projects`, name);
  }

  /** See {@linkcode Thread}. */
  async cost(): Promise<ThreadCost | null> {
    const text = await readText(await this.#lockPath(await this.sessionId()));
    return readThreadState(text ?? "").cost;
  }

  /** See {@linkcode Thread}. */
  async forget(): Promise<void> {
    const lock = await this.#lock(await this.sessionId(), {});
    try {
      await lock.remove();
    } finally {
      lock.release();
    }
  }

  /** See {@linkcode Thread}. */
  sessionId(): Promise<string> {
    const { namespace } = this.#options;
    return threadSessionId(this.#path, namespace === undefined ? {} : { namespace });
  }

  /** See {@linkcode Thread}. */
  send(message: UserMessage, options: SendOptions = {}): ThreadRound {
    const updates = this.#send(message, options);
    return Object.assign(updates, {
      async collect(): Promise<Collected> {
        const collector = new UpdateCollector();
        for await (const update of updates) collector.add(update);
        return collector.value;
      },
    });
  }

  async *#send(message: UserMessage, options: SendOptions): AsyncGenerator<Update, void> {
    const id = await this.sessionId();
    const line = encodeUserMessage(message);
    const cwd = await this.#directory();
    const { turnstile } = this.#host;
    const name = `${this.#options.configDir ?? ""}\n${cwd}\n${id}`;
    if (this.#options.whenBusy === "fail" && turnstile.isBusy(name)) throw new ThreadBusy(id);
    const leave = await turnstile.enter(name);
    let lock: FileLock | null = null;
    try {
      lock = await this.#lock(id, options);
      const { cwd: earlier } = readThreadState(lock.text);
      if (earlier !== null && earlier !== cwd) throw wrongDirectory(earlier, cwd);
      yield* this.#rounds({ id, cwd, line, lock, message, options });
    } finally {
      lock?.release();
      leave();
    }
  }

  /** The thread's own conversation, else its source's, else one that begins anew. */
  async *#rounds(call: Call): AsyncGenerator<Update, void> {
    const { id, line, message, options } = call;
    const resumed = yield* this.#round({ kind: "resume", id }, call);
    if (!(resumed.error instanceof NoConversation)) return throwIf(resumed.error);
    if (this.#source !== null) {
      const from = await this.#source.sessionId();
      const forked = yield* this.#round({ kind: "fork", id, from }, call);
      if (!(forked.error instanceof NoConversation)) return throwIf(forked.error);
    }
    const before = buildTranscript(options.history ?? [], this.#options.transcript ?? {});
    const anew = before === null ? line : encodeUserMessage(message, { before: before.text });
    const fresh = yield* this.#round({ kind: "fresh", id }, { ...call, line: anew });
    if (!(fresh.error instanceof SessionTaken)) return throwIf(fresh.error);
    // Somebody else has begun it meanwhile: it can be resumed after all.
    throwIf((yield* this.#round({ kind: "resume", id }, call)).error);
  }

  /** Keeps every other process from a round of this thread: the CLI has no lock, and two rounds at once lose a turn. */
  async #lock(id: string, { signal }: SendOptions): Promise<FileLock> {
    const lock = await takeLock(await this.#lockPath(id), {
      clock: this.#host.ports.clock,
      wait: this.#options.whenBusy !== "fail",
      ...(signal !== undefined && { signal }),
    });
    if (lock !== null) return lock;
    if (signal?.aborted !== true) throw new ThreadBusy(id);
    throw new AdapterError("cancelled", "The round was cancelled by its caller");
  }

  /** The CLI's configuration folder, where its conversations are. */
  async #folder(): Promise<string> {
    const { env } = this.#host.ports;
    const inherited = env["CLAUDE_CONFIG_DIR"] ?? `${env["HOME"] ?? ""}/.claude`;
    return await realFolder(this.#options.configDir ?? inherited);
  }

  async #lockPath(id: string): Promise<string> {
    return `${await this.#folder()}/${PROGRAM_NAME}/threads/${id}.lock`;
  }

  async #directory(): Promise<string> {
    const { cwd = Deno.cwd() } = this.#options;
    try {
      const real = await Deno.realPath(cwd);
      if ((await Deno.stat(real)).isDirectory) return real;
    } catch {
      // Said below.
    }
    throw new AdapterError(
      "invalid_arguments",
      `Invalid argument 'cwd': '${
        cwd.slice(0, 1_024)
      }' is no directory that can be used; sessions belong to a directory, so give the thread's own`,
    );
  }

  async *#round(
    session: RoundSession,
    { cwd, line, lock, options }: Call,
  ): AsyncGenerator<Update, RoundOutcome> {
    const { mcpServers = {}, configDir, auth = { kind: "inherit" } } = this.#options;
    const { idleMs = DEFAULT_IDLE_MS } = this.#options;
    const change = authEnv(auth);
    const config = Object.keys(mcpServers).length === 0 ? null : mcpConfigText(mcpServers);
    const folder = config === null ? null : await makeScratchFolder("claude-thread-");
    try {
      const mcpConfigPath = folder === null ? null : `${folder}/mcp.json`;
      if (mcpConfigPath !== null) await writeSecret(mcpConfigPath, config ?? "");
      const outcome = yield* runRound({
        invocation: {
          argv: threadArgv(this.#options, { session, mcpConfigPath }),
          stdin: line,
          env: { ...change.set, ...(configDir !== undefined && { CLAUDE_CONFIG_DIR: configDir }) },
          removeEnv: change.remove,
          cwd,
        },
        start: STARTS[session.kind],
        before: session.kind === "fork"
          ? await this.#source?.cost() ?? null
          : readThreadState(lock.text).cost,
        forwardSubagentText: this.#options.forwardSubagentText ?? false,
        idleMs,
        toolIdleMs: this.#options.toolIdleMs ?? idleMs,
        signal: options.signal,
      }, this.#host.ports);
      if (outcome.cost !== null) await lock.keep(encodeThreadState({ cwd, cost: outcome.cost }));
      return outcome;
    } finally {
      if (folder !== null) await removeFolder(folder);
    }
  }
}

function wrongDirectory(earlier: string, cwd: string): AdapterError {
  return new AdapterError(
    "invalid_arguments",
    `Invalid argument 'cwd': the rounds of this thread were in '${earlier}', and the CLI finds the conversation only there, not in '${cwd}'; give that directory, or forget() the thread`,
  );
}

/** The folder that every name of it leads to, made when it is not there, so that all of them lock the same file. */
async function realFolder(path: string): Promise<string> {
  if (!path.startsWith("/") || path.includes("\0")) {
    throw new AdapterError(
      "invalid_arguments",
      "Invalid argument 'configDir': it must be an absolute path; without it, HOME or CLAUDE_CONFIG_DIR has to be set",
    );
  }
  await makeFolder(path);
  return await Deno.realPath(path);
}

function throwIf(error: AdapterError | null): void {
  if (error !== null) throw error;
}
