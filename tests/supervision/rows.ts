/**
 * Process tables for tests, written short.
 *
 * @module
 */
import type { Look, ProcessRow } from "../../src/supervision/process_row.ts";

/** A row with defaults: user 1000, alive, own group and session of its pid, child of 1. */
export function row(pid: number, given: Partial<ProcessRow> = {}): ProcessRow {
  return {
    pid,
    ppid: 1,
    pgid: pid,
    sid: pid,
    uid: 1000,
    start: pid * 10,
    alive: true,
    name: `p${pid}`,
    tokens: [],
    supervises: null,
    ...given,
  };
}

/** A look by the shell 900, child of the supervisor 100, in a session of its own. */
export function lookOf(rows: readonly ProcessRow[], looker = 900): Look {
  return { looker, uid: 1000, rows: [row(1), ...rows, row(looker, { ppid: 100, name: "sh" })] };
}
