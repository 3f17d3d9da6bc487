/** One native test of a command: the real CLI, the program as a process, the loopback model, and fresh folders. */
import { assertEquals } from "@std/assert";
import { installNative } from "../../scripts/native/install.ts";
import { leftBehind } from "../../scripts/support/left_behind.ts";
import { adapterEnv, makePlace } from "../../scripts/support/place.ts";
import { written } from "../../scripts/support/written.ts";
import { type LoopbackModel, type Script, startLoopbackModel } from "../../src/loopback/mod.ts";
import { type Ended, type Program, startProgram } from "../helpers/program.ts";

/** How a test differs from the others. */
export interface CommandWorldOptions {
  readonly script: Script;
  /** Runs may use Bash without asking. Default: false. */
  readonly allowBash?: boolean;
  /** Whether there is a key. Default: true. */
  readonly loggedIn?: boolean;
}

/** What a test works with. */
export interface CommandWorld {
  readonly model: LoopbackModel;
  /** The real CLI. */
  readonly executable: string;
  readonly project: string;
  /** The environment of the program. */
  readonly env: { readonly [name: string]: string };
  /** Starts the program in the project. */
  start(...args: readonly string[]): Program;
  /** Runs it to its end. */
  run(...args: readonly string[]): Promise<Ended>;
  /** Waits until a file in the project has a whole line; its text without the newline. */
  written(name: string): Promise<string>;
}

/** Runs `body`, and checks that no process is left and that the HOME was not touched. */
export async function inCommandWorld(
  options: CommandWorldOptions,
  body: (world: CommandWorld) => Promise<void>,
): Promise<void> {
  const executable = await installNative();
  await using place = await makePlace({ prefix: "adapter-command-", ...options });
  await using model = startLoopbackModel(options);
  const env = await adapterEnv({ place, url: model.url, ...options });
  const { project, root, home } = place;
  const start = (...args: readonly string[]) => startProgram(args, { env, cwd: project });
  await body({
    model,
    executable,
    project,
    env,
    start,
    run: (...args) => start(...args).ended,
    written: (name) => written(project, name),
  });
  assertEquals(await leftBehind(root), [], "processes that are left");
  assertEquals(await Array.fromAsync(Deno.readDir(home)), [], "files in the HOME of the person");
}
