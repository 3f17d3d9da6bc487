/**
 * How long a cancel takes until clean-up is confirmed: on the real CLI over what the bare CLI takes to end after a
 * SIGTERM, whatever that leaves, and with stand-ins that leave things behind.
 */

import { nativeScript } from "../../chaos/native.ts";
import { connectStandIn } from "../../chaos/stand_in.ts";
import { look } from "../../chaos/witness.ts";
import { buildRunInvocation } from "../../../src/contract/invocation.ts";
import { parseRunArguments } from "../../../src/contract/run_schema.ts";
import { startLoopbackModel } from "../../../src/loopback/mod.ts";
import { installNative } from "../../native/install.ts";
import { McpClient } from "../../support/mcp_client.ts";
import { adapterEnv, makePlace } from "../../support/place.ts";
import type { Size, Sizes } from "../case.ts";
import { figure, type Finding } from "../finding.ts";
import { byTurns, sample, sleep } from "../measure.ts";
import { cancelRun, startRun } from "../stand_in_adapter.ts";

/** What the real CLI is doing, and the process that says that it has begun. */
const NATIVE_KINDS: Readonly<Record<string, RegExp | null>> = {
  "stream": null,
  "foreground tool": /^sleep 600$/,
  "background tool": /^sleep 600$/,
  "daemon of a tool": /^sleep 600$/,
};
/** The kind that the bare CLI does not end. */
const LEAVES = "daemon of a tool";
/** Behaviours of the stand-ins, and what each leaves for the clean-up. */
const STAND_INS: Readonly<Record<string, string>> = {
  "slow stay": "streams",
  "group_child stay": "has a child and a grandchild in its group",
  "setsid_child stay": "has a child in a session of its own",
  "double_fork_daemon stay": "has left a daemon",
  "spawns_child_ignoring_term stay": "has a child that ignores SIGTERM",
  "ignores_term stay": "ignores SIGTERM itself",
};
/**
 * Between what it is doing has begun and the cancel: the CLI ends in 0.15 s or in 1.5, whichever the moment, and mostly
 * in the former once it has nothing else to do (measured).
 */
const SETTLED_MS = 700;
const NATIVE_ROUNDS: Sizes = { full: 5, quick: 2, smallest: 1 };
const STAND_IN_ROUNDS: Sizes = { full: 5, quick: 1, smallest: 1 };

/** Measures it. */
export async function cancel(size: Size): Promise<readonly Finding[]> {
  const native = await cancelNative(size);
  return [...native, ...await cancelStandIns(size)];
}

async function cancelNative(size: Size): Promise<Finding[]> {
  const executable = await installNative();
  await using place = await makePlace({ prefix: "adapter-bench-", allowBash: true });
  await using model = startLoopbackModel({ script: nativeScript() });
  const env = await adapterEnv({ place, url: model.url });
  await using client = await McpClient.connect({
    cwd: place.project,
    env,
    args: ["serve", `--executable=${executable}`],
  });
  const findings: Finding[] = [];
  const kinds = Object.entries(NATIVE_KINDS).slice(0, size === "smallest" ? 1 : undefined);
  for (const [prompt, running] of kinds) {
    const isRunning = async () => {
      while (running !== null && !look(place.root).some(({ command }) => running.test(command))) {
        await sleep(20);
      }
      await sleep(SETTLED_MS);
    };
    const rounds = await byTurns(NATIVE_ROUNDS[size], {
      ours: async () => {
        const run = await startRun(client, { prompt, events: 3 });
        await isRunning();
        return { ms: await cancelRun(client, run) };
      },
      bare: async () => {
        const { argv } = buildRunInvocation(parseRunArguments({ prompt }));
        const child = new Deno.Command(executable, {
          args: [...argv],
          cwd: place.project,
          clearEnv: true,
          env,
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
        // The supervisor that the adapter keeps ready is no part of it.
        for (const { pid, isOurs } of look(place.root)) if (!isOurs) kill(pid);
        await rest;
        return { ms };
      },
    });
    findings.push({
      what: `cancel, real CLI, ${prompt}`,
      figure: figure("ms", rounds.of("ours")),
      base: {
        what: "SIGTERM to the bare CLI until it exits",
        figure: figure("ms", rounds.of("bare")),
      },
      comparison: figure("ms more", rounds.difference("ours", "bare")),
      ...(prompt === LEAVES
        ? {
          note: "the bare CLI leaves the daemon behind, which ignores SIGTERM",
        }
        : { aim: { of: "comparison", atMost: 100 } as const }),
    });
  }
  return findings;
}

async function cancelStandIns(size: Size): Promise<Finding[]> {
  await using place = await makePlace({ prefix: "adapter-bench-" });
  await using client = await connectStandIn(place);
  const findings: Finding[] = [];
  const kinds = Object.entries(STAND_INS).slice(0, size === "smallest" ? 2 : undefined);
  for (const [prompt, what] of kinds) {
    const times: number[] = [];
    for (let round = 0; round <= STAND_IN_ROUNDS[size]; round++) {
      const ms = await cancelRun(client, await startRun(client, { prompt, events: 2 }));
      if (round > 0) times.push(ms);
    }
    findings.push({ what: `cancel, stand-in that ${what}`, figure: figure("ms", sample(times)) });
  }
  return findings;
}

function kill(pid: number): void {
  try {
    Deno.kill(pid, "SIGKILL");
  } catch {
    // It ended meanwhile.
  }
}
