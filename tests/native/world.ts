/**
 * A world of its own for one native test: the real CLI, the real adapter over stdio, the loopback model, and a
 * fresh HOME, configuration folder and project. What is left of it afterwards is a failure of the test.
 */

import { assertEquals } from "@std/assert";
import { type LoopbackModel, type Script, startLoopbackModel } from "../../src/loopback/mod.ts";
import { installNative } from "../../scripts/native/install.ts";
import { type FoundProcess, leftBehind } from "../../scripts/support/left_behind.ts";
import { adapterEnv, makePlace } from "../../scripts/support/place.ts";
import { written } from "../../scripts/support/written.ts";
import { type Answer, McpClient } from "../helpers/mcp_client.ts";

/** How a test differs from the others. */
export interface WorldOptions {
  /** What the model answers, given the project folder. */
  readonly script: (project: string) => Script;
  /** Runs may use Bash without asking, as a person can set it for themselves. */
  readonly allowBash?: boolean;
  /**
   * Whether there is a key.
   *
   * @default {true}
   */
  readonly loggedIn?: boolean;
  /** The text of a program to run instead of the real CLI. */
  readonly executable?: string;
  /**
   * The adapter's exit code.
   *
   * @default {0}
   */
  readonly exitCode?: number;
}

/** What a test works with. */
export interface World {
  readonly client: McpClient;
  readonly model: LoopbackModel;
  /** The directory the runs work in. */
  readonly project: string;
  /** Everything of this world is below it. */
  readonly root: string;
  /** The processes of this world that are there apart from the adapter. */
  others(): Promise<readonly FoundProcess[]>;
  /** Starts a run and waits for its value. */
  run(args: Answer): Promise<Answer>;
  /** Starts a run; returns its id. */
  start(args: Answer): Promise<string>;
  /** Waits until a run has settled; its value. */
  settled(runId: string): Promise<Answer>;
  /** Waits for something that happens while the run lives; fails when the run settles first. */
  during<T>(runId: string, event: Promise<T>): Promise<T>;
  /** Waits until a file in the project has a whole line; its text without the newline. */
  written(name: string): Promise<string>;
}

/**
 * Runs `body` in a world, ends the world, and checks that nothing of it is left.
 *
 * @throws {Error} What `body` throws; else when the adapter does not end well, wrote something else than
 * JSON-RPC, a process is left, or the HOME was touched.
 */
export async function inWorld(
  options: WorldOptions,
  body: (world: World) => Promise<void>,
): Promise<void> {
  let executable = await installNative();
  await using place = await makePlace({ prefix: "adapter-native-", ...options });
  if (options.executable !== undefined) {
    executable = `${place.root}/claude`;
    await Deno.writeTextFile(executable, options.executable, { mode: 0o755 });
  }
  const { home, project, root } = place;
  await using model = startLoopbackModel({ script: options.script(project) });
  await using client = McpClient.start({
    cwd: project,
    env: await adapterEnv({ place, url: model.url, ...options }),
    args: ["serve", `--executable=${executable}`],
  });
  await client.initialize();
  await body(worldOf({ client, model, project, root }));
  assertEquals(await client.close(), options.exitCode ?? 0, client.stderr);
  assertEquals(client.faults, [], "lines on stdout that are not JSON-RPC");
  assertEquals(await leftBehind(root), [], "processes that are left");
  assertEquals(await Array.fromAsync(Deno.readDir(home)), [], "files in the HOME of the person");
}

function worldOf(base: Pick<World, "client" | "model" | "project" | "root">): World {
  const { client, project } = base;
  return {
    ...base,
    others: () => leftBehind(base.root, { server: client.pid }),
    async run(args) {
      const { isError, value } = await client.callTool("claude.run", args);
      assertEquals(isError, value.is_error);
      return value;
    },
    async start(args) {
      const { isError, value, text } = await client.callTool("claude.run.start", args);
      assertEquals(isError, false, text);
      return value.run_id;
    },
    settled: (runId) => settled(client, runId),
    async during(runId, event) {
      const over = new AbortController();
      const first = settled(client, runId, over.signal).then((value) => {
        throw new Error(`the run settled first: ${JSON.stringify(value.error ?? value.result)}`);
      });
      try {
        return await Promise.race([event, first]);
      } finally {
        over.abort();
      }
    },
    written: (name) => written(project, name),
  };
}

async function settled(client: McpClient, runId: string, signal?: AbortSignal): Promise<Answer> {
  for (;;) {
    const args = { run_id: runId, wait_seconds: 50 };
    const { value } = await client.callTool("claude.run.result", args, {
      ...(signal === undefined ? {} : { signal }),
    });
    if (value.completed === true) return value;
  }
}
