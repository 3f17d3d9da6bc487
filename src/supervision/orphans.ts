/**
 * Which runs of a process table have lost their adapter.
 *
 * Whoever ends processes that it did not start has to be sure. A run counts as lost only when its token is of this
 * pid namespace and its adapter, by pid and start time, is not there. Whatever also belongs to somebody who may be
 * alive is spared: a living adapter, all that carries one of its tokens, its supervisors, and what carries a token
 * of another namespace, whose adapter cannot be seen from here.
 *
 * @module
 */
import { parseToken } from "./marker.ts";
import type { Identity, Look, ProcessRow } from "./process_row.ts";

/** What is known before looking. */
export interface OrphansInput {
  readonly look: Look;
  /** The adapter that looks. */
  readonly self: Identity;
  /** Its pid namespace. */
  readonly namespace: number;
  /**
   * The tokens that the looking adapter carries itself: it is a part of these runs, so they are not its to end,
   * but inside them it may do what it may do outside.
   */
  readonly inside: readonly string[];
}

/** A run whose adapter is gone. */
export interface Orphan {
  readonly token: string;
  readonly runId: string;
  readonly adapter: Identity;
  /** Processes of this user that carry its token, the oldest first; none while only its supervisor is left. */
  readonly carriers: readonly ProcessRow[];
  /** Supervisors that are still there: they are cleaning up, or hang. */
  readonly supervisors: readonly ProcessRow[];
  /** Pids that must not be touched, whatever signs of this run they show. */
  readonly spared: readonly number[];
}

/** The lost runs of which something is left, in the order of their oldest process. */
export function findOrphans(input: OrphansInput): readonly Orphan[] {
  const judge = createJudge(input);
  const lost = new Set<string>();
  for (const row of ownRows(input.look)) {
    for (const token of tokensOf(row)) if (judge(token) === "lost") lost.add(token);
  }
  return [...lost].map((token) => view({ input, token, judge }))
    .filter(({ carriers, supervisors }) => carriers.length + supervisors.length > 0);
}

/** What a look says about one run, be it nothing; `null` unless its adapter is gone. */
export function orphanOf(input: OrphansInput, token: string): Orphan | null {
  const judge = createJudge(input);
  return judge(token) === "lost" ? view({ input, token, judge }) : null;
}

interface View {
  readonly input: OrphansInput;
  readonly token: string;
  readonly judge: Judge;
}

function view({ input, token, judge }: View): Orphan {
  const { runId, adapter } = parseToken(token)!;
  const alive = input.look.rows.filter((row) => row.alive);
  const spared = new Set(
    alive.filter((row) => isSpared(row, { input, token, judge })).map((row) => row.pid),
  );
  for (const other of alive.flatMap(tokensOf)) {
    if (judge(other) === "living") spared.add(parseToken(other)!.adapter.pid);
  }
  const mine = ownRows(input.look).filter((row) => !spared.has(row.pid));
  return {
    token,
    runId,
    adapter,
    carriers: mine.filter((row) => row.tokens.includes(token)),
    supervisors: mine.filter((row) => row.supervises === token),
    spared: [...spared],
  };
}

/**
 * The living processes of this user, oldest first. One that was born during the look has no row of its own yet,
 * and perhaps its adapter has none either: it is left to the next look.
 */
function ownRows(look: Look): readonly ProcessRow[] {
  return look.rows.filter((row) => row.alive && row.uid === look.uid && row.start >= 0)
    .toSorted((a, b) => a.start - b.start);
}

function tokensOf(row: ProcessRow): readonly string[] {
  return row.supervises === null ? row.tokens : [...row.tokens, row.supervises];
}

/** `inside`: a run that the looking adapter is a part of. `unknown`: nobody here can tell. */
type Verdict = "lost" | "living" | "inside" | "unknown";
type Judge = (token: string) => Verdict;

function createJudge({ look, namespace, inside }: OrphansInput): Judge {
  const starts = new Map(
    look.rows.filter((row) => row.alive).map((row) => [row.pid, row.start]),
  );
  // Where processes of other users are hidden (`hidepid`), so is pid 1, and an adapter that cannot be seen need
  // not be gone.
  const seesAll = starts.has(1);
  return (token) => {
    const owner = parseToken(token);
    // Pid 0 is no adapter: such a token marks the shell that looks.
    if (!seesAll || owner === null || owner.adapter.pid <= 1) return "unknown";
    if (owner.namespace !== namespace) return "unknown";
    if (inside.includes(token)) return "inside";
    const start = starts.get(owner.adapter.pid);
    // An adapter that was born during the look has no start time yet; it may well be this one.
    return start === owner.adapter.start || start === -1 ? "living" : "lost";
  };
}

function isSpared(row: ProcessRow, { input, token, judge }: View): boolean {
  if (row.pid === input.self.pid) return true;
  if (row.supervises !== null && judge(row.supervises) !== "lost") return true;
  const verdicts = row.tokens.map(judge);
  if (verdicts.some((verdict) => verdict === "living" || verdict === "unknown")) return true;
  // Part of the same outer run as this adapter: only what the lost run itself started may be ended.
  return verdicts.includes("inside") && !row.tokens.includes(token);
}

/**
 * The native process and the group that its supervisor leads or led, as far as they can still be told: the oldest
 * carrier, if the leader of its group is the supervisor or gone. `null` when there is no such group.
 *
 * A group of which a member lives keeps its number, so nobody else can have got it meanwhile.
 */
export function nativeOf(
  orphan: Orphan,
  look: Look,
): { readonly pid: number; readonly group: number } | null {
  const oldest = orphan.carriers[0];
  if (oldest === undefined || oldest.pgid <= 1) return null;
  const leader = look.rows.find((row) => row.pid === oldest.pgid && row.alive);
  if (leader !== undefined && leader.supervises !== orphan.token) return null;
  return { pid: oldest.pid, group: oldest.pgid };
}
