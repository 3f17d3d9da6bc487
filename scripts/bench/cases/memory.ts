/** What the adapter and a supervisor hold in memory, over an empty Deno program. */

import { look } from "../../chaos/witness.ts";
import { makePlace } from "../../support/place.ts";
import type { Size, Sizes } from "../case.ts";
import { type Base, figure, type Finding } from "../finding.ts";
import { sample, sleep } from "../measure.ts";
import { type Memory, memoryOf } from "../processes.ts";
import { denoRun, programFile } from "../programs.ts";
import { cancelRun, connectTo, startRun } from "../stand_in_adapter.ts";
import { partials, sleeper, streamer } from "../stand_ins.ts";

/** As many as are retained at most. */
const RETAINED: Sizes = { full: 32, quick: 32, smallest: 2 };
/** More than the events that a run keeps, so that each is full. */
const RUN_BYTES = 400_000;

/** Measures it. */
export async function memory(size: Size): Promise<readonly Finding[]> {
  await using place = await makePlace({ prefix: "adapter-bench-" });
  const waiting = new Deno.Command(Deno.execPath(), {
    args: denoRun(programFile("programs/waiting.ts"), ["--no-config"]).slice(1),
    stdin: "piped",
    stdout: "null",
  }).spawn();
  try {
    const findings: Finding[] = [];
    await using quiet = await connectTo(place, sleeper());
    const fresh = memoryOf(quiet.pid);
    const run = await startRun(quiet);
    // The only one for now: that of the next run is started a second later.
    const supervisor = look(place.root).find((row) => row.isOurs && row.pid !== quiet.pid)?.pid;
    if (supervisor === undefined) throw new Error("there is no supervisor");
    // Its first look counts.
    if (size !== "smallest") await sleep(1_000);
    const empty = memoryOf(waiting.pid);
    const beside = (of: "residentMb" | "privateMb"): Base => ({
      what: "a Deno program that waits",
      figure: figure("MB", sample([empty[of]])),
    });
    const rows = (what: string, found: Memory): Finding[] => [
      { what, figure: resident(found), base: beside("residentMb") },
      { what: `${what}, its own pages`, figure: own(found), base: beside("privateMb") },
    ];
    findings.push(...rows("the adapter after its start", fresh));
    const [all, itsOwn] = rows("a supervisor with its run", memoryOf(supervisor));
    findings.push({ ...all!, aim: { of: "figure", atMost: 35 } }, itsOwn!);
    await cancelRun(quiet, run);

    const part = `${place.root}/part`;
    await Deno.writeFile(part, partials(RUN_BYTES));
    await using busy = await connectTo(place, streamer({ part, times: 1 }));
    for (let count = 0; count < RETAINED[size]; count++) {
      const { isError, text } = await busy.callTool("claude.run", { prompt: "go", max_events: 1 });
      if (isError) throw new Error(text);
    }
    const { value } = await busy.callTool("claude.run.list");
    if (value.runs.length !== RETAINED[size]) throw new Error(`${value.runs.length} are retained`);
    findings.push({
      what: `the adapter with ${RETAINED[size]} full runs retained`,
      figure: resident(memoryOf(busy.pid)),
      base: { what: "the adapter after its start", figure: resident(fresh) },
      aim: { of: "figure", atMost: 100 },
    });
    return findings;
  } finally {
    await waiting.stdin.close();
    await waiting.status;
  }
}

function resident({ residentMb }: Memory) {
  return figure("MB", sample([residentMb]));
}

function own({ privateMb }: Memory) {
  return figure("MB", sample([privateMb]));
}
