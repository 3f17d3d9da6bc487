/**
 * Tokens and cost.
 *
 * @module
 */
import { isObject, type JsonObject, numberMember, objectMember } from "../base/json.ts";
import { MAX_REPORT_LIST } from "../base/limits.ts";
import { shortName } from "./entry_book.ts";
import type { ModelUse, Spending } from "./report.ts";

/** What was used by model, added up from the calls. */
export type CallUses = ReadonlyMap<string, { readonly input: number; readonly output: number }>;

/**
 * The totals of the last result that has some: they run on over the whole session (measured), so the last one is the
 * sum. Without a result, what the calls said.
 *
 * @param totalUsd What the settled value says, when there is one.
 */
export function readSpending(
  results: readonly JsonObject[],
  { uses, totalUsd }: { readonly uses: CallUses; readonly totalUsd: number | null },
): Spending {
  const last = results.findLast((result) => numberMember(result, "total_cost_usd") !== null);
  const cost = amount(numberMember(last, "total_cost_usd")) ?? amount(totalUsd);
  const models = results.map(readModels).findLast((list) => list.length > 0);
  if (models !== undefined) return { from: "result", models, totalUsd: cost };
  return {
    from: "calls",
    totalUsd: cost,
    models: [...uses].filter(([, { input, output }]) => input + output > 0).map((
      [model, { input, output }],
    ) => ({ model, input, output, cacheRead: null, cacheWrite: null, costUsd: null })),
  };
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
