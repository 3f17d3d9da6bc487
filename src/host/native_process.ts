/**
 * One native process under the supervisor: its stdin, its exit, and the end of its stderr.
 *
 * @module
 */
import {
  DRAIN_QUIET_MS,
  MAX_FORWARDED_STDERR_BYTES,
  MAX_STDERR_TAIL_BYTES,
} from "../base/limits.ts";
import { encodeUtf8 } from "../base/json.ts";
import type { Job } from "../supervision/job.ts";
import type { SpawnFault } from "../supervision/receipts.ts";
import { createTailBuffer } from "../supervision/tail_buffer.ts";
import { systemClock, within } from "./clock.ts";

/** A native process that runs. */
export interface NativeProcess {
  readonly pid: number;
  /** How it ended. Does not wait for its pipes: a stranger may hold them open. Never rejects. */
  readonly exit: Promise<{ readonly code: number; readonly signal: string | null }>;
  /** The end of its stderr; waits for what is on its way only while bytes keep coming, and not for long. */
  stderrTail(): Promise<{ readonly text: string; readonly truncated: boolean }>;
}

const FORWARDING_ENDS =
  `\n[the standard error output goes on past ${MAX_FORWARDED_STDERR_BYTES} bytes; the rest is left out]\n`;

/** The longest wait for the rest of stderr after the exit. */
const STDERR_DRAIN_MS = 1_000;

/**
 * Starts the job's process in this process's group, with exactly the job's environment. Throws what Deno throws.
 *
 * @param onStderr Takes the native stderr as it comes; bytes that are no UTF-8 become U+FFFD.
 */
export function startNative(job: Job, onStderr?: (text: string) => void): NativeProcess {
  const child = new Deno.Command(job.executable, {
    args: [...job.argv],
    ...(job.cwd !== undefined && { cwd: job.cwd }),
    clearEnv: true,
    env: { ...job.env },
    stdin: job.stdin === null ? "null" : "piped",
    stdout: "inherit",
    stderr: "piped",
  }).spawn();
  if (job.stdin !== null) void feed(child.stdin, job.stdin);

  const tail = createTailBuffer(MAX_STDERR_TAIL_BYTES);
  const decoder = new TextDecoder();
  let received = 0;
  const drained = drain(child.stderr, (chunk) => {
    received += chunk.length;
    tail.push(chunk);
    if (onStderr === undefined || received - chunk.length > MAX_FORWARDED_STDERR_BYTES) return;
    onStderr(decoder.decode(chunk, { stream: true }));
    if (received > MAX_FORWARDED_STDERR_BYTES) onStderr(FORWARDING_ENDS);
  });
  return {
    pid: child.pid,
    exit: child.status.then(
      ({ code, signal }) => ({ code, signal }),
      () => ({ code: -1, signal: null }),
    ),
    async stderrTail() {
      const until = systemClock.monotonic() + STDERR_DRAIN_MS;
      for (let before = -1; received !== before && systemClock.monotonic() < until;) {
        before = received;
        if (await within(systemClock, DRAIN_QUIET_MS, drained.then(() => true)) === true) break;
      }
      return tail.text();
    },
  };
}

/** What a failed spawn means. */
export function spawnFault(
  caught: unknown,
): { readonly fault: SpawnFault; readonly detail: string } {
  const detail = caught instanceof Error ? caught.message : String(caught);
  if (caught instanceof Deno.errors.NotFound) return { fault: "not_found", detail };
  if (caught instanceof Deno.errors.PermissionDenied) return { fault: "not_executable", detail };
  // E2BIG is 7 on Linux and macOS.
  if (/os error 7\)/.test(detail)) return { fault: "too_large", detail };
  return { fault: "other", detail };
}

/** Writes everything and closes; a process that does not read its stdin is free to. */
async function feed(stdin: WritableStream<Uint8Array>, text: string): Promise<void> {
  const writer = stdin.getWriter();
  try {
    await writer.write(encodeUtf8(text));
    await writer.close();
  } catch {
    // EPIPE: it closed its end, or it is gone; its exit says what there is to say.
  }
}

/** Hands every chunk on until the end, or until the stream fails. Never rejects. */
export async function drain(
  stream: ReadableStream<Uint8Array>,
  take: (chunk: Uint8Array) => void,
): Promise<void> {
  try {
    for await (const chunk of stream) take(chunk);
  } catch {
    // A pipe that fails has ended.
  }
}
