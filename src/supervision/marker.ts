/**
 * The environment variable that every process of a run carries, and the token in it.
 *
 * A token says whose run it is: `<namespace>.<adapter pid>.<adapter start>.<run id>`. A supervisor that was kept ready
 * has a token from before its run was known, with an id of its own in place of the run's. The namespace is the
 * pid namespace, without which an adapter on a machine would take the runs of an adapter inside a container
 * (whose pids mean nothing outside) for runs of a dead one. A run inside a run (an adapter started by a tool
 * of another run) appends its token to the inherited ones, so that both runs own its processes.
 *
 * @module
 */
import type { Identity } from "./process_row.ts";

/** The name of the variable. */
export const MARKER_NAME = "CLAUDE_CODE_ADAPTER_RUN";

/**
 * The variable in a supervisor's own environment: the token of its run. A supervisor does not carry the marker
 * itself, since it is the one that ends those who do. By this one an adapter that starts later tells a run that is
 * being cleaned up from one that nobody looks after.
 */
export const SUPERVISOR_NAME = "CLAUDE_CODE_ADAPTER_SUPERVISOR";

/** Tokens kept in one variable; deeper nesting forgets the outermost. */
export const MAX_TOKENS = 8;

const TOKEN = /^(\d{1,20})\.(\d{1,10})\.(\d{1,20})\.([A-Za-z0-9_-]{1,128})$/;

/** Who started a run. */
export interface MarkerOwner {
  /** The pid namespace's number, 0 where there is none. */
  readonly namespace: number;
  readonly adapter: Identity;
  readonly runId: string;
}

/** The token of one run; `null` when `runId` has characters that a token cannot carry. */
export function encodeToken(owner: MarkerOwner): string | null {
  const token = `${owner.namespace}.${owner.adapter.pid}.${owner.adapter.start}.${owner.runId}`;
  return TOKEN.test(token) ? token : null;
}

/** Reads a token; `null` when it is not one. */
export function parseToken(token: string): MarkerOwner | null {
  const match = TOKEN.exec(token);
  if (match === null) return null;
  const [, namespace, pid, start, runId] = match;
  return {
    namespace: Number(namespace),
    adapter: { pid: Number(pid), start: Number(start) },
    runId: runId!,
  };
}

/** Reads the value of a supervisor's variable: one token, else `null`. */
export function parseSupervisorValue(value: string): string | null {
  return TOKEN.test(value) ? value : null;
}

/** The tokens of a variable's value; none when any of them is malformed. */
export function parseMarkerValue(value: string): readonly string[] {
  const tokens = value.split(",");
  return tokens.every((token) => TOKEN.test(token)) ? tokens : [];
}

/** The value for a new run, given what the adapter itself inherited. */
export function markerValue(inherited: string | undefined, token: string): string {
  const outer = inherited === undefined ? [] : parseMarkerValue(inherited);
  return [...outer, token].slice(-MAX_TOKENS).join(",");
}
