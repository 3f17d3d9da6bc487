/**
 * What a round and its thread cost.
 *
 * Measured: `total_cost_usd` is a running total of the native session. A resumed session and a fork begin with the total
 * of the session they go on from, a fresh one with 0, and a follow-up turn adds to the same total. Since 2.1.332 a
 * result also says what was used since the result before it, by model and with its cost.
 *
 * @module
 */
import { isObject, type JsonObject, numberMember } from "../base/json.ts";
import type { Costs } from "./updates.ts";

/** What has to be remembered of a thread between two rounds to tell its costs. JSON; keep it with the thread. */
export interface ThreadCost {
  /** The native session that the total is about. */
  readonly sessionId: string;
  /** The last total that the CLI reported for that session, US dollars; `null` when unknown. */
  readonly totalUsd: number | null;
  /** What the thread cost so far, all of its sessions; `null` when a part is unknown. */
  readonly threadUsd: number | null;
}

/** How a round began. */
export type RoundStart =
  /** A session of its own, with or without a transcript of an earlier one. */
  | "fresh"
  /** The thread's own session went on. */
  | "resumed"
  /** A fork of another thread's session. */
  | "forked";

/** What a round is told about the past. */
export interface CostMeterOptions {
  /** How the round began. */
  readonly start: RoundStart;
  /** The native session of the round. Default: unknown until a result says it. */
  readonly sessionId?: string;
  /**
   * The state that the round before left behind; of the thread that was forked when the round forks. `null` when there
   * was no round or its state is lost.
   */
  readonly before: ThreadCost | null;
  /**
   * Whether there were rounds of which the state is lost: then what the thread cost is not known any more.
   *
   * @default {false}
   */
  readonly hasUnknownPast?: boolean;
}

/** Adds up the results of one round. */
export class CostMeter {
  readonly #start: RoundStart;
  readonly #before: ThreadCost | null;
  readonly #sessionId: string | null;
  /** What the thread cost before this round's session, or before this round when that goes on; `null` when unknown. */
  readonly #earlierUsd: number | null;
  /** The session's total when the round began; `null` when unknown. */
  readonly #fromUsd: number | null;
  #state: ThreadCost | null = null;
  /** The sum of what was used since the result before, as far as every result said so. */
  #sinceUsd: number | null = 0;

  /** Starts a round. */
  constructor({ start, sessionId, before, hasUnknownPast = false }: CostMeterOptions) {
    this.#start = start;
    this.#before = before;
    this.#sessionId = sessionId ?? null;
    this.#fromUsd = start === "fresh" ? 0 : before?.totalUsd ?? null;
    // A fork's own cost begins with the fork. A resumed session without a state may have been anything: its total has the
    // cost of the thread it was forked from, and lacks that of a session that was lost.
    const unknown = start === "resumed" || hasUnknownPast ? null : 0;
    this.#earlierUsd = start === "forked" ? 0 : before === null ? unknown : before.threadUsd;
  }

  /** What to remember for the next round of the session, once it has begun; `null` when nothing is known. */
  get state(): ThreadCost | null {
    if (this.#state !== null) return this.#state;
    if (this.#start === "resumed") return this.#before;
    const sessionId = this.#sessionId ?? "";
    return { sessionId, totalUsd: this.#fromUsd, threadUsd: this.#earlierUsd };
  }

  /** Takes a result of the round, in order; returns the costs up to it. A result that says nothing changes nothing. */
  observe(result: JsonObject, sessionId: string | null): Costs {
    const since = usedSince(result.model_usage_since_last_result);
    this.#sinceUsd = this.#sinceUsd === null || since === null ? null : this.#sinceUsd + since;
    const totalUsd = dollars(numberMember(result, "total_cost_usd"));
    const grownUsd = totalUsd === null ? null : this.#grownTo(totalUsd, sessionId);
    // What grew may hold the cost of a round that was cancelled before its result; what was used since cannot.
    const roundUsd = this.#sinceUsd ?? grownUsd;
    if (totalUsd !== null) {
      const id = sessionId ?? this.#sessionId ?? this.#before?.sessionId ?? "";
      const earlier = this.#earlierUsd;
      const added = this.#addedUsd(grownUsd);
      const threadUsd = earlier === null || added === null ? null : earlier + added;
      this.#state = { sessionId: id, totalUsd, threadUsd };
    }
    return { roundUsd, threadUsd: totalUsd === null ? null : this.#state?.threadUsd ?? null };
  }

  /**
   * What the round added to the thread's cost. A total grows by more than what was used since when a round before was
   * cancelled, which its thread has paid and a fork has not; by less when the CLI was ended before it could keep its total.
   */
  #addedUsd(grownUsd: number | null): number | null {
    const since = this.#sinceUsd;
    if (this.#start === "forked") return since ?? grownUsd;
    return since !== null && grownUsd !== null && grownUsd < since ? since : grownUsd;
  }

  /**
   * By how much the session's total grew. A total below the one before is of another session and says nothing, and so
   * does one of a session that is said to be another.
   */
  #grownTo(totalUsd: number, sessionId: string | null): number | null {
    const resumed = this.#start === "resumed" ? this.#before?.sessionId : undefined;
    const own = this.#sessionId ?? resumed ?? sessionId;
    if ((sessionId ?? own) !== own || (resumed ?? own) !== own) return null;
    const from = this.#fromUsd;
    return from === null || totalUsd < from ? null : totalUsd - from;
  }
}

/** What the models cost together; `null` when it is not there or a cost is missing. */
function usedSince(usage: unknown): number | null {
  if (!isObject(usage)) return null;
  let sum = 0;
  for (const model of Object.values(usage)) {
    const cost = dollars(numberMember(model, "costUSD"));
    if (cost === null) return null;
    sum += cost;
  }
  return sum;
}

function dollars(value: number | null): number | null {
  return value === null || value < 0 ? null : value;
}
