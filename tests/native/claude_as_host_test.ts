/** The real Claude Code as the host of this program, and below it another one; the loopback model plays both. */
import { assert, assertEquals } from "@std/assert";
import { installNative } from "../../scripts/native/install.ts";
import { leftBehind } from "../../scripts/support/left_behind.ts";
import { adapterEnv, makePlace } from "../../scripts/support/place.ts";
import {
  answer,
  hold,
  lastUserText,
  type LoggedRequest,
  type Reply,
  route,
  startLoopbackModel,
  text,
  toolUse,
} from "../../src/loopback/mod.ts";
import { runProgram } from "../helpers/program.ts";
import { until } from "../helpers/processes.ts";

const SERVER = "claude-code";
const INNER = "the INNER task";
/** How the host names our tools for its model. */
const tool = (name: string) => `mcp__${SERVER}__${name.replaceAll(".", "_")}`;
const RUN = answer([toolUse(tool("claude.run"), { prompt: INNER, max_events: 1 })]);

interface Host {
  readonly child: Deno.ChildProcess;
  /** The host's own result, once it has ended. */
  result(): Promise<{ readonly code: number; readonly result: string; readonly denials: unknown }>;
  /** What else of this place is alive. */
  others(): Promise<readonly { readonly command: string }[]>;
}

/** Starts the outer Claude Code with the server as `config` prints it and nothing else; whatever is left at the end is a failure. */
async function asHost(
  { script, args = [] }: {
    readonly script: (request: LoggedRequest) => Reply | undefined;
    readonly args?: readonly string[];
  },
  body: (host: Host) => Promise<void>,
): Promise<void> {
  const executable = await installNative();
  await using place = await makePlace({ prefix: "adapter-host-" });
  await using model = startLoopbackModel({ script });
  const env = await adapterEnv({ place, url: model.url });
  const config = `${place.root}/mcp.json`;
  const printed = await runProgram(["config", "claude-code", `--executable=${executable}`], {
    env,
  });
  const whole = JSON.parse(printed.stdout);
  whole.mcpServers[SERVER].args.push(...args);
  await Deno.writeTextFile(config, JSON.stringify(whole));
  const child = new Deno.Command(executable, {
    args: [
      "-p",
      "--output-format=json",
      `--mcp-config=${config}`,
      "--strict-mcp-config",
      `--allowedTools=${tool("claude.run")},${tool("claude.run.result")}`,
      "--",
      "the OUTER task",
    ],
    cwd: place.project,
    clearEnv: true,
    env,
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const stdout = new Response(child.stdout).text();
  await body({
    child,
    async result() {
      const { code } = await child.status;
      const { result, permission_denials: denials } = JSON.parse(await stdout);
      return { code, result, denials };
    },
    others: () => leftBehind(place.root, { except: child.pid }),
  });
  await child.status;
  await stdout;
  assertEquals(await leftBehind(place.root), [], "processes that are left");
}

Deno.test("Claude Code calls claude.run on another Claude Code and sees its answer", async () => {
  const seen: string[] = [];
  const script = route([
    { is: "prompt", says: INNER, reply: answer("the inner answer is 42") },
    { is: "prompt", reply: RUN },
    {
      is: "tool_result",
      when: (request) => seen.push(lastUserText(request)) > 0,
      reply: answer("the outer one has seen it"),
    },
  ]);
  await asHost({ script }, async ({ result }) => {
    assertEquals(await result(), { code: 0, result: "the outer one has seen it", denials: [] });
  });
  assertEquals(seen.length, 1);
  // This host gives its model the structured value, not the text.
  const { result } = JSON.parse(seen[0]!);
  assertEquals(
    [result.state, result.result, result.is_error, result.cleanup_confirmed],
    ["completed", "the inner answer is 42", false, true],
  );
});

Deno.test("a run that outlives the budget tells Claude Code's model what to call, and that call brings the answer", async () => {
  const told = Promise.withResolvers<void>();
  const seen: string[] = [];
  const script = (request: LoggedRequest) => {
    const said = lastUserText(request);
    if (said.includes(INNER)) {
      return answer([text("Working. "), hold(told.promise), text("Late, but here.")]);
    }
    if (said.includes("the OUTER task")) return RUN;
    seen.push(said);
    const { result } = JSON.parse(said);
    if (result.completed) return answer("the outer one has waited");
    assert(result.next.includes("claude.run.result"));
    told.resolve();
    const args = { run_id: result.run_id, wait_seconds: 50, max_events: 1 };
    return answer([toolUse(tool("claude.run.result"), args)]);
  };
  await asHost({ script, args: ["--sync-budget=1"] }, async ({ result }) => {
    assertEquals((await result()).result, "the outer one has waited");
  });
  assertEquals(seen.length, 2);
  assertEquals(JSON.parse(seen[1]!).result.result, "Working. Late, but here.");
});

Deno.test("when Claude Code ends while claude.run is under way, nothing of either is left", async () => {
  const begun = Promise.withResolvers<void>();
  const script = (request: LoggedRequest) => {
    if (!lastUserText(request).includes(INNER)) return RUN;
    begun.resolve();
    return answer([text("Working. "), hold(new Promise(() => {}))]);
  };
  await asHost({ script }, async ({ child, others }) => {
    await begun.promise;
    // The adapter, its supervisor, and the inner Claude Code.
    assert((await others()).length >= 3, JSON.stringify(await others()));
    child.kill("SIGTERM");
    await child.status;
    await until(async () => (await others()).length === 0, {
      what: "the end of everything",
      ms: 20_000,
    });
  });
});
