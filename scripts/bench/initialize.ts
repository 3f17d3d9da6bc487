/** How long a host waits for the adapter's answer to `initialize`, over an empty Deno program's first line. */

import { McpClient } from "../support/mcp_client.ts";
import { adapterEnv, makePlace } from "../support/place.ts";
import { byTurns, printTable, type Row, shown, timed } from "./measure.ts";

/**
 * Measures it.
 *
 * @param rounds Starts of each program.
 */
export async function initialize(rounds = 15): Promise<Row> {
  await using place = await makePlace({ prefix: "adapter-bench-" });
  const env = await adapterEnv({ place, url: "http://127.0.0.1:9" });
  const empty = `${place.root}/empty.ts`;
  await Deno.writeTextFile(empty, 'console.log("ready");\n');
  const options = { cwd: place.project, env };
  const command = [Deno.execPath(), "run", "--quiet", "--no-prompt", "--no-config", empty];
  // Both are the time from the spawn to the first line on stdout, so ending does not count.
  const { ours, base, ratio } = await byTurns(rounds, {
    ours: async () => {
      const started = performance.now();
      await using client = McpClient.start({
        ...options,
        args: ["serve", "--executable=/bin/true"],
      });
      await client.initialize();
      return performance.now() - started;
    },
    base: async () => {
      const child = new Deno.Command(command[0] ?? "", {
        args: command.slice(1),
        cwd: place.project,
        clearEnv: true,
        env,
        stdin: "null",
        stdout: "piped",
      });
      let running: Deno.ChildProcess | undefined;
      const ms = await timed(async () => {
        running = child.spawn();
        const reader = running.stdout.getReader();
        await reader.read();
        await reader.cancel();
      });
      await running?.status;
      return ms;
    },
  });
  return {
    what: "initialize",
    ours: shown(ours, "ms"),
    base: `an empty Deno program: ${shown(base, "ms")}`,
    ratio: `${ratio.toFixed(2)} x`,
  };
}

if (import.meta.main) printTable([await initialize()]);
