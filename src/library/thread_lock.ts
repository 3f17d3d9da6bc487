/**
 * One round of a thread at a time, in this process and across processes: the CLI has no lock, and of two rounds at once
 * one loses its turn (measured).
 *
 * @module
 */
import { AdapterError } from "../base/errors.ts";
import { type FileLock, readLockNote, takeLock } from "../host/file_lock.ts";
import { encodeLockHolder, type LockHolder, readLockHolder } from "../threads/lock_holder.ts";
import { ThreadBusy } from "../threads/thread_error.ts";
import type { HostPorts } from "./host_ports.ts";
import type { Turnstile } from "./turnstile.ts";

/** What keeps rounds apart. */
export interface LockHost {
  readonly ports: Pick<HostPorts, "clock" | "table" | "sweep">;
  readonly turnstile: Turnstile;
}

/** Which thread, and what to do when it is busy. */
export interface ThreadLockOptions {
  /** Absolute path of the lock file; two names of one file must not be two paths. */
  readonly path: string;
  /** The native session. */
  readonly id: string;
  readonly whenBusy: "wait" | "fail";
  readonly signal: AbortSignal | undefined;
}

/** A thread's lock that is held. */
export interface ThreadLock {
  /** What is kept with the thread; see `thread_state.ts`. */
  readonly text: string;
  /** Replaces it. */
  keep(text: string): Promise<void>;
  /** Removes it. */
  remove(): Promise<void>;
  /** Gives the lock back. Never rejects. */
  release(): Promise<void>;
}

/**
 * Takes a thread's lock.
 *
 * @throws {ThreadBusy} When it is held and `whenBusy` is `fail`.
 * @throws {AdapterError} `cancelled` when the signal aborts first.
 */
export async function lockThread(
  host: LockHost,
  { path, id, whenBusy, signal }: ThreadLockOptions,
): Promise<ThreadLock> {
  const { ports, turnstile } = host;
  const busySince = turnstile.busySince(path);
  if (whenBusy === "fail" && busySince !== null) {
    throw new ThreadBusy(id, { pid: Deno.pid, since: busySince });
  }
  const leave = await turnstile.enter(path, signal);
  if (leave === null) throw cancelled();
  let lock: FileLock | null = null;
  let turn: FileLock | null = null;
  try {
    const note = encodeLockHolder(await thisProcess(ports));
    const options = {
      clock: ports.clock,
      wait: whenBusy === "wait",
      note,
      ...(signal !== undefined && { signal }),
    };
    // Who waits for the lock holds the turn, and who has had the lock needs the turn to have it again. So a process that
    // sends message after message, which is there again within a millisecond, keeps nobody out.
    if (options.wait) turn = await takeLock(`${path}.next`, options);
    if (options.wait && turn === null) throw cancelled();
    lock = await takeLock(path, options);
    await turn?.release();
    turn = null;
    if (lock === null && signal?.aborted === true) throw cancelled();
    if (lock === null) throw new ThreadBusy(id, await holderOf(path, ports));
    // Whoever was killed holding it may have left a native process that still writes to the conversation.
    if (lock.orphan !== "") await ports.sweep(signal ?? new AbortController().signal);
    if (signal?.aborted === true) throw cancelled();
  } catch (caught) {
    await turn?.release();
    await lock?.release();
    leave();
    throw caught;
  }
  const taken = lock;
  return {
    text: taken.text,
    keep: (text) => taken.keep(text),
    remove: () => taken.remove(),
    async release() {
      await taken.release();
      leave();
    },
  };
}

async function thisProcess({ clock, table }: LockHost["ports"]): Promise<LockHolder> {
  const since = clock.now();
  try {
    const { identity, namespace } = await table.self();
    return { since, process: identity, namespace };
  } catch {
    return { since, process: null, namespace: 0 };
  }
}

/**
 * Who has the lock, as far as it can be known. A pid of another namespace says nothing here, and a note whose writer is
 * gone is not the holder's: the holder has not written its own yet.
 */
async function holderOf(
  path: string,
  { table }: LockHost["ports"],
): Promise<{ readonly pid: number | null; readonly since: number | null }> {
  const holder = readLockHolder(await readLockNote(path));
  if (holder === null) return { pid: null, since: null };
  const { since, process, namespace } = holder;
  try {
    const self = await table.self();
    if (process === null || !self.knowsNamespace || namespace !== self.namespace) {
      return { pid: null, since };
    }
    const { pid, start } = process;
    const { rows } = await table.look();
    const isThere = rows.some((row) => row.pid === pid && row.start === start && row.alive);
    return isThere ? { pid, since } : { pid: null, since: null };
  } catch {
    return { pid: null, since };
  }
}

function cancelled(): AdapterError {
  return new AdapterError("cancelled", "The round was cancelled by its caller");
}
