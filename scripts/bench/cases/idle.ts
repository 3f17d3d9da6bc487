/** The processor time that an adapter and a supervisor take while their run says nothing. */

import { look } from "../../chaos/witness.ts";
import { makePlace } from "../../support/place.ts";
import type { Size, Sizes } from "../case.ts";
import { figure, type Finding } from "../finding.ts";
import { sample, sleep } from "../measure.ts";
import { processorMs } from "../processes.ts";
import { denoRun, programFile } from "../programs.ts";
import { cancelRun, connectTo, startRun } from "../stand_in_adapter.ts";
import { sleeper } from "../stand_ins.ts";

const SECONDS: Sizes = { full: 60, quick: 15, smallest: 1 };
/**
 * Starts, the first look and the sweep are not what is measured, nor is the one collection of garbage that V8 makes half a
 * minute after there was work (50 ms, measured).
 */
const SETTLED_MS: Sizes = { full: 40_000, quick: 4_000, smallest: 0 };

/** As a share of one core, over a Deno program that only waits. */
export async function idle(size: Size): Promise<readonly Finding[]> {
  await using place = await makePlace({ prefix: "adapter-bench-" });
  await using client = await connectTo(place, sleeper());
  const waiting = new Deno.Command(Deno.execPath(), {
    args: denoRun(programFile("programs/waiting.ts"), ["--no-config"]).slice(1),
    stdin: "piped",
    stdout: "null",
  }).spawn();
  try {
    const run = await startRun(client);
    const supervisor = look(place.root).find((row) => row.isOurs && row.pid !== client.pid)?.pid;
    if (supervisor === undefined) throw new Error("there is no supervisor");
    await sleep(SETTLED_MS[size]);
    const pids = { adapter: client.pid, supervisor, waiting: waiting.pid } as const;
    const read = () => Object.values(pids).map(processorMs) as [number, number, number];
    const before = read();
    await sleep(SECONDS[size] * 1000);
    const after = read();
    const share = (at: 0 | 1 | 2) => {
      const percent = (after[at] - before[at]) / (SECONDS[size] * 10);
      return figure("%", sample([percent]));
    };
    await cancelRun(client, run);
    const base = { what: "a Deno program that waits", figure: share(2) };
    const among = `among ${processes()} processes`;
    return [
      { what: "idle, the adapter", figure: share(0), base, aim: { of: "figure", atMost: 0.1 } },
      {
        what: `idle, the supervisor with its looks, ${among}`,
        figure: share(1),
        base,
        aim: { of: "figure", atMost: 0.1 },
      },
    ];
  } finally {
    await waiting.stdin.close();
    await waiting.status;
  }
}

function processes(): number {
  return [...Deno.readDirSync("/proc")].filter(({ name }) => /^\d+$/.test(name)).length;
}
