/**
 * One row of the process table, the same on every system.
 *
 * @module
 */

/** A process as one look saw it. */
export interface ProcessRow {
  readonly pid: number;
  readonly ppid: number;
  /** Process group. */
  readonly pgid: number;
  /** Session; 0 where the system does not tell (macOS prints a kernel address instead). */
  readonly sid: number;
  /** Real user id; -1 when it could not be read because the process was just going, and in a quick look. */
  readonly uid: number;
  /**
   * When it started, in a unit of the system's own (clock ticks since boot on Linux, seconds on macOS). Only
   * good for telling whether two rows with one pid are the same process. -1 when the process was born during
   * the look: then it is not signalled yet.
   */
  readonly start: number;
  /** Whether it can still run code; a zombie cannot. */
  readonly alive: boolean;
  /** The command name, never its arguments. */
  readonly name: string;
  /** The run tokens that its environment carries, outermost first. */
  readonly tokens: readonly string[];
  /** The run that it supervises, `null` when it is no supervisor; see `SUPERVISOR_NAME` in `marker.ts`. */
  readonly supervises: string | null;
}

/**
 * How much a look sees. A `quick` one leaves out whose each process is, so all count as one user's: enough to tell
 * whether anything is there, and two thirds of the price.
 */
export type LookKind = "full" | "quick";

/** What one look at the process table gave. */
export interface Look {
  readonly rows: readonly ProcessRow[];
  /** The process that looked; it and its children are nobody's leftovers. */
  readonly looker: number;
  /** The user who looked; -1 in a quick look. */
  readonly uid: number;
  /** The pid that the system gave last before the look, where it can be told. */
  readonly last?: number;
}

/** A process that cannot be confused with a later one that got the same pid. */
export interface Identity {
  readonly pid: number;
  readonly start: number;
}
