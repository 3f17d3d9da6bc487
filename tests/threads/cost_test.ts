import { assert, assertEquals } from "@std/assert";
import type { JsonObject } from "../../src/base/json.ts";
import { CostMeter, type CostMeterOptions, type ThreadCost } from "../../src/threads/cost.ts";
import { readCase } from "./rounds.ts";

const UNIT = 0.00014; // what one answer of the scripted model costs
const ID = "5a1f0f0e-0000-4000-8000-000000000001";

function state(totalUsd: number | null, threadUsd: number | null = totalUsd): ThreadCost {
  return { sessionId: ID, totalUsd, threadUsd };
}

/** Dollars as answers of the scripted model; sums of them are not exact. */
function units(usd: number | null | undefined): number {
  return Math.round((usd ?? NaN) / UNIT * 1e6) / 1e6;
}

/** Results of the form of 2.1.332, and of older versions when nothing is said of what was used since. */
function total(usd: number, since?: number): JsonObject {
  const used = since === undefined
    ? {}
    : { model_usage_since_last_result: { m: { costUSD: since } } };
  return { total_cost_usd: usd, ...used };
}

type Row = readonly [
  what: string,
  options: CostMeterOptions,
  results: readonly JsonObject[],
  round: number | null,
  thread: number | null,
];

const TABLE: readonly Row[] = [
  ["a first round", { start: "fresh", before: null }, [total(2, 2)], 2, 2],
  ["an older version's first round", { start: "fresh", before: null }, [total(2)], 2, 2],
  ["a round that resumes", { start: "resumed", before: state(2) }, [total(5, 3)], 3, 5],
  ["an older version's", { start: "resumed", before: state(2) }, [total(5)], 3, 5],
  [
    "a round that resumes without a state",
    { start: "resumed", before: null },
    [total(5, 3)],
    3,
    null,
  ],
  ["an older version's", { start: "resumed", before: null }, [total(5)], null, null],
  [
    "the round after that",
    { start: "resumed", before: state(5, null) },
    [total(7, 2)],
    2,
    null,
  ],
  [
    "a fresh session in place of one whose state is lost too",
    { start: "fresh", before: null, hasUnknownPast: true },
    [total(2, 2)],
    2,
    null,
  ],
  [
    "a result of another session, as after /clear",
    { start: "resumed", sessionId: "other", before: state(2) },
    [total(5, 3)],
    3,
    null,
  ],
  [
    "the state of another session",
    { start: "resumed", sessionId: ID, before: { ...state(2), sessionId: "other" } },
    [total(5, 3)],
    3,
    null,
  ],
  [
    "after a round that was cancelled before its result",
    { start: "resumed", before: state(2) },
    [total(6, 3)],
    3,
    6,
  ],
  [
    "a fresh session after one that was lost",
    { start: "fresh", before: state(5) },
    [total(1, 1)],
    1,
    6,
  ],
  [
    "the round after that",
    { start: "resumed", before: state(1, 6) },
    [total(3, 2)],
    2,
    8,
  ],
  ["a fork", { start: "forked", before: state(5, 9) }, [total(7, 2)], 2, 2],
  ["an older version's fork", { start: "forked", before: state(5, 9) }, [total(7)], 2, 2],
  ["a fork of what is not known", { start: "forked", before: null }, [total(7)], null, null],
  ["a fork of that, told by use", { start: "forked", before: null }, [total(7, 2)], 2, 2],
  ["the fork's next round", { start: "resumed", before: state(7, 2) }, [total(8, 1)], 1, 3],
  [
    "follow-ups",
    { start: "fresh", before: null },
    [total(2, 2), total(3, 1), total(3, 0)],
    3,
    3,
  ],
  ["a total that shrinks", { start: "resumed", before: state(5) }, [total(1)], null, null],
  ["nothing said", { start: "fresh", before: state(5) }, [{}], null, null],
  ["nonsense", { start: "fresh", before: null }, [{ total_cost_usd: -1 }], null, null],
  [
    "use without a cost",
    { start: "fresh", before: null },
    [{ total_cost_usd: 2, model_usage_since_last_result: { m: {} } }],
    2,
    2,
  ],
];
for (const [what, options, results, roundUsd, threadUsd] of TABLE) {
  Deno.test(`costs: ${what}`, () => {
    const meter = new CostMeter(options);
    const costs = results.map((result) => meter.observe(result, ID));
    assertEquals(costs.at(-1), { roundUsd, threadUsd });
    if (threadUsd !== null) assertEquals(meter.state?.threadUsd, threadUsd);
  });
}

Deno.test("a round without a result leaves what the next one needs: its cost is in the next total", () => {
  const left = (options: CostMeterOptions) => new CostMeter({ sessionId: ID, ...options }).state;
  assertEquals(left({ start: "resumed", before: state(5) }), state(5));
  assertEquals(left({ start: "resumed", before: null }), null);
  assertEquals(left({ start: "fresh", before: null }), state(0));
  assertEquals(left({ start: "fresh", before: state(5) }), state(0, 5));
  assertEquals(left({ start: "fresh", before: null, hasUnknownPast: true }), state(0, null));
  const source = { ...state(5, 9), sessionId: "source" };
  assertEquals(left({ start: "forked", before: source }), state(5, 0));
  assertEquals(left({ start: "forked", before: null }), state(null, 0));
});

const RECORDED:
  readonly (readonly [name: string, CostMeterOptions, round: number, thread: number | null])[] = [
    ["session_id", { start: "fresh", before: null }, 1, 1],
    ["resume", { start: "resumed", before: state(UNIT) }, 1, 2],
    ["resume", { start: "resumed", before: null }, 1, null],
    ["resume_forked", { start: "forked", before: state(UNIT) }, 1, 1],
    ["task_background_two", { start: "fresh", before: null }, 4, 4],
    ["subagent_background", { start: "fresh", before: null }, 5, 5],
    ["not_logged_in", { start: "fresh", before: null }, 0, 0],
  ];
for (const [name, options, round, thread] of RECORDED) {
  Deno.test(`recorded costs: ${name} (${options.start}, ${options.before?.totalUsd})`, async () => {
    const { reader, updates } = await readCase(name, { costs: new CostMeter(options) });
    const last = updates.findLast((update) => update.kind === "result");
    assertEquals(units(last?.roundUsd), round);
    assertEquals(thread === null ? last?.threadUsd : units(last?.threadUsd), thread);
    const { state } = reader.costs;
    assert(state !== null && state.sessionId !== "");
    assertEquals(state.sessionId, last?.sessionId);
  });
}
