/**
 * How long a trivial run takes on the real CLI with the loopback model: through the adapter, on the bare CLI, and
 * through what a user would pick instead. All run the same program in the same folder with the same environment.
 */

import { buildRunInvocation } from "../../../src/contract/invocation.ts";
import { parseRunArguments } from "../../../src/contract/run_schema.ts";
import { answer, startLoopbackModel } from "../../../src/loopback/mod.ts";
import { installNative } from "../../native/install.ts";
import { McpClient } from "../../support/mcp_client.ts";
import { adapterEnv, makePlace } from "../../support/place.ts";
import { hasAlternatives, installAlternatives, startAgentSdk } from "../alternatives.ts";
import { ROUNDS, type Size } from "../case.ts";
import { figure, type Finding } from "../finding.ts";
import { byTurns, type Figures, type Rounds, timed } from "../measure.ts";
import type { ProgramOptions } from "../programs.ts";

const PROMPT = "say hello";
const ANSWER = "Hello there.";
/** Neither alternative checks the CLI's version before a run or looks for what a run has left behind. */
const SKIPS = "checks no version and looks for no left-overs";

/** A second after a run has begun, the adapter starts the supervisor of the next one. */
const REST_MS = 1_500;

/** Measures it. The smallest size goes without alternatives that are not installed. */
export async function run(size: Size): Promise<readonly Finding[]> {
  const executable = await installNative();
  await using place = await makePlace({ prefix: "adapter-bench-" });
  await using model = startLoopbackModel({ script: () => answer(ANSWER) });
  const options = { cwd: place.project, env: await adapterEnv({ place, url: model.url }) };
  await using client = await McpClient.connect({
    ...options,
    args: ["serve", `--executable=${executable}`],
  });
  const { argv } = buildRunInvocation(parseRunArguments({ prompt: PROMPT }));
  const actions = {
    ours: () => throughAdapter(client),
    events: () => firstEvent(client),
    bare: () => bare(executable, argv, options),
  };
  if (size === "smallest" && !await hasAlternatives()) {
    return overBare(await byTurns(ROUNDS[size], actions, REST_MS));
  }
  const alternatives = await installAlternatives();
  await using sdk = startAgentSdk(alternatives, { ...options, executable });
  await using mcp = await McpClient.connect({
    ...options,
    env: { ...options.env, CLAUDE_CLI_NAME: executable },
    command: alternatives.claudeCodeMcp,
    args: [],
  });
  const rounds = await byTurns(ROUNDS[size], {
    ...actions,
    sdk: async () => {
      const { first, ms, result } = await sdk.ask(PROMPT);
      expectAnswer(result);
      return { first, ms };
    },
    mcp: () => throughOther(mcp, place.project),
  }, REST_MS);
  return [...overBare(rounds), ...overAlternatives(rounds)];
}

type Bare = "ours" | "events" | "bare";

function oursOf(rounds: Pick<Rounds<Bare>, "of">) {
  return {
    run: { what: "a run", figure: figure("ms", rounds.of("ours")) },
    first: { what: "first event", figure: figure("ms", rounds.of("events", "first")) },
  };
}

function overBare(rounds: Pick<Rounds<Bare>, "of" | "ratio">): readonly Finding[] {
  const { run, first } = oursOf(rounds);
  return [
    {
      ...run,
      base: { what: "the bare CLI, --version and run", figure: figure("ms", rounds.of("bare")) },
      comparison: figure("x", rounds.ratio("ours", "bare")),
      aim: { of: "comparison", atMost: 1.04 },
    },
    {
      ...first,
      base: {
        what: "the bare CLI, --version and first line",
        figure: figure("ms", rounds.of("bare", "first")),
      },
      comparison: figure("x", rounds.ratio("events", "bare", "first")),
    },
  ];
}

function overAlternatives(rounds: Rounds<Bare | "sdk" | "mcp">): readonly Finding[] {
  const { run, first } = oursOf(rounds);
  const sdk = "@anthropic-ai/claude-agent-sdk";
  return [
    {
      ...run,
      base: { what: `${sdk}, query()`, figure: figure("ms", rounds.of("sdk")) },
      comparison: figure("x", rounds.ratio("ours", "sdk")),
      aim: { of: "comparison", atMost: 1 },
      note: `it ${SKIPS}`,
    },
    {
      ...run,
      base: { what: "@steipete/claude-code-mcp over MCP", figure: figure("ms", rounds.of("mcp")) },
      comparison: figure("x", rounds.ratio("ours", "mcp")),
      aim: { of: "comparison", atMost: 1 },
      note: `it ${SKIPS}, asks for no events and skips every permission`,
    },
    {
      ...first,
      base: { what: `${sdk}, first message`, figure: figure("ms", rounds.of("sdk", "first")) },
      comparison: figure("x", rounds.ratio("events", "sdk", "first")),
    },
  ];
}

async function throughAdapter(client: McpClient): Promise<Figures> {
  const ms = await timed(async () => {
    const { isError, text, value } = await client.callTool("claude.run", { prompt: PROMPT });
    if (isError) throw new Error(text);
    expectAnswer(value.result);
  });
  return { ms };
}

async function firstEvent(client: McpClient): Promise<Figures> {
  const started = performance.now();
  const { value, text } = await client.callTool("claude.run.start", { prompt: PROMPT });
  const run_id = value.run_id;
  const page = await client.callTool("claude.run.events", { run_id, wait_seconds: 50 });
  const first = performance.now() - started;
  if (!(page.value.observed_events > 0)) throw new Error(`${text} ${page.text}`);
  const settled = await client.callTool("claude.run.result", { run_id, wait_seconds: 50 });
  expectAnswer(settled.value.result);
  return { first };
}

async function bare(
  executable: string,
  argv: readonly string[],
  { cwd, env }: ProgramOptions,
): Promise<Figures> {
  const started = performance.now();
  let first = 0;
  let printed = "";
  for (const args of [["--version"], argv]) {
    const child = new Deno.Command(executable, {
      args: [...args],
      cwd,
      clearEnv: true,
      env: { ...env },
      stdin: "null",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    first = 0;
    printed = "";
    for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
      first ||= performance.now() - started;
      printed += text;
    }
    const { success } = await child.status;
    if (!success) throw new Error(`the bare CLI failed: ${printed.slice(-500)}`);
  }
  const ms = performance.now() - started;
  expectAnswer(JSON.parse(printed.trim().split("\n").at(-1) ?? "").result);
  return { first, ms };
}

async function throughOther(client: McpClient, workFolder: string): Promise<Figures> {
  const ms = await timed(async () => {
    const { isError, text } = await client.callTool("claude_code", { prompt: PROMPT, workFolder });
    if (isError) throw new Error(text);
    expectAnswer(text.trim());
  });
  return { ms };
}

/** A run that failed quickly must not pass for a fast one. */
function expectAnswer(text: unknown): void {
  if (text !== ANSWER) throw new Error(`answered ${JSON.stringify(text)}, not '${ANSWER}'`);
}
