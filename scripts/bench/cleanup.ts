/**
 * What clean-up costs: `deno run -A scripts/bench/cleanup.ts [cancel|looking|sweep]`, all three without an argument.
 *
 * From a cancel to the confirmed answer, for each kind of run; the processor time that looking takes while a run
 * lives; and what the sweep at the adapter's start adds to the answer to `initialize`. Linux only: it reads /proc.
 *
 * @module
 */

import { nativeScript } from "../chaos/native.ts";
import { connectStandIn } from "../chaos/stand_in.ts";
import { look } from "../chaos/witness.ts";
import { buildRunInvocation } from "../../src/contract/invocation.ts";
import { parseRunArguments } from "../../src/contract/run_schema.ts";
import { startLoopbackModel } from "../../src/loopback/mod.ts";
import { installNative } from "../native/install.ts";
import { McpClient } from "../support/mcp_client.ts";
import { adapterEnv, makePlace } from "../support/place.ts";
import { byTurns, printTable, type Row, sample, shown } from "./measure.ts";

/** Behaviours of the stand-ins, and what each leaves for the clean-up. */
const FAKE_KINDS: Readonly<Record<string, string>> = {
  "slow stay": "streams",
  "group_child stay": "child and grandchild in its group",
  "setsid_child stay": "child in a session of its own",
  "double_fork_daemon stay": "daemon",
  "spawns_child_ignoring_term stay": "child that ignores SIGTERM",
  "ignores_term stay": "ignores SIGTERM itself",
  "mixed stay": "all of these",
};
/** Kinds of the real CLI, and the process that says that it has begun. */
const NATIVE_KINDS: Readonly<Record<string, RegExp | null>> = {
  stream: null,
  "foreground tool": /^sleep 600$/,
  "background tool": /^sleep 600$/,
  "daemon of a tool": /^sleep 600$/,
};

/** From the cancel to the confirmed answer, with stand-ins. */
export async function cancelStandIns(rounds = 15): Promise<Row[]> {
  await using place = await makePlace({ prefix: "adapter-bench-" });
  await using client = await connectStandIn(place);
  const rows: Row[] = [];
  for (const [prompt, what] of Object.entries(FAKE_KINDS)) {
    const times: number[] = [];
    for (let round = 0; round <= rounds; round++) {
      const ms = await cancelled(client, { prompt, begun: (runId) => hasEvents(client, runId, 2) });
      if (round > 0) times.push(ms);
    }
    rows.push({ what: `cancel, ${what}`, ours: shown(sample(times), "ms"), base: "", ratio: "" });
  }
  return rows;
}

/** The same on the real CLI, over what the bare CLI takes to end after a SIGTERM, whatever that leaves. */
export async function cancelNative(rounds = 8): Promise<Row[]> {
  const executable = await installNative();
  await using place = await makePlace({ prefix: "adapter-bench-", allowBash: true });
  await using model = startLoopbackModel({ script: nativeScript() });
  const env = await adapterEnv({ place, url: model.url });
  await using client = await McpClient.connect({
    cwd: place.project,
    env,
    args: ["serve", `--executable=${executable}`],
  });
  const rows: Row[] = [];
  for (const [prompt, running] of Object.entries(NATIVE_KINDS)) {
    const isRunning = () => until(() => running === null || isThere(place.root, running));
    const { ours, base, ratio } = await byTurns(rounds, {
      ours: () =>
        cancelled(client, {
          prompt,
          begun: async (runId) => {
            await hasEvents(client, runId, 3);
            await isRunning();
          },
        }),
      base: async () => {
        const { argv } = buildRunInvocation(parseRunArguments({ prompt }));
        const options = { args: [...argv], cwd: place.project, clearEnv: true, env };
        const child = new Deno.Command(executable, {
          ...options,
          stdin: "null",
          stdout: "piped",
          stderr: "null",
        }).spawn();
        const reader = child.stdout.getReader();
        await reader.read();
        const rest = (async () => {
          while (!(await reader.read()).done);
        })();
        await isRunning();
        const before = performance.now();
        child.kill("SIGTERM");
        await child.status;
        const ms = performance.now() - before;
        // What it leaves is not measured, but must not be taken for the next one's, and holds its stdout.
        for (const { pid } of look(place.root)) if (pid !== client.pid) kill(pid);
        await rest;
        return ms;
      },
    });
    rows.push({
      what: `cancel, real CLI, ${prompt}`,
      ours: shown(ours, "ms"),
      base: `SIGTERM to the bare CLI until it exits: ${shown(base, "ms")}`,
      ratio: `${ratio.toFixed(2)} x`,
    });
  }
  return rows;
}

/**
 * The processor time of a supervisor and its looks while its run sleeps, as a share of one core, over that of a Deno
 * program that only waits.
 */
export async function looking(seconds = 30): Promise<Row[]> {
  const rows: Row[] = [];
  for (const more of [0, 400]) {
    const crowd = new Deno.Command("/bin/sh", {
      args: ["-c", `n=0; while [ $n -lt ${more} ]; do sleep 900 & n=$((n + 1)); done; wait`],
      detached: true,
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).spawn();
    try {
      rows.push(await lookingAmong(seconds));
    } finally {
      kill(-crowd.pid);
      await crowd.status;
    }
  }
  return rows;
}

async function lookingAmong(seconds: number): Promise<Row> {
  await using place = await makePlace({ prefix: "adapter-bench-" });
  await using client = await connectStandIn(place);
  const idle = new Deno.Command(Deno.execPath(), {
    args: ["eval", "--no-config", "setInterval(() => {}, 2000)"],
    stdin: "null",
    stdout: "null",
  }).spawn();
  try {
    const { value } = await client.callTool("claude.run.start", { prompt: "ignores_term stay" });
    await hasEvents(client, value.run_id, 2);
    const supervisor = look(place.root).find((row) => row.isOurs && row.pid !== client.pid);
    if (supervisor === undefined) throw new Error("there is no supervisor");
    // Its own start is not what is measured.
    await sleep(3_000);
    const before = [processorMs(supervisor.pid), processorMs(idle.pid)] as const;
    await sleep(seconds * 1000);
    const share = (pid: number, from: number) => (processorMs(pid) - from) / (seconds * 10);
    const ours = share(supervisor.pid, before[0]);
    const base = share(idle.pid, before[1]);
    const processes = [...Deno.readDirSync("/proc")].filter(({ name }) => /^\d+$/.test(name));
    return {
      what: `looking, among ${processes.length} processes`,
      ours: `${ours.toFixed(2)} % of a core`,
      base: `a Deno program that waits: ${base.toFixed(2)} %`,
      ratio: `${(ours * 0.6).toFixed(2)} s a minute`,
    };
  } finally {
    kill(idle.pid);
    await idle.status;
  }
}

/** The answer to `initialize` from the same program with and without the sweep. */
export async function sweepAtStart(rounds = 20): Promise<Row> {
  await using place = await makePlace({ prefix: "adapter-bench-" });
  const env = await adapterEnv({ place, url: "http://127.0.0.1:9" });
  const entry = `${place.root}/entry.ts`;
  await Deno.writeTextFile(entry, entryText());
  const config = fileOf("../../deno.json");
  const once = async (args: readonly string[]): Promise<number> => {
    const started = performance.now();
    await using client = McpClient.start({
      cwd: place.project,
      env,
      command: [
        Deno.execPath(),
        "run",
        "--quiet",
        "--no-prompt",
        `--config=${config}`,
        "-A",
        entry,
      ],
      args,
    });
    await client.initialize();
    return performance.now() - started;
  };
  const { ours, base, ratio } = await byTurns(rounds, {
    ours: () => once(["sweep"]),
    base: () => once([]),
  });
  return {
    what: "initialize, with the sweep",
    ours: shown(ours, "ms"),
    base: `without it: ${shown(base, "ms")}`,
    ratio: `${ratio.toFixed(2)} x`,
  };
}

/** What `serve` does, with the sweep as a choice. */
function entryText(): string {
  const from = (path: string) => JSON.stringify(import.meta.resolve(`../../src/${path}`));
  return `
import { openHostEngine } from ${from("library/open_engine.ts")};
import { systemClock } from ${from("host/clock.ts")};
import { createLog } from ${from("host/log.ts")};
import { openStdio } from ${from("host/stdio.ts")};
const log = createLog({ level: "warn" });
const { engine, ports } = openHostEngine({ log, executable: "/bin/true" });
const { runConnection } = await import(${from("mcp/connection.ts")});
const { input, output } = openStdio();
const stop = new AbortController();
const connected = runConnection({ engine, clock: systemClock, log, version: "0.0.0", input, output, stop: stop.signal });
const swept = Deno.args[0] === "sweep" ? ports.sweep(stop.signal) : null;
await connected;
stop.abort();
await swept;
Deno.exit(0);
`;
}

async function cancelled(
  client: McpClient,
  { prompt, begun }: {
    readonly prompt: string;
    readonly begun: (runId: string) => Promise<unknown>;
  },
): Promise<number> {
  const { value, text } = await client.callTool("claude.run.start", { prompt });
  const run_id = value.run_id;
  if (run_id === undefined) throw new Error(text);
  await begun(run_id);
  const before = performance.now();
  await client.callTool("claude.run.cancel", { run_id });
  const settled = await client.callTool("claude.run.result", { run_id, wait_seconds: 50 });
  const ms = performance.now() - before;
  if (settled.value.cleanup_confirmed !== true) throw new Error(settled.text);
  return ms;
}

async function hasEvents(client: McpClient, run_id: string, count: number): Promise<void> {
  for (let seen = 0; seen < count;) {
    const args = { run_id, after_cursor: seen, wait_seconds: 50 };
    const { value, text } = await client.callTool("claude.run.events", args);
    if (value.completed !== false) throw new Error(text);
    seen = value.next_cursor;
  }
}

function isThere(root: string, command: RegExp): boolean {
  return look(root).some((row) => command.test(row.command));
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(20);
}

/** Milliseconds of user and system time, of the process and of the children that it has waited for. */
function processorMs(pid: number): number {
  const stat = Deno.readTextFileSync(`/proc/${pid}/stat`);
  const fields = stat.slice(stat.lastIndexOf(") ") + 2).split(" ");
  // utime, stime, cutime, cstime, in clock ticks, of which Linux has 100 a second for every program.
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) * 10;
}

function kill(target: number): void {
  try {
    Deno.kill(target, "SIGKILL");
  } catch {
    // It ended meanwhile.
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function fileOf(relative: string): string {
  return decodeURIComponent(new URL(relative, import.meta.url).pathname);
}

if (import.meta.main) {
  const [part] = Deno.args;
  const rows: Row[] = [];
  if (part === undefined || part === "cancel") {
    rows.push(...await cancelStandIns(), ...await cancelNative());
  }
  if (part === undefined || part === "looking") rows.push(...await looking());
  if (part === undefined || part === "sweep") rows.push(await sweepAtStart());
  printTable(rows);
}
