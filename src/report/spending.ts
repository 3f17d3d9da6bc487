/**
 * Tokens and cost.
 *
 * @module
 */
import { isObject, type JsonObject, numberMember, objectMember } from "../base/json.ts";
import { MAX_REPORT_LIST } from "../base/limits.ts";
import { shortName } from "./names.ts";
import type { CallTokens, ModelUse, Spending } from "./report.ts";

/** What was used by model, added up from the calls. */
export type CallUses = ReadonlyMap<string, CallTokens>;

/** Follows the results of a run. Their totals run on over the whole session (measured), so the last one is the sum. */
export class SpendingBook {
  #costUsd: number | null = null;
  #models: readonly ModelUse[] = [];

  /** Takes a result; one that says nothing changes nothing. */
  take(result: JsonObject): void {
    this.#costUsd = amount(numberMember(result, "total_cost_usd")) ?? this.#costUsd;
    const models = readModels(result);
    if (models.length > 0) this.#models = models;
  }

  /**
   * What it comes to. Without a result, what the calls said.
   *
   * @param settledUsd What the settled value says, when there is one.
   */
  finish(uses: CallUses, settledUsd: number | null): Spending {
    const totalUsd = this.#costUsd ?? amount(settledUsd);
    if (this.#models.length > 0) return { from: "result", models: this.#models, totalUsd };
    const models = [...uses].filter(([, { input, output }]) => input > 0 || output !== 0).map((
      [model, { input, output }],
    ) => ({ model, input, output, cacheRead: null, cacheWrite: null, costUsd: null }));
    return { from: "calls", models, totalUsd };
  }
}

function readModels(result: JsonObject): readonly ModelUse[] {
  const usage = objectMember(result, "modelUsage");
  if (usage === null) return [];
  return Object.entries(usage).slice(0, MAX_REPORT_LIST).filter(([, use]) => isObject(use)).map(
    ([model, use]) => ({
      model: shortName(model),
      input: amount(numberMember(use, "inputTokens")),
      output: amount(numberMember(use, "outputTokens")),
      cacheRead: amount(numberMember(use, "cacheReadInputTokens")),
      cacheWrite: amount(numberMember(use, "cacheCreationInputTokens")),
      costUsd: amount(numberMember(use, "costUSD")),
    }),
  );
}

/** A number that can be an amount, else `null`. */
function amount(value: number | null): number | null {
  return value === null || value < 0 || value > 1e15 ? null : value;
}
