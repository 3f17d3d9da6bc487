/**
 * Which processes of a table belong to one run.
 *
 * Four independent signs, because each alone misses something that was seen in the field: the native Bash
 * tool gives every command a session of its own (the group misses it), a double fork cuts the parent chain,
 * `env -i` drops the marker, and a parent that ends between two looks hides its children from all but the
 * remembered set.
 *
 * @module
 */
import type { Identity, Look, ProcessRow } from "./process_row.ts";

/** What is known about a run before looking. */
export interface OwnershipInput {
  readonly look: Look;
  /** The supervisor: its pid is the id of the native group and session. */
  readonly supervisor: number;
  /**
   * Whether the supervisor lives. If it does not, a row with its pid is a stranger that got a recycled pid,
   * and then the group of that number is the stranger's too.
   */
  readonly supervisorAlive: boolean;
  /** The run's token; see `marker.ts`. */
  readonly token: string;
  /** What earlier looks found, so that a lost parent does not hide its children. */
  readonly seen: readonly Identity[];
  /** Never owned, whatever the signs say: the adapter. */
  readonly excluded: readonly number[];
}

/** What a run owns at the moment of a look. */
export interface Ownership {
  /** Live processes of the same user: they may be signalled. */
  readonly owned: readonly ProcessRow[];
  /** Live processes of the run that another user runs (`sudo`): reported, never signalled. */
  readonly foreign: readonly ProcessRow[];
}

/** Applies the signs until nothing more is found. Linear in rows for each generation it descends. */
export function ownership(input: OwnershipInput): Ownership {
  const all = new Map(input.look.rows.map((row) => [row.pid, row]));
  const barred = barredPids(input, all);
  const candidates = input.look.rows.filter((row) => row.alive && !barred.has(row.pid));
  const found = new Set<number>();
  const group = ownGroup(input, all);
  const seen = new Map(input.seen.map((identity) => [identity.pid, identity.start]));
  for (const row of candidates) {
    if (isRoot(row, { input, group, seen })) found.add(row.pid);
  }
  while (descend({ candidates, all, found }));
  const rows = candidates.filter((row) => found.has(row.pid));
  const mine = (row: ProcessRow) => row.uid === input.look.uid;
  return { owned: rows.filter(mine), foreign: rows.filter((row) => !mine(row) && row.uid !== -1) };
}

/** The identities of a look, to be remembered for the next one. */
export function identities(found: Ownership): readonly Identity[] {
  return [...found.owned, ...found.foreign].map(({ pid, start }) => ({ pid, start }));
}

/** The kernel's, pid 1, the supervisor, the adapter, and the looking shell with all it started. */
function barredPids(input: OwnershipInput, all: ReadonlyMap<number, ProcessRow>): Set<number> {
  const barred = new Set([0, 1, input.look.looker, ...input.excluded]);
  if (input.supervisorAlive) barred.add(input.supervisor);
  for (const row of input.look.rows) {
    if (isBelow(row, input.look.looker, all)) barred.add(row.pid);
  }
  return barred;
}

function isBelow(row: ProcessRow, ancestor: number, all: ReadonlyMap<number, ProcessRow>): boolean {
  let parent = all.get(row.ppid);
  for (let depth = 0; parent !== undefined && depth < 8; depth++) {
    if (parent.pid === ancestor) return true;
    if (parent.pid <= 1) return false;
    parent = all.get(parent.ppid);
  }
  return false;
}

/** The native group's id, or `null` when that number now means something else. */
function ownGroup(input: OwnershipInput, all: ReadonlyMap<number, ProcessRow>): number | null {
  if (input.supervisor <= 1) return null;
  if (input.supervisorAlive) return input.supervisor;
  const holder = all.get(input.supervisor);
  return holder === undefined || !holder.alive ? input.supervisor : null;
}

interface RootContext {
  readonly input: OwnershipInput;
  readonly group: number | null;
  readonly seen: ReadonlyMap<number, number>;
}

function isRoot(row: ProcessRow, { input, group, seen }: RootContext): boolean {
  if (row.tokens.includes(input.token)) return true;
  if (seen.get(row.pid) === row.start) return true;
  if (group !== null && (row.pgid === group || row.sid === group)) return true;
  return input.supervisorAlive && row.ppid === input.supervisor;
}

interface Descent {
  readonly candidates: readonly ProcessRow[];
  readonly all: ReadonlyMap<number, ProcessRow>;
  readonly found: Set<number>;
}

/**
 * One generation: children, and fellows in the sessions and groups of what is owned. A session or group is
 * followed only when its leader is owned or gone: nobody can join a session from outside, but somebody may have
 * copied a marker into a shell of their own, and their session is theirs.
 */
function descend({ candidates, all, found }: Descent): boolean {
  const circles = new Set<number>();
  for (const row of candidates) {
    if (!found.has(row.pid)) continue;
    for (const id of [row.sid, row.pgid]) {
      if (id > 1 && (found.has(id) || !all.has(id))) circles.add(id);
    }
  }
  const before = found.size;
  for (const row of candidates) {
    if (found.has(row.ppid) || circles.has(row.sid) || circles.has(row.pgid)) found.add(row.pid);
  }
  return found.size > before;
}
