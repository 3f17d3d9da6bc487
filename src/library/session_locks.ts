/**
 * Keeps runs that go on with a thread's session, and rounds of that thread, from each other.
 *
 * A thread's lock is in the configuration folder from its first round on. A run takes it where it is there, without
 * waiting and without making one: other sessions are nobody's thread, and a server may not write files.
 *
 * @module
 */
import { takeExistingLock } from "../host/file_lock.ts";
import type { SessionLocks } from "../supervision/ports.ts";
import { isUuid } from "../threads/session_id.ts";
import { ThreadBusy } from "../threads/thread_error.ts";
import { fileRefusal } from "./file_refusal.ts";
import { type LockOwnerPorts, ownerOf, ownNote } from "./lock_owner.ts";
import { configFolder, lockPath } from "./thread_place.ts";

/** What the locks need. */
export interface SessionLockPorts extends LockOwnerPorts {
  /** The environment that runs inherit. */
  readonly env: { readonly [name: string]: string };
  /** Ends what adapters that are gone have left. */
  sweep(signal: AbortSignal): Promise<void>;
}

/** The locks of the sessions in the configuration folder of an environment. */
export function threadSessionLocks(ports: SessionLockPorts): SessionLocks {
  return {
    async hold(sessionId, signal) {
      const path = await pathOf(sessionId, ports.env);
      if (path === null) return nothing;
      const note = await ownNote(ports);
      const lock = await takeExistingLock(path, { note, mayWrite: mayWrite(path) })
        .catch((caught) => Promise.reject(fileRefusal(caught, "thread")));
      if (lock === "none") return nothing;
      if (lock === null) throw new ThreadBusy(sessionId, await ownerOf(path, ports));
      // Whoever was killed holding it may have left a native process that still writes to the conversation.
      if (lock.orphan !== "") await ports.sweep(signal);
      return () => lock.release();
    },
  };
}

const nothing = () => Promise.resolve();

/** `null` when the session can be no thread's, or no lock can be there. */
async function pathOf(
  sessionId: string,
  env: SessionLockPorts["env"],
): Promise<string | null> {
  const id = sessionId.trim().toLowerCase(); // one session, however it is written
  if (!isUuid(id)) return null;
  try {
    return lockPath(await configFolder(env), id);
  } catch {
    return null; // the CLI has no such folder either
  }
}

/** Nobody is asked at a terminal: a server has no answer to give. */
function mayWrite(path: string): boolean {
  return Deno.permissions.querySync({ name: "write", path }).state === "granted";
}
