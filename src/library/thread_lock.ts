/**
 * One round of a thread at a time, in this process and across processes: the CLI has no lock, and of two rounds at once
 * one loses its turn (measured).
 *
 * @module
 */
import { AdapterError } from "../base/errors.ts";
import { type FileLock, takeLock } from "../host/file_lock.ts";
import { ThreadBusy } from "../threads/thread_error.ts";
import type { HostPorts } from "./host_ports.ts";
import { ownerOf, ownNote } from "./lock_owner.ts";
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
    const note = await ownNote(ports);
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
    if (lock === null) throw new ThreadBusy(id, await ownerOf(path, ports));
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

function cancelled(): AdapterError {
  return new AdapterError("cancelled", "The round was cancelled by its caller");
}
