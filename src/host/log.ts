/**
 * Diagnostics on stderr.
 *
 * @module
 */
import { cutText, encodeUtf8 } from "../base/json.ts";
import type { Log, LogLevel } from "../supervision/ports.ts";

/** Levels by how much they let through. */
const RANK: { readonly [level in LogLevel]: number } = { error: 0, warn: 1, info: 2, debug: 3 };
/** One line. */
const MAX_LINE_BYTES = 4_096;
/** Lines that wait for a slow reader; more are dropped, and how many is said. */
const MAX_WAITING_LINES = 256;

/** How to log. */
export interface LogOptions {
  /** The least severe level that is written. Default `info`. */
  readonly level?: LogLevel;
  /** One JSON object a line, or words. Default `plain`. */
  readonly format?: "plain" | "json";
  /** Where lines go. Default: stderr. */
  readonly write?: (bytes: Uint8Array) => Promise<unknown>;
  /** Milliseconds since the epoch, for the JSON form. Default: the system's. */
  readonly now?: () => number;
}

/** Makes a log; writing never throws, never waits, and holds at most 256 lines for a slow reader. */
export function createLog(options: LogOptions = {}): Log {
  const threshold = RANK[options.level ?? "info"];
  const write = options.write ?? writeStderr;
  const now = options.now ?? Date.now;
  let queue: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  let dropped = 0;

  const put = (line: string) => {
    waiting += 1;
    queue = queue.then(() => write(encodeUtf8(line + "\n"))).catch(() => {}).then(() =>
      waiting -= 1
    );
  };
  return {
    write(level, message, fields = {}) {
      if (RANK[level] > threshold) return;
      if (waiting >= MAX_WAITING_LINES) {
        dropped += 1;
        return;
      }
      if (dropped > 0) {
        put(format("warn", { message: `${dropped} log lines were dropped`, fields: {} }));
        dropped = 0;
      }
      put(format(level, { message, fields }));
    },
  };

  function format(level: LogLevel, entry: Entry): string {
    const line = options.format === "json"
      ? safeJson({
        time: new Date(now()).toISOString(),
        level,
        message: cut(entry.message),
        ...entry.fields,
      })
      : plain(level, entry);
    return line.length <= MAX_LINE_BYTES || options.format !== "json" ? cut(line) : safeJson({
      time: new Date(now()).toISOString(),
      level,
      message: cut(entry.message),
      cut: true,
    });
  }
}

interface Entry {
  readonly message: string;
  readonly fields: { readonly [key: string]: unknown };
}

function plain(level: LogLevel, { message, fields }: Entry): string {
  const words = Object.entries(fields).map(([name, value]) => ` ${name}=${safeJson(value)}`);
  return `${level}: ${message}${words.join("")}`.replace(/[\r\n]+/g, " ");
}

function safeJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "undefined";
  } catch {
    return '"[unprintable]"';
  }
}

function cut(text: string): string {
  return cutText(text, MAX_LINE_BYTES / 2);
}

async function writeStderr(bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) at += await Deno.stderr.write(bytes.subarray(at));
}
