/**
 * A lock between processes that the system itself gives back when its holder dies, with a little text kept in it.
 *
 * An advisory lock of the kernel needs no judgement whether a holder still lives, so no stale one has to be broken.
 *
 * @module
 */
import { encodeUtf8 } from "../base/json.ts";
import type { Clock } from "../supervision/ports.ts";
import { pause, whenAborted } from "./clock.ts";

/** How often somebody who waits looks again. */
const RETRY_MS = 100;
/** What is kept in a lock. */
const MAX_TEXT_BYTES = 64 * 1024;

/** A lock that is held. */
export interface FileLock {
  /** What the last holder left in it; empty at first. */
  readonly text: string;
  /** Replaces what is kept in it. */
  keep(text: string): Promise<void>;
  /** Removes the file, and with it what is kept. Still to be released. */
  remove(): Promise<void>;
  /** Gives the lock back. */
  release(): void;
}

/** Whether to wait, and until when. */
export interface LockOptions {
  readonly clock: Clock;
  /** Wait for the holder, else give up at once. */
  readonly wait: boolean;
  /** Ends the wait; resolves to `null` then. */
  readonly signal?: AbortSignal;
}

/** Takes the lock at `path`, making folders and file; `null` when somebody else has it. Needs --allow-write. */
export async function takeLock(path: string, options: LockOptions): Promise<FileLock | null> {
  const { clock, wait, signal } = options;
  await Deno.mkdir(path.slice(0, path.lastIndexOf("/")), { recursive: true, mode: 0o700 });
  for (;;) {
    const file = await Deno.open(path, { create: true, read: true, write: true, mode: 0o600 });
    if (await file.tryLock(true) && await isAt(file, path)) return await held(file, path);
    file.close();
    if (!wait || signal?.aborted === true) return null;
    await pause(
      clock,
      RETRY_MS,
      signal === undefined ? new Promise(() => {}) : whenAborted(signal),
    );
  }
}

/** Whether the open file is still the one of this name: its last holder may have removed it. */
async function isAt(file: Deno.FsFile, path: string): Promise<boolean> {
  try {
    const [mine, its] = [await file.stat(), await Deno.stat(path)];
    return mine.ino === its.ino && mine.dev === its.dev;
  } catch {
    return false;
  }
}

async function held(file: Deno.FsFile, path: string): Promise<FileLock> {
  const bytes = new Uint8Array(MAX_TEXT_BYTES);
  const count = await file.read(bytes) ?? 0;
  return {
    text: new TextDecoder().decode(bytes.subarray(0, count)),
    async keep(text) {
      await file.truncate(0);
      await file.seek(0, Deno.SeekMode.Start);
      const data = encodeUtf8(text);
      for (let at = 0; at < data.length;) at += await file.write(data.subarray(at));
    },
    remove: () => Deno.remove(path),
    release: () => file.close(),
  };
}
