/** How much memory the adapter takes while 200 MB of partial messages go through it. Linux only. */

import { McpClient } from "../support/mcp_client.ts";
import { adapterEnv, makePlace } from "../support/place.ts";
import { printTable, type Row } from "./measure.ts";
import { fakeClaude, partials } from "./partials.ts";

const PART_MB = 10;

/**
 * Measures the peak of the resident set, as the kernel keeps it, before and after.
 *
 * @param megabytes What goes through.
 */
export async function memory(megabytes = 200): Promise<Row> {
  const what = `memory, ${megabytes} MB streamed`;
  if (Deno.build.os !== "linux") {
    return { what, ours: "not measured", base: "reads /proc, which only Linux has", ratio: "" };
  }
  await using place = await makePlace({ prefix: "adapter-bench-" });
  const part = `${place.root}/part`;
  await Deno.writeFile(part, partials(PART_MB * 1_000_000));
  const executable = `${place.root}/claude`;
  await Deno.writeTextFile(executable, fakeClaude(part, megabytes / PART_MB), { mode: 0o755 });
  await using client = await McpClient.connect({
    cwd: place.project,
    env: await adapterEnv({ place, url: "http://127.0.0.1:9" }),
    args: ["serve", `--executable=${executable}`],
  });
  const before = await peakMb(client.pid);
  const args = { prompt: "go", max_events: 1 };
  const { isError, value, text } = await client.callTool("claude.run", args);
  if (isError) throw new Error(text);
  const after = await peakMb(client.pid);
  return {
    what,
    ours: `peak ${after.toFixed(0)} MB`,
    base: `before the run: ${before.toFixed(0)} MB`,
    ratio: `${value.event_page.observed_events} frames`,
  };
}

async function peakMb(pid: number): Promise<number> {
  const status = await Deno.readTextFile(`/proc/${pid}/status`);
  const kib = Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]);
  return kib * 1024 / 1_000_000;
}

if (import.meta.main) printTable([await memory()]);
