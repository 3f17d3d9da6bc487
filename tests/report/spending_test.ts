import { assertEquals } from "@std/assert";
import { SpendingBook } from "../../src/report/spending.ts";
import { assistant, ended, readEvents } from "./events.ts";

const NO_USES = new Map<string, never>();
const model = (costUSD: unknown, inputTokens: unknown = 10) =>
  ({ m: { inputTokens, outputTokens: 5, costUSD } }) as Parameters<SpendingBook["take"]>[0];

Deno.test("the last totals count, and what cannot be an amount does not", () => {
  const book = new SpendingBook();
  book.take(ended({ total_cost_usd: 1, modelUsage: model(1) }));
  book.take(ended({ total_cost_usd: 2, modelUsage: model(2) }));
  book.take(ended({ total_cost_usd: -1, modelUsage: {} }));
  book.take(ended({ total_cost_usd: "9", modelUsage: { x: 7 } }));
  const { from, totalUsd, models } = book.finish(NO_USES, 99);
  assertEquals([from, totalUsd, models.map(({ costUsd }) => costUsd)], ["result", 2, [2]]);

  const odd = new SpendingBook();
  odd.take(ended({ total_cost_usd: null, modelUsage: model("<b>", 1e300) }));
  const read = odd.finish(NO_USES, 0.5);
  assertEquals([read.totalUsd, read.models[0]?.costUsd, read.models[0]?.input], [0.5, null, null]);
});

Deno.test("without totals the calls are added up, and output only when all of it was counted", () => {
  const said = (id: string, stop: string | null) => {
    const event = assistant({ type: "text", text: id }, {
      id,
      usage: { input_tokens: 10, output_tokens: 4 },
    });
    return { ...event, message: { ...event.message as object, stop_reason: stop } };
  };
  for (
    const [stops, output] of [[["end_turn", "end_turn"], 8], [["end_turn", null], null]] as const
  ) {
    const { spending } = readEvents(stops.map((stop, i) => said(`msg_${i}`, stop)));
    assertEquals([spending.from, spending.totalUsd], ["calls", null]);
    assertEquals(spending.models.map(({ input, output }) => [input, output]), [[20, output]]);
  }
});
