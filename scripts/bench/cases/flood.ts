/** How long a request waits while a run streams as fast as it can. */

import type { McpClient } from "../../support/mcp_client.ts";
import { makePlace } from "../../support/place.ts";
import type { Size, Sizes } from "../case.ts";
import { figure, type Finding } from "../finding.ts";
import { byTurns, type Figures, percentile, sleep } from "../measure.ts";
import { cancelRun, connectTo, startRun } from "../stand_in_adapter.ts";
import { flooder, partials } from "../stand_ins.ts";

const PART_BYTES = 4_000_000;
const PINGS: Sizes = { full: 400, quick: 100, smallest: 10 };
const FLOODS: Sizes = { full: 3, quick: 1, smallest: 1 };
/** Between two pings, so that they do not only meet the moments after an answer. */
const GAP_MS = 5;

/** The latency of `ping`. */
export async function pingUnderFlood(size: Size): Promise<readonly Finding[]> {
  await using place = await makePlace({ prefix: "adapter-bench-" });
  const part = `${place.root}/part`;
  await Deno.writeFile(part, partials(PART_BYTES));
  await using client = await connectTo(place, flooder(part));
  const rounds = await byTurns(FLOODS[size], {
    flood: async () => {
      const run = await startRun(client, { events: 1000 });
      const figures = await pings(client, PINGS[size]);
      await cancelRun(client, run);
      return figures;
    },
    idle: () => pings(client, PINGS[size]),
  });
  return ([["p50", "half of the pings"], ["p99", "99 of 100 pings"]] as const).map(
    ([metric, what]): Finding => ({
      what: `${what} under a flood, within`,
      figure: figure("ms", rounds.of("flood", metric)),
      base: { what: "while nothing runs", figure: figure("ms", rounds.of("idle", metric)) },
      comparison: figure("x", rounds.ratio("flood", "idle", metric)),
      ...(metric === "p99" && { aim: { of: "figure", atMost: 50 } as const }),
    }),
  );
}

async function pings(client: McpClient, count: number): Promise<Figures> {
  const times: number[] = [];
  for (let ping = 0; ping < count; ping++) {
    await sleep(GAP_MS);
    const before = performance.now();
    await client.request("ping");
    times.push(performance.now() - before);
  }
  return { p50: percentile(times, 0.5), p99: percentile(times, 0.99) };
}
