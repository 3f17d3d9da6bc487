/** One native test of an executor: the real CLI, the loopback model, fresh folders; what is left is a failure. */
import { assertEquals } from "@std/assert";
import { installNative } from "../../scripts/native/install.ts";
import { leftBehind } from "../../scripts/support/left_behind.ts";
import { adapterEnv, makePlace } from "../../scripts/support/place.ts";
import type { AdapterError } from "../../src/base/errors.ts";
import type { LentTool } from "../../src/bridge/lent_tool.ts";
import type { TurnEvent, TurnResult } from "../../src/executor/turn_events.ts";
import {
  createExecutor,
  type ExecuteRequest,
  type Execution,
  type Executor,
  type ExecutorOptions,
} from "../../src/library/executor.ts";
import {
  type ContentBlock,
  lastToolResults,
  type LoopbackModel,
  type Script,
  startLoopbackModel,
} from "../../src/loopback/mod.ts";

/** How a test differs from the others. */
export interface ExecutorWorldOptions {
  readonly script: Script;
  readonly options?: Partial<ExecutorOptions>;
  /** Variables of the program's environment. */
  readonly env?: { readonly [name: string]: string };
  /** The text of a program to run instead of the real CLI. */
  readonly program?: string;
  /** Other worlds begin while this one lives, so that their folders are there at its end. Default: false. */
  readonly amongOthers?: boolean;
}

/** One case on the real CLI. */
export interface NativeCase {
  readonly name: string;
  readonly body: () => Promise<void>;
}

/** A turn that is over. */
export interface Ended {
  readonly events: readonly TurnEvent[];
  readonly result: TurnResult | null;
  readonly error: AdapterError | null;
}

/** What a test works with. */
export interface ExecutorWorld {
  readonly model: LoopbackModel;
  readonly executor: Executor;
  /** Everything of this world is below it. */
  readonly root: string;
  /** Runs a turn to its end. */
  turn(request: ExecuteRequest): Promise<Ended>;
  /** Where the private folders of turns are. */
  readonly temporary: string;
}

/** A tool that takes anything. */
export function tool(
  name: string,
  handler: LentTool["handler"],
  more: Partial<LentTool> = {},
): LentTool {
  return { name, description: `Does ${name}`, inputSchema: { type: "object" }, handler, ...more };
}

/** Runs a turn to its end. */
export async function ended(execution: Execution): Promise<Ended> {
  const events = await Array.fromAsync(execution.events);
  return await execution.result.then(
    (result) => ({ events, result, error: null }),
    (error) => ({ events, result: null, error }),
  );
}

/** Text of the tool results that the model got in its `index`th request. */
export function told(model: LoopbackModel, index: number): readonly string[] {
  return lastToolResults(model.messages[index]!).map((block) => textOf(block.content));
}

/** The content blocks of the prompt that the model got. */
export function promptOf(model: LoopbackModel): readonly ContentBlock[] {
  const content = model.messages[0]?.body?.messages?.[0]?.content ?? [];
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}

function textOf(content: ContentBlock["content"]): string {
  if (typeof content === "string") return content;
  return (content ?? []).map((block) => block.text ?? `<${block.type}>`).join("");
}

/** Runs `body`; then no process and no file of it may be left. */
export async function inExecutorWorld(
  { script, options = {}, env = {}, program, amongOthers = false }: ExecutorWorldOptions,
  body: (world: ExecutorWorld) => Promise<void>,
): Promise<void> {
  let executable = await installNative();
  await using place = await makePlace({ prefix: "adapter-executor-" });
  const { root, home, config } = place;
  if (program !== undefined) {
    executable = `${root}/claude`;
    await Deno.writeTextFile(executable, program, { mode: 0o755 });
  }
  await using model = startLoopbackModel({ script });
  const inherited = await adapterEnv({ place, url: "http://127.0.0.1:9" });
  await using executor = await createExecutor({
    model: "claude-sonnet-4-5",
    apiKey: "sk-ant-made-up",
    baseUrl: model.url,
    maxRetries: 0,
    executable,
    env: { ...inherited, ...env, ADAPTER_TEST_PLACE: root },
    ...options,
  });
  const temporary = await temporaryFolder();
  const before = await privateFolders(temporary);
  await body({
    model,
    executor,
    root,
    temporary,
    turn: (request) => ended(executor.execute(request)),
  });
  await executor[Symbol.asyncDispose]();
  assertEquals(await leftBehind(root), [], "processes that are left");
  assertEquals(await Array.fromAsync(Deno.readDir(home)), [], "files in the HOME of the person");
  assertEquals(
    await Array.fromAsync(Deno.readDir(config)),
    [],
    "files in the person's configuration",
  );
  if (amongOthers) return;
  const own = (await privateFolders(temporary)).filter((name) => !before.includes(name));
  assertEquals(own.filter((name) => name.includes(`.${Deno.pid}.`)), [], "private folders");
}

/** The private folders in a folder. */
export async function privateFolders(temporary: string): Promise<readonly string[]> {
  const names = [];
  for await (const { name } of Deno.readDir(temporary)) {
    if (name.startsWith("claude-code-adapter-")) names.push(name);
  }
  return names;
}

/** The folder that private folders are made in. */
export async function temporaryFolder(): Promise<string> {
  const path = await Deno.realPath(await Deno.makeTempDir());
  await Deno.remove(path);
  return path.slice(0, path.lastIndexOf("/"));
}
