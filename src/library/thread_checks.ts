/**
 * Checks what a thread is given before anything is started or written.
 *
 * @module
 */
import { AdapterError } from "../base/errors.ts";
import { authEnv, type EnvChange } from "../threads/auth_env.ts";
import { mcpConfigText } from "../threads/mcp_config.ts";
import { threadArgv } from "../threads/thread_invocation.ts";
import type { PlainTextOptions } from "../threads/plain_text.ts";
import {
  buildTranscript,
  DEFAULT_TRANSCRIPT_BYTES,
  type TranscriptOptions,
  type Turn,
} from "../threads/transcript.ts";
import {
  encodeUserMessage,
  MAX_USER_LINE_BYTES,
  type UserMessage,
} from "../threads/user_message.ts";
import type { SendOptions, ThreadOptions } from "./thread_api.ts";

const DEFAULT_IDLE_MS = 120_000;
const MAX_IDLE_MS = 86_400_000;

/** What a round is made of, checked. */
export interface RoundPlan {
  /** For the session that goes on: one line with the new message. */
  readonly line: string;
  /** For one that begins anew: the same after a transcript of what was said before. */
  readonly lineAnew: string;
  /** Whether there is something to hand over. */
  readonly hasHistory: boolean;
  readonly env: EnvChange;
  /** The text of the MCP configuration; `null` without servers. */
  readonly mcpConfig: string | null;
  readonly idleMs: number;
  readonly toolIdleMs: number;
}

/** @throws {AdapterError} `invalid_arguments`, naming what is wrong, its bound and what to do. */
export function planRound(
  message: UserMessage,
  { thread, send }: { readonly thread: ThreadOptions; readonly send: SendOptions },
): RoundPlan {
  const { mcpServers = {}, configDir, nativeSyntax, whenBusy } = thread;
  const { auth = { kind: "inherit" }, transcript = {}, idleMs = DEFAULT_IDLE_MS } = thread;
  const { toolIdleMs = idleMs } = thread;
  const { history = [] } = send;
  if (nativeSyntax !== undefined && typeof nativeSyntax !== "boolean") {
    refuse("nativeSyntax", "it must be true or false");
  }
  if (whenBusy !== undefined && !["wait", "fail"].includes(whenBusy)) {
    refuse("whenBusy", "it must be wait or fail");
  }
  if (!Array.isArray(history)) {
    refuse("history", "it must be a list of earlier turns, oldest first");
  }
  if (send.signal !== undefined && !(send.signal instanceof AbortSignal)) {
    refuse("signal", "it must be an AbortSignal");
  }
  const syntax = { nativeSyntax: nativeSyntax ?? false };
  buildTranscript(history, transcript); // says what is wrong with them
  // The arguments of every kind of session differ only in ids of our own.
  const session = { kind: "fresh", id: "00000000-0000-0000-0000-000000000000" } as const;
  threadArgv(thread, { session, mcpConfigPath: null });
  const { remove, set } = authEnv(auth);
  const line = encodeUserMessage(message, syntax);
  return {
    line,
    lineAnew: encodeAnew(message, { history, transcript, syntax }),
    hasHistory: history.length > 0,
    env: {
      remove,
      set: { ...set, ...(configDir !== undefined && { CLAUDE_CONFIG_DIR: configDir }) },
    },
    mcpConfig: isEmpty(mcpServers) ? null : mcpConfigText(mcpServers),
    idleMs: milliseconds("idleMs", idleMs),
    toolIdleMs: milliseconds("toolIdleMs", toolIdleMs),
  };
}

interface Past {
  readonly history: readonly Turn[];
  readonly transcript: TranscriptOptions;
  readonly syntax: PlainTextOptions;
}

/** The message after as much of what was said before as the line has room for. */
function encodeAnew(message: UserMessage, { history, transcript, syntax }: Past): string {
  const { maxBytes = DEFAULT_TRANSCRIPT_BYTES } = transcript;
  for (let room = Math.min(maxBytes, MAX_USER_LINE_BYTES);; room = Math.floor(room / 2)) {
    const before = buildTranscript(history, { maxBytes: room });
    if (before === null) return encodeUserMessage(message, syntax);
    try {
      return encodeUserMessage(message, { ...syntax, before: before.text });
    } catch {
      // The message fits by itself, so with less before it, it does.
    }
  }
}

/** The path of a folder that has to be absolute. */
export function absolutePath(name: string, path: unknown, otherwise: string): string {
  if (typeof path === "string" && path.startsWith("/") && !path.includes("\0")) return path;
  return refuse(name, `it must be an absolute path${otherwise}`);
}

/** @throws {AdapterError} `invalid_arguments`. */
export function refuse(name: string, reason: string): never {
  throw new AdapterError("invalid_arguments", `Invalid argument '${name}': ${reason}`);
}

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

function milliseconds(name: string, value: unknown): number {
  if (typeof value === "number" && value >= 1 && (value <= MAX_IDLE_MS || value === Infinity)) {
    return value;
  }
  return refuse(name, `it must be from 1 to ${MAX_IDLE_MS} milliseconds, or Infinity`);
}
