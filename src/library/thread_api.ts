/**
 * What a program sees of a chat thread. Types only.
 *
 * @module
 */
import type { ThreadAuth } from "../threads/auth_env.ts";
import type { Collected } from "../threads/collect_updates.ts";
import type { ThreadCost } from "../threads/cost.ts";
import type { McpServers } from "../threads/mcp_config.ts";
import type { PlainTextOptions } from "../threads/plain_text.ts";
import type { ThreadArguments } from "../threads/thread_invocation.ts";
import type { TranscriptOptions, Turn } from "../threads/transcript.ts";
import type { Update } from "../threads/updates.ts";
import type { UserMessage } from "../threads/user_message.ts";

/** How a thread talks to Claude Code. */
export interface ThreadOptions extends ThreadArguments, PlainTextOptions {
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
  /** The longest silence, milliseconds from 1 to a day, or `Infinity`. Default: 120,000. */
  readonly idleMs?: number;
  /** The longest silence while a tool, a background task or a compaction runs. Default: `idleMs`. */
  readonly toolIdleMs?: number;
  /** Bounds of the transcript that is handed over. */
  readonly transcript?: TranscriptOptions;
  /** What to do while another round of the thread runs, here or in another process. Default: `wait`. */
  readonly whenBusy?: "wait" | "fail";
}

/** What a round may be given besides its message. */
export interface SendOptions {
  /** Ends the round and everything it started. */
  readonly signal?: AbortSignal;
  /** Earlier turns, oldest first, handed over only when the CLI has no conversation any more. */
  readonly history?: readonly Turn[];
}

/**
 * The updates of one round, to be iterated or collected, once. `return()`, and so breaking off a loop, ends the round at
 * once, also while nothing comes; it resolves when nothing of the round is left.
 */
export interface ThreadRound extends AsyncGenerator<Update, void> {
  /** Reads all of it; resolves to the whole answer. Rejects as the iteration throws. */
  collect(): Promise<Collected>;
}

/** One chat thread. */
export interface Thread {
  /** The native session of this thread: a UUID of its path, the same on every machine. */
  sessionId(): Promise<string>;
  /**
   * Sends one message. The round begins with the first update that is asked for, and ends with its clean-up; breaking
   * off ends it. One round at a time, across processes too. Iterating throws `AdapterError` or one of its closer
   * classes when the round fails.
   */
  send(message: UserMessage, options?: SendOptions): ThreadRound;
  /**
   * A thread that begins with everything that was said in this one until its own first round, and leaves this one as it
   * is. When its own session is lost later, it goes on with the history that is given, like every other thread.
   */
  fork(path: string): Thread;
  /** Whether the CLI has a conversation of this thread, for its directory. */
  exists(): Promise<boolean>;
  /**
   * What the thread cost so far, as the last round left it; `null` when nothing is known. After `forget()`, and whenever
   * what was remembered is lost, `threadUsd` stays `null`: a part of it is unknown for ever.
   */
  cost(): Promise<ThreadCost | null>;
  /** Forgets what is remembered of its costs and its directory. The conversation itself is the CLI's and stays. */
  forget(): Promise<void>;
}
