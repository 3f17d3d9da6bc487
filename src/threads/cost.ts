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
  /**
   * The state that the round before left behind; of the thread that was forked when the round forks. `null` when there
   * was no round or its state is lost.
   */
  readonly before: ThreadCost | null;
}

/** Adds up the results of one round. */
export class CostMeter {
  readonly #start: RoundStart;
  readonly #before: ThreadCost | null;
  #state: ThreadCost | null;
  /** The sum of what was used since the result before, as far as every result said so. */
  #sinceUsd: number | null = 0;

  /** Starts a round. */
  constructor({ start, before }: CostMeterOptions) {
    this.#start = start;
    this.#before = before;
    this.#state = start === "forked" ? null : before;
  }

  /** What to remember for the next round; `null` when nothing is known yet. */
  get state(): ThreadCost | null {
    return this.#state;
  }

  /** Takes a result of the round, in order; returns the costs up to it. A result that says nothing changes nothing. */
  observe(result: JsonObject, sessionId: string | null): Costs {
    const since = usedSince(result.model_usage_since_last_result);
    this.#sinceUsd = this.#sinceUsd === null || since === null ? null : this.#sinceUsd + since;
    const totalUsd = dollars(numberMember(result, "total_cost_usd"));
    const grownUsd = totalUsd === null ? null : this.#grownTo(totalUsd);
    // What grew may hold the cost of a round that was cancelled before its result; what was used since cannot.
    const roundUsd = this.#sinceUsd ?? grownUsd;
    if (totalUsd !== null) {
      const id = sessionId ?? this.#before?.sessionId ?? "";
      const threadUsd = this.#threadUsd(totalUsd, grownUsd ?? roundUsd);
      this.#state = { sessionId: id, totalUsd, threadUsd };
    }
    return { roundUsd, threadUsd: this.#state?.threadUsd ?? null };
  }

  /** By how much the session's total grew; a total below the one before is of another session and says nothing. */
  #grownTo(totalUsd: number): number | null {
    const from = this.#start === "fresh" ? 0 : this.#before?.totalUsd ?? null;
    return from === null || totalUsd < from ? null : totalUsd - from;
  }

  #threadUsd(totalUsd: number, grownUsd: number | null): number | null {
    // What a fork was copied with is the other thread's cost.
    if (this.#start === "forked") return grownUsd;
    // Without a state, a resumed session's own total is all there is, and it is the truth unless one was lost before.
    if (this.#before === null && this.#start === "resumed") return totalUsd;
    // What a conversation cost that was lost since, the thread has cost nevertheless.
    const earlier = this.#before === null ? 0 : this.#before.threadUsd;
    return earlier === null || grownUsd === null ? null : earlier + grownUsd;
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
