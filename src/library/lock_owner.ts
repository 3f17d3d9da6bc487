/**
 * Which process has the lock of a thread.
 *
 * @module
 */
import { readLockNote } from "../host/file_lock.ts";
import type { ProcessTable } from "../host/process_table.ts";
import type { Clock } from "../supervision/ports.ts";
import { encodeLockHolder, type LockHolder, readLockHolder } from "../threads/lock_holder.ts";

/** What tells processes apart. */
export interface LockOwnerPorts {
  readonly clock: Clock;
  readonly table: Pick<ProcessTable, "self" | "look">;
}

/** What a lock that this process takes says of it. */
export async function ownNote(ports: LockOwnerPorts): Promise<string> {
  return encodeLockHolder(await thisProcess(ports));
}

async function thisProcess({ clock, table }: LockOwnerPorts): Promise<LockHolder> {
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
export async function ownerOf(
  path: string,
  { table }: Pick<LockOwnerPorts, "table">,
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
