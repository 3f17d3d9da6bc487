/**
 * How fast a stream of partial messages goes through the adapter, over a plain loop that reads, splits and
 * parses it: through frames and record alone, from memory; and through a whole run, from a process.
 */

import { frameStream } from "../../src/frames/frame_stream.ts";
import { sha256 } from "../../src/host/sha256.ts";
import { RunRecord } from "../../src/runs/run_record.ts";
import { McpClient } from "../support/mcp_client.ts";
import { adapterEnv, makePlace } from "../support/place.ts";
import { byTurns, printTable, type Row, shown } from "./measure.ts";
import { fakeClaude, partials } from "./partials.ts";

const MB = 1_000_000;
/** What a pipe gives at once. */
const CHUNK_BYTES = 65_536;

/** What everybody writes first: reads, splits at newlines, parses. It bounds nothing and keeps nothing. */
async function plainLoop(source: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<number> {
  const decoder = new TextDecoder();
  let rest = "";
  let frames = 0;
  for await (const chunk of source) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      JSON.parse(line);
      frames += 1;
    }
  }
  return frames;
}

async function framesAndRecord(source: ReadableStream<Uint8Array>): Promise<number> {
  const record = new RunRecord({ sha256 }, 0);
  for await (const batch of frameStream(source)) {
    for (const item of batch) record.observe(item, performance.now());
  }
  return record.events.observed;
}

/** Bytes in memory as a pipe would give them. */
function chunked(bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array<ArrayBuffer>> {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.slice(at, at += CHUNK_BYTES));
    },
  }, { highWaterMark: 0 });
}

/** Frames and record in memory. */
export async function pipelineThroughput(rounds = 7, megabytes = 20): Promise<Row> {
  const bytes = partials(megabytes * MB);
  const speed = async (read: typeof plainLoop | typeof framesAndRecord): Promise<number> => {
    const before = performance.now();
    const frames = await read(chunked(bytes));
    if (frames < 1000) throw new Error(`only ${frames} frames were read`);
    return bytes.length / MB / ((performance.now() - before) / 1000);
  };
  const { ours, base, ratio } = await byTurns(rounds, {
    ours: () => speed(framesAndRecord),
    base: () => speed(plainLoop),
  });
  return {
    what: "frames and record",
    ours: shown(ours, "MB/s"),
    base: `a read-split-parse loop: ${shown(base, "MB/s")}`,
    ratio: `${ratio.toFixed(2)} x`,
  };
}

/**
 * Whole runs with a stand-in that prints the stream. Both sides include starting the stand-in, and the
 * adapter's also its supervisor and clean-up, so what a run of next to nothing takes is taken off.
 */
export async function runThroughput(rounds = 5, megabytes = 100): Promise<Row> {
  await using place = await makePlace({ prefix: "adapter-bench-" });
  const part = `${place.root}/part`;
  const partBytes = partials(10 * MB);
  await Deno.writeFile(part, partBytes);
  await Deno.writeTextFile(`${place.root}/nothing`, "");
  const env = await adapterEnv({ place, url: "http://127.0.0.1:9" });
  const times = Math.round(megabytes / 10);
  const programs = { long: `${place.root}/long`, short: `${place.root}/short` };
  await Deno.writeTextFile(programs.long, fakeClaude(part, times), { mode: 0o755 });
  await Deno.writeTextFile(programs.short, fakeClaude(`${place.root}/nothing`, 1), { mode: 0o755 });
  const connect = (executable: string) =>
    McpClient.connect({ cwd: place.project, env, args: ["serve", `--executable=${executable}`] });
  await using long = await connect(programs.long);
  await using short = await connect(programs.short);

  const through = async (client: McpClient): Promise<number> => {
    const before = performance.now();
    const args = { prompt: "go", max_events: 1 };
    const { isError, text } = await client.callTool("claude.run", args);
    if (isError) throw new Error(text);
    return performance.now() - before;
  };
  const plain = async (program: string): Promise<number> => {
    const before = performance.now();
    const child = new Deno.Command(program, { stdin: "null", stdout: "piped" }).spawn();
    await plainLoop(child.stdout);
    await child.status;
    return performance.now() - before;
  };
  const speed = (ms: number) => times * partBytes.length / MB / (ms / 1000);
  const { ours, base, ratio } = await byTurns(rounds, {
    ours: async () => speed(await through(long) - await through(short)),
    base: async () => speed(await plain(programs.long) - await plain(programs.short)),
  });
  return {
    what: "a whole run",
    ours: shown(ours, "MB/s"),
    base: `a read-split-parse loop: ${shown(base, "MB/s")}`,
    ratio: `${ratio.toFixed(2)} x`,
  };
}

if (import.meta.main) printTable([await pipelineThroughput(), await runThroughput()]);
