/** How long a host waits for the adapter's answer to `initialize`. */

import { McpClient } from "../../support/mcp_client.ts";
import { bundleProgram } from "../../packaging/program_bundle.ts";
import { adapterEnv, makePlace, type Place } from "../../support/place.ts";
import { ROUNDS, type Size } from "../case.ts";
import { figure, type Finding } from "../finding.ts";
import { byTurns, type Figures } from "../measure.ts";
import { adapterFrom, denoRun, programFile, toFirstLine } from "../programs.ts";

/** From the spawn to the first line on standard output in every case, so that ending does not count. */
export async function initialize(size: Size): Promise<readonly Finding[]> {
  await using place = await makePlace({ prefix: "adapter-bench-" });
  const env = await adapterEnv({ place, url: "http://127.0.0.1:9" });
  const { main: bundled } = await bundleProgram({ folder: `${place.root}/bundle` });
  const options = { cwd: place.project, env };
  const server = (command: readonly string[], args: readonly string[]) => () =>
    answered({ place, env, command, args });
  const serve = ["serve", "--executable=/bin/true"];
  const rounds = await byTurns(ROUNDS[size], {
    source: server(adapterFrom(programFile("../../mod.ts")), serve),
    bundle: server(adapterFrom(bundled), serve),
    empty: async () => ({
      ms: await toFirstLine(denoRun(programFile("programs/empty.ts"), ["--no-config"]), options),
    }),
    sdk: server(denoRun(programFile("programs/minimal_server.ts")), []),
  });
  const empty = {
    what: "an empty Deno program",
    figure: figure("ms", rounds.of("empty")),
  };
  const sdk = {
    what: "a server with nothing in it on the official SDK",
    figure: figure("ms", rounds.of("sdk")),
  };
  const row = (who: "source" | "bundle", over: "empty" | "sdk"): Finding => ({
    what: `initialize, from ${name(who)}`,
    figure: figure("ms", rounds.of(who)),
    base: over === "empty" ? empty : sdk,
    comparison: figure("x", rounds.ratio(who, over)),
  });
  return [
    { ...row("bundle", "empty"), aim: { of: "comparison", atMost: 4 } },
    row("source", "empty"),
    row("bundle", "sdk"),
    row("source", "sdk"),
    ...(["bundle", "source"] as const).map((who): Finding => ({
      what: `initialize and tools/list, from ${name(who)}`,
      figure: figure("ms", rounds.of(who, "tools")),
      base: { ...sdk, figure: figure("ms", rounds.of("sdk", "tools")) },
      comparison: figure("x", rounds.ratio(who, "sdk", "tools")),
    })),
  ];
}

function name(who: "source" | "bundle"): string {
  return who === "source" ? "source" : "a bundle";
}

interface Start {
  readonly place: Place;
  readonly env: Readonly<Record<string, string>>;
  readonly command: readonly string[];
  readonly args: readonly string[];
}

async function answered({ place, env, command, args }: Start): Promise<Figures> {
  const started = performance.now();
  await using client = McpClient.start({ cwd: place.project, env, command, args });
  await client.initialize();
  const ms = performance.now() - started;
  await client.request("tools/list");
  return { ms, tools: performance.now() - started };
}
