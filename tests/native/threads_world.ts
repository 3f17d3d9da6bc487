/** Threads on the real CLI in this very process, whose own environment the CLI must not see. */
import { assertEquals } from "@std/assert";
import { installNative } from "../../scripts/native/install.ts";
import { leftBehind } from "../../scripts/support/left_behind.ts";
import { denoDir, makePlace } from "../../scripts/support/place.ts";
import { type Claude, createClaude } from "../../src/library/claude.ts";
import type { Thread, ThreadOptions } from "../../src/library/thread_api.ts";
import {
  type LoopbackModel,
  nativeEnv,
  type Script,
  startLoopbackModel,
} from "../../src/loopback/mod.ts";
import type { Collected } from "../../src/threads/collect_updates.ts";

/** What a test works with. */
export interface ThreadWorld {
  readonly model: LoopbackModel;
  readonly claude: Claude;
  readonly executable: string;
  /** Everything of this world is below it. */
  readonly root: string;
  readonly project: string;
  readonly config: string;
  /** A thread of this world: its directory, its configuration folder, its login. */
  thread(path: string, options?: ThreadOptions): Thread;
  /** The same of another library, as another program has it. */
  threadOf(claude: Claude, path: string, options?: ThreadOptions): Thread;
}

/** Runs `body` in a world, ends the world, and checks that no process of it is left. */
export async function inThreads(
  script: Script,
  body: (world: ThreadWorld) => Promise<void>,
): Promise<void> {
  const executable = await installNative();
  await using place = await makePlace({ prefix: "adapter-threads-" });
  await using model = startLoopbackModel({ script });
  const env = {
    ...nativeEnv({ home: place.home, url: model.url }),
    DENO_DIR: await denoDir(), // for programs of a test's own
  };
  const kept = new Map(Object.keys(env).map((name) => [name, Deno.env.get(name)]));
  for (const [name, value] of Object.entries(env)) Deno.env.set(name, value);
  const threadOf: ThreadWorld["threadOf"] = (claude, path, options) =>
    claude.thread(path, {
      cwd: place.project,
      configDir: place.config,
      auth: { kind: "apiKey", key: "sk-ant-made-up", baseUrl: model.url },
      ...options,
    });
  try {
    await using claude = createClaude({ executable });
    const thread: ThreadWorld["thread"] = (path, options) => threadOf(claude, path, options);
    await body({ ...place, claude, model, executable, thread, threadOf });
  } finally {
    for (const [name, value] of kept) {
      if (value === undefined) Deno.env.delete(name);
      else Deno.env.set(name, value);
    }
  }
  assertEquals(await leftBehind(place.root, { except: Deno.pid }), [], "processes that are left");
}

/** Sends a message and reads the whole answer. */
export function say(thread: Thread, ...args: Parameters<Thread["send"]>): Promise<Collected> {
  return thread.send(...args).collect();
}

/** What the model was asked, as text: all of a request's messages, or of its system prompt too. */
export function asked(model: LoopbackModel, index: number): string {
  return JSON.stringify(model.messages.at(index)?.body);
}
