/**
 * Shows the adapter at work, in about ten seconds: the real CLI, an MCP client, and a scripted model on this
 * machine. No account, no key, no cost; nothing outside a temporary folder is touched.
 *
 * `deno task demo`. The exit code is 0 only when everything was as promised.
 *
 * @module
 */

import { startLoopbackModel } from "../src/loopback/mod.ts";
import { installNative, PINNED_VERSION } from "./native/install.ts";
import { leftBehind, processesOf } from "./support/left_behind.ts";
import { type Answer, McpClient } from "./support/mcp_client.ts";
import { adapterEnv, makePlace, type Place } from "./support/place.ts";
import { written } from "./support/written.ts";
import { narrate, usesTool } from "./demo/narrator.ts";
import { Screen, shortened } from "./demo/screen.ts";
import { NOTES, PROMPTS, story } from "./demo/story.ts";

/** The parts every scene uses. */
interface Stage {
  readonly screen: Screen;
  readonly place: Place;
  readonly client: McpClient;
}

async function demo(screen: Screen): Promise<void> {
  const executable = await prepare(screen);
  let root: string;
  {
    await using place = await makePlace({ prefix: "adapter-demo-", allowBash: true });
    root = place.root;
    await Deno.writeTextFile(`${place.project}/notes.txt`, NOTES);
    await using model = startLoopbackModel({ script: story(place.project) });
    screen.line("model", `${model.url}, scripted: no account, no key, no cost`);
    await using client = McpClient.start({
      cwd: place.project,
      env: await adapterEnv({ place, url: model.url }),
      args: ["serve", `--executable=${executable}`],
    });
    await Promise.race([scenes({ screen, place, client }), interruption()]);
  }
  const isGone = await Deno.stat(root).then(() => false, () => true);
  screen.check(isGone, "its temporary folder is removed");
}

async function scenes(stage: Stage): Promise<void> {
  await introduce(stage);
  await readNotes(stage);
  await cancelJob(stage);
  await lookAround(stage);
}

/** Installs the CLI and loads the adapter's dependencies: the only part that may use the network. */
async function prepare(screen: Screen): Promise<string> {
  screen.title("Claude Code adapter: a demo");
  const isThere = await Deno.stat(new URL(`../.native/${PINNED_VERSION}`, import.meta.url))
    .then(() => true, () => false);
  if (!isThere) {
    screen.line("install", `Claude Code ${PINNED_VERSION} from npm into .native, once (400 MB) …`);
  }
  const binary = await installNative();
  screen.line("claude", `${PINNED_VERSION}, the real command-line program`);
  const entry = decodeURIComponent(new URL("../mod.ts", import.meta.url).pathname);
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["cache", "--quiet", entry],
    stdin: "null",
  }).output();
  if (!success) throw new Error(`cannot load mod.ts: ${new TextDecoder().decode(stderr)}`);
  return binary;
}

async function introduce({ screen, client }: Stage): Promise<void> {
  screen.title("1. An MCP host starts the adapter");
  const { serverInfo, protocolVersion } = await client.initialize();
  screen.line("server", `${serverInfo.name} ${serverInfo.version}, protocol ${protocolVersion}`);
  const { tools } = await client.request("tools/list");
  const names: string[] = tools.map((tool: Answer) => tool.name);
  screen.line("tools", names.join(", ").replaceAll(", claude.run.", ", ."));
  screen.check(names.length === 7, "seven tools are listed");
}

async function readNotes({ screen, client }: Stage): Promise<void> {
  screen.title("2. A run, live");
  const runId = await start({ screen, client }, PROMPTS.read);
  await narrate({ client, screen, runId });
  const { value, isError } = await client.callTool("claude.run.result", { run_id: runId });
  screen.line("answer", shortened(value.result ?? value.error?.message ?? "none", 80), "bold");
  screen.line("session", value.session_id);
  screen.line("cost", `$${value.total_cost_usd?.toFixed(4)} (made up by the scripted model)`);
  screen.line("receipt", describeReceipt(value));
  screen.check(
    !isError && value.state === "completed" && value.cleanup_confirmed === true,
    "the run completed, and its clean-up is confirmed",
  );
}

async function cancelJob({ screen, client, place }: Stage): Promise<void> {
  screen.title("3. A run that is cancelled while a tool runs");
  const runId = await start({ screen, client }, PROMPTS.work);
  await narrate({ client, screen, runId }, usesTool);
  await written(place.project, "started");
  const jobs = (await processesOf(place.root)).filter((row) => row.pid !== client.pid);
  screen.line(
    "running",
    `${jobs.length} processes: claude, its shell, a daemon that ignores SIGTERM …`,
  );
  const before = performance.now();
  await client.callTool("claude.run.cancel", { run_id: runId });
  screen.line("cancel", "sent");
  const wait = { run_id: runId, wait_seconds: 50 };
  const { value } = await client.callTool("claude.run.result", wait);
  const seconds = ((performance.now() - before) / 1000).toFixed(1);
  screen.line("state", `${value.state} after ${seconds} s`);
  screen.line("receipt", describeReceipt(value));
  const left = await leftBehind(place.root, { server: client.pid });
  screen.check(
    value.state === "cancelled" && value.cleanup_confirmed === true && left.length === 0,
    `cancelled, and all ${jobs.length} processes are gone`,
  );
}

async function lookAround({ screen, client, place }: Stage): Promise<void> {
  screen.title("4. The host leaves");
  const code = await client.close();
  screen.check(code === 0, `the adapter ended by itself when its stdin closed (exit code ${code})`);
  screen.check(
    client.faults.length === 0,
    `all ${client.lines.length} lines on its stdout were JSON-RPC`,
  );
  const left = await leftBehind(place.root);
  screen.check(
    left.length === 0,
    "nothing is left running: no process has the demo's folder in its environment, arguments or directory" +
      left.map(({ pid, command }) => `\n    ${pid} ${command}`).join(""),
  );
  const files = await Array.fromAsync(Deno.readDir(place.home), (entry) => entry.name);
  screen.check(files.length === 0, `its HOME is untouched${files.map((name) => ` ${name}`)}`);
}

async function start(
  { screen, client }: Pick<Stage, "screen" | "client">,
  prompt: string,
): Promise<string> {
  screen.line("prompt", prompt);
  const { isError, value, text } = await client.callTool("claude.run.start", { prompt });
  if (isError) throw new Error(text);
  return value.run_id;
}

function describeReceipt(value: Answer): string {
  const { confirmed, retired, escalated, survivors } = value.cleanup ?? {};
  const how = escalated ? "SIGKILL was needed" : "without SIGKILL";
  return `clean-up ${
    confirmed ? "confirmed" : "NOT confirmed"
  }: ${retired} processes retired, ${how}, ` +
    `${survivors?.length} left`;
}

/** Rejects when the person interrupts: it ends as a failure does, with its folder and processes gone. */
function interruption(): Promise<never> {
  return new Promise((_, reject) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      Deno.addSignalListener(signal, () => reject(new Error(`interrupted by ${signal}`)));
    }
  });
}

if (import.meta.main) {
  const screen = new Screen();
  const before = performance.now();
  try {
    await demo(screen);
  } catch (error) {
    screen.write("\n");
    screen.check(false, error instanceof Error ? error.message : String(error));
  }
  const seconds = ((performance.now() - before) / 1000).toFixed(1);
  const all = screen.broken === 0 ? "All as promised" : `${screen.broken} not as promised`;
  screen.write(`\n${screen.paint(screen.broken === 0 ? "green" : "red", all)}, in ${seconds} s.\n`);
  Deno.exit(screen.broken === 0 ? 0 : 1);
}
