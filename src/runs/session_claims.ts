/**
 * Which native session a run uses, so that two active runs never share one.
 *
 * The CLI has no lock: two processes that resume one session both succeed and one turn is silently lost from
 * its history (measured).
 *
 * @module
 */
import { AdapterError } from "../base/errors.ts";
import type { RunArguments } from "../contract/run_arguments.ts";

/** What an active run holds. */
export interface SessionClaim {
  readonly runId: string;
  /** Known ids: what the caller asked for and what the CLI reported. */
  readonly sessionIds: readonly string[];
  /** The run continues the latest conversation of the directory, and the CLI has not said yet which that is. */
  readonly isUnknown: boolean;
  /** The run's conversation is saved, so it may be or become the latest of the directory. */
  readonly isSaved: boolean;
}

/** The session ids that the arguments of a run name. */
export function requestedSessions(args: RunArguments): readonly string[] {
  return [args.resume_session_id, args.session_id].filter((id): id is string => id !== undefined);
}

/** Whether one of `ids` is this session. */
export function namesSession(ids: readonly string[], sessionId: string): boolean {
  const wanted = normal(sessionId);
  return ids.some((id) => normal(id) === wanted);
}

/**
 * Throws `session_busy` when a run with these arguments would share a session with an active one, or might: once the
 * CLI reports a shared session it has begun the turn, and a turn that is stopped then is paid for and lost.
 */
export function assertSessionFree(args: RunArguments, active: readonly SessionClaim[]): void {
  const wanted = requestedSessions(args).map(normal);
  for (const claim of active) {
    const held = claim.sessionIds.map(normal);
    const shared = wanted.find((id) => held.includes(id));
    if (shared !== undefined) throw busy(`session '${shared}'`, claim.runId);
    if (args.continue_previous === true && claim.isSaved) {
      throw busy("what may be the latest conversation of this directory", claim.runId);
    }
    if (args.resume_session_id !== undefined && claim.isUnknown) {
      throw busy("the latest conversation of this directory, which may be that one", claim.runId);
    }
  }
}

/** The CLI takes ids in any case and trims them (measured). */
function normal(id: string): string {
  return id.trim().toLowerCase();
}

/** The active run that already holds `sessionId`, or `null`. */
export function holderOf(
  sessionId: string,
  ownRunId: string,
  active: readonly SessionClaim[],
): string | null {
  const holder = active.find((claim) =>
    claim.runId !== ownRunId && namesSession(claim.sessionIds, sessionId)
  );
  return holder?.runId ?? null;
}

/** The error for a run whose session turned out to be held by another one. */
export function busy(what: string, holder: string): AdapterError {
  return new AdapterError(
    "session_busy",
    `Run '${holder}' is already using ${what}: two runs at once would lose a turn; wait for it or cancel it`,
  );
}
