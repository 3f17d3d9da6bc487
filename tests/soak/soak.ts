/**
 * Many runs through one adapter, and what it holds on to after each part of them.
 */

import { connectStandIn } from "../../scripts/chaos/stand_in.ts";
import { processesOf } from "../../scripts/support/left_behind.ts";
import { makePlace } from "../../scripts/support/place.ts";
import type { Answer, McpClient } from "../helpers/mcp_client.ts";

/** What the adapter's process holds while no run lives. Linux only. */
export interface Holding {
  /** Runs so far. */
  readonly runs: number;
  readonly descriptors: number;
  readonly threads: number;
  /** Children, zombies included; one may be the supervisor that is kept ready. */
  readonly children: number;
  readonly residentMb: number;
}

/** How to soak. */
export interface SoakOptions {
  readonly runs: number;
  /** Runs before the first look: caches fill, and as many settled runs are kept as ever will be. */
  readonly warmUp: number;
  /** Runs at once. */
  readonly atOnce: number;
  /** Looks after the warm-up. */
  readonly looks: number;
}

/** What was seen. */
export interface Soaked {
  readonly holdings: readonly Holding[];
  /** Settled values whose clean-up was not confirmed, or that ended otherwise than they should. */
  readonly faults: readonly string[];
  /** Processes that are there at the end, apart from the adapter. */
  readonly left: readonly string[];
  readonly exitCode: number;
}

/** Two thirds answer; of the rest, half stream and half leave a child in a session of its own, until cancelled. */
const KINDS = ["ok end", "slow stay", "ok end", "ok end", "setsid_child stay", "ok end"];

/** Runs them all, some at once, and looks with none alive. */
export async function soak({ runs, warmUp, atOnce, looks }: SoakOptions): Promise<Soaked> {
  await using place = await makePlace({ prefix: "adapter-soak-" });
  await using client = await connectStandIn(place);
  const faults: string[] = [];
  const holdings: Holding[] = [];
  let next = 0;
  const until = async (count: number) => {
    const work = async () => {
      while (next < count) {
        const kind = KINDS[next++ % KINDS.length]!;
        const fault = await oneRun(client, kind);
        if (fault !== null) faults.push(fault);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    holdings.push(await holding(client, next));
  };
  await until(warmUp);
  for (let at = 1; at <= looks; at++) {
    await until(warmUp + Math.round((runs - warmUp) * at / looks));
  }
  const exitCode = await client.close();
  const left = (await processesOf(place.root)).map(({ command }) => command);
  return { holdings, faults, left, exitCode };
}

/** Goes through one run; says what was wrong with it. */
async function oneRun(client: McpClient, kind: string): Promise<string | null> {
  const stays = kind.endsWith("stay");
  // Two runs at once may not share a session, and the stand-ins all have the same one by default.
  const args = { prompt: kind, session_id: crypto.randomUUID() };
  const started = await client.callTool("claude.run.start", args);
  if (started.isError) return `${kind}: ${started.text}`;
  const run_id: string = started.value.run_id;
  if (stays) {
    await client.callTool("claude.run.events", { run_id, wait_seconds: 50 });
    await client.callTool("claude.run.cancel", { run_id });
  }
  let value: Answer = {};
  while (value.completed !== true) {
    value = (await client.callTool("claude.run.result", { run_id, wait_seconds: 50 })).value;
  }
  const isWell = value.cleanup_confirmed === true &&
    value.state === (stays ? "cancelled" : "completed");
  return isWell ? null : `${kind}: ${value.state}, ${JSON.stringify(value.error)}`;
}

/** Supervisors end a moment after their last receipt; while one is there a pipe of it may be too. */
async function holding(client: McpClient, runs: number): Promise<Holding> {
  const folder = `/proc/${client.pid}`;
  let seen: Holding | null = null;
  for (let look = 0; look < 100; look++) {
    const status = await Deno.readTextFile(`${folder}/status`);
    const field = (name: string) =>
      Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1]);
    const now: Holding = {
      runs,
      descriptors: (await Array.fromAsync(Deno.readDir(`${folder}/fd`))).length,
      threads: field("Threads"),
      children: await childrenOf(client.pid),
      residentMb: Math.round(field("VmRSS") * 1024 / 1e6),
    };
    const isCalm = seen !== null && now.children <= 1 && now.descriptors === seen.descriptors;
    seen = now;
    if (isCalm) break;
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
  return seen!;
}

async function childrenOf(pid: number): Promise<number> {
  let children = 0;
  for await (const { name } of Deno.readDir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await Deno.readTextFile(`/proc/${name}/stat`).catch(() => "");
    if (stat.slice(stat.lastIndexOf(") ") + 2).split(" ")[1] === String(pid)) children += 1;
  }
  return children;
}
