/** How long a run takes through the adapter, over the same version check and run of the bare CLI. */

import { buildRunInvocation } from "../../src/contract/invocation.ts";
import { parseRunArguments } from "../../src/contract/run_schema.ts";
import { answer, startLoopbackModel } from "../../src/loopback/mod.ts";
import { installNative } from "../native/install.ts";
import { McpClient } from "../support/mcp_client.ts";
import { adapterEnv, makePlace } from "../support/place.ts";
import { byTurns, printTable, type Row, shown, timed } from "./measure.ts";

const PROMPT = "say hello";

/**
 * Measures it, on the real CLI with the loopback model.
 *
 * @param rounds Runs each way.
 */
export async function runOverhead(rounds = 15): Promise<Row> {
  const executable = await installNative();
  await using place = await makePlace({ prefix: "adapter-bench-" });
  await using model = startLoopbackModel({ script: () => answer("Hello there.") });
  const env = await adapterEnv({ place, url: model.url });
  await using client = await McpClient.connect({
    cwd: place.project,
    env,
    args: ["serve", `--executable=${executable}`],
  });
  const { argv } = buildRunInvocation(parseRunArguments({ prompt: PROMPT }));
  const bare = async (args: readonly string[]): Promise<void> => {
    const { success, stdout } = await new Deno.Command(executable, {
      args: [...args],
      cwd: place.project,
      clearEnv: true,
      env,
      stdin: "null",
    }).output();
    if (!success) throw new Error(new TextDecoder().decode(stdout).slice(-500));
  };
  const { ours, base, ratio } = await byTurns(rounds, {
    ours: () =>
      timed(async () => {
        const { isError, text } = await client.callTool("claude.run", { prompt: PROMPT });
        if (isError) throw new Error(text);
      }),
    base: () =>
      timed(async () => {
        await bare(["--version"]);
        await bare(argv);
      }),
  });
  return {
    what: "a run",
    ours: shown(ours, "ms"),
    base: `the bare CLI, --version and run: ${shown(base, "ms")}`,
    ratio: `${ratio.toFixed(2)} x`,
  };
}

if (import.meta.main) printTable([await runOverhead()]);
