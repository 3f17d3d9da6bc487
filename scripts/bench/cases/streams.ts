/**
 * How fast partial messages go through whole runs, and what that costs, over a plain loop that reads, splits and parses
 * in the same runtime. Both sides include starting the stand-in; the adapter's also its supervisor and its clean-up.
 */

import { McpClient } from "../../support/mcp_client.ts";
import { adapterEnv, makePlace, type Place } from "../../support/place.ts";
import type { Size, Sizes } from "../case.ts";
import { figure, type Finding } from "../finding.ts";
import { LineProgram } from "../line_program.ts";
import { byTurns, type Figures, type Rounds, sample } from "../measure.ts";
import { memoryOf, processorMs, processorSpan } from "../processes.ts";
import { denoRun, programFile } from "../programs.ts";
import { partials, streamer } from "../stand_ins.ts";

const MB = 1_000_000;
/** Megabytes that flow, by how they are written. */
const VOLUMES: { readonly [way in "as cat does" | "1 MiB" | "64 bytes" | "1 byte"]: Sizes } = {
  "as cat does": { full: 256, quick: 64, smallest: 1 },
  "1 MiB": { full: 256, quick: 64, smallest: 1 },
  // Most of the time is the writer's, so that more would measure nothing else.
  "64 bytes": { full: 64, quick: 16, smallest: 1 },
  "1 byte": { full: 4, quick: 2, smallest: 0.1 },
};
const WRITE_BYTES: Readonly<Record<string, number>> = {
  "1 MiB": 1_048_576,
  "64 bytes": 64,
  "1 byte": 1,
};
const STREAM_ROUNDS: Sizes = { full: 5, quick: 2, smallest: 1 };
const EACH_OF_FOUR: Sizes = { full: 64, quick: 16, smallest: 1 };

type PlainLoop = LineProgram<readonly string[], { readonly frames: number; readonly ms: number }>;

/** One run at a time, written in four ways. */
export async function stream(size: Size): Promise<readonly Finding[]> {
  await using place = await makePlace({ prefix: "adapter-bench-" });
  const findings: Finding[] = [];
  const peaks: number[] = [];
  for (const [way, volumes] of Object.entries(VOLUMES)) {
    const megabytes = volumes[size];
    const writeBytes = WRITE_BYTES[way];
    await writeStandIn(place, { megabytes, ...(writeBytes !== undefined && { writeBytes }) });
    const { rounds, peakMb } = await measure(place, { megabytes, runs: 1, size });
    peaks.push(peakMb);
    findings.push(
      ...rows(rounds, `${megabytes} MB, written ${wayText(way)}`, way === "as cat does"),
    );
  }
  findings.push({
    what: "memory while these streamed, at its peak",
    figure: figure("MB", sample(peaks)),
    aim: { of: "figure", atMost: 100 },
  });
  return findings;
}

/** Four runs at once. */
export async function fourStreams(size: Size): Promise<readonly Finding[]> {
  await using place = await makePlace({ prefix: "adapter-bench-" });
  const megabytes = EACH_OF_FOUR[size];
  await writeStandIn(place, { megabytes });
  const { rounds, peakMb } = await measure(place, { megabytes, runs: 4, size });
  return [
    ...rows(rounds, `four runs at once, ${megabytes} MB each`, true),
    {
      what: "memory while four streamed, at its peak",
      figure: figure("MB", sample([peakMb])),
      aim: { of: "figure", atMost: 100 },
    },
  ];
}

function wayText(way: string): string {
  return way === "as cat does" ? way : `${way} at a time`;
}

async function writeStandIn(
  place: Place,
  { megabytes, writeBytes }: { readonly megabytes: number; readonly writeBytes?: number },
): Promise<void> {
  const part = `${place.root}/part`;
  const partMb = Math.min(megabytes, 4);
  await Deno.writeFile(part, partials(partMb * MB));
  const times = Math.round(megabytes / partMb);
  const text = streamer({ part, times, ...(writeBytes !== undefined && { writeBytes }) });
  await Deno.writeTextFile(`${place.root}/claude`, text, { mode: 0o755 });
}

interface Volume {
  readonly megabytes: number;
  readonly runs: number;
  readonly size: Size;
}

async function measure(
  place: Place,
  { megabytes, runs, size }: Volume,
): Promise<{ readonly rounds: Rounds<"ours" | "plain">; readonly peakMb: number }> {
  const env = await adapterEnv({ place, url: "http://127.0.0.1:9" });
  const options = { cwd: place.project, env };
  const executable = `${place.root}/claude`;
  await using client = await McpClient.connect({
    ...options,
    args: ["serve", `--executable=${executable}`],
  });
  await using plain: PlainLoop = new LineProgram(
    denoRun(programFile("programs/plain_loop.ts"), ["--no-config"]),
    options,
  );
  const programs = Array<string>(runs).fill(executable);
  const figures = (ms: number, cpuMs: number): Figures => ({
    ms,
    speed: runs * megabytes / (ms / 1000),
    cpuSeconds: cpuMs / 1000,
  });
  // Of the whole tree on both sides: the stand-in's is in it, and the supervisor's on ours.
  let frames = 0;
  const rounds = await byTurns(STREAM_ROUNDS[size], {
    ours: async () => {
      const cpu = processorMs(client.pid);
      const started = performance.now();
      const seen = await Promise.all(programs.map(() => through(client)));
      const ms = performance.now() - started;
      frames = seen.reduce((sum, one) => sum + one);
      return figures(ms, processorSpan(cpu, processorMs(client.pid)));
    },
    plain: async () => {
      const cpu = processorMs(plain.pid);
      const answer = await plain.ask(programs);
      frames ||= answer.frames;
      if (answer.frames !== frames) throw new Error(`${answer.frames} frames, not ${frames}`);
      return figures(answer.ms, processorSpan(cpu, processorMs(plain.pid)));
    },
  });
  return { rounds, peakMb: memoryOf(client.pid).peakMb };
}

async function through(client: McpClient): Promise<number> {
  const { isError, text, value } = await client.callTool("claude.run", {
    prompt: "go",
    max_events: 1,
  });
  if (isError) throw new Error(text);
  return value.event_page.observed_events;
}

function rows(rounds: Rounds<"ours" | "plain">, what: string, isAimed: boolean): Finding[] {
  const plain = "a loop that reads, splits and parses";
  return [
    {
      what,
      figure: figure("MB/s", rounds.of("ours", "speed")),
      base: { what: plain, figure: figure("MB/s", rounds.of("plain", "speed")) },
      comparison: figure("x", rounds.ratio("ours", "plain", "speed")),
      ...(isAimed && { aim: { of: "comparison", atLeast: 0.7 } as const }),
    },
    {
      what: `${what}: processor time`,
      figure: figure("s", rounds.of("ours", "cpuSeconds")),
      base: {
        what: `${plain}, with the stand-in`,
        figure: figure("s", rounds.of("plain", "cpuSeconds")),
      },
      comparison: figure("x", rounds.ratio("ours", "plain", "cpuSeconds")),
    },
  ];
}
