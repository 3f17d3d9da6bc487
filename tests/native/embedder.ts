/** A program that embeds an executor: to be killed at any stage, or to run elsewhere. As main it is that program. */
import { installNative } from "../../scripts/native/install.ts";
import type { TurnEvent } from "../../src/executor/turn_events.ts";
import { createExecutor } from "../../src/library/executor.ts";

/** Where in its life a program is: an event, its lent tool's call, or the end of a turn that it has given up. */
export type Stage = TurnEvent["type"] | "made" | "called" | "cancelled";

/** A running embedder that has come to its stage. */
export interface Embedder {
  readonly pid: number;
  /** Its exit code. */
  readonly ended: Promise<number>;
}

/** How to start one. */
export interface EmbedderOptions {
  /** The loopback model's base URL. */
  readonly url: string;
  /** The place; in the environment of all that it starts. */
  readonly root: string;
  /** Default: this program's. */
  readonly cwd?: string;
  /** Whether its tool never answers. Default: true. */
  readonly waits?: boolean;
  /** Its place for temporary files. Default: this program's. */
  readonly temporary?: string;
  /** What to wait for. Default: the call of its tool. */
  readonly stage?: Stage;
}

/** Starts one and waits until it has come to its stage. */
export async function startEmbedder(
  { url, root, cwd = Deno.cwd(), waits = true, temporary, stage = "called" }: EmbedderOptions,
): Promise<Embedder> {
  const self = new URL(import.meta.url).pathname;
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-check", "-A", self, url, await installNative(), String(waits), stage],
    env: {
      ADAPTER_TEST_PLACE: root,
      CLAUDE_CONFIG_DIR: `${root}/config`,
      ...(temporary !== undefined && { TMPDIR: temporary }),
    },
    cwd,
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const reader = child.stdout.getReader();
  const { value } = await reader.read();
  await reader.cancel();
  if (value === undefined) throw new Error(`the embedder ended before it came to '${stage}'`);
  return { pid: child.pid, ended: child.status.then(({ code }) => code) };
}

if (import.meta.main) {
  const [url, executable, waits, wanted] = Deno.args as [string, string, string, Stage];
  let isSaid = false;
  const reach = (stage: Stage) => {
    if (stage !== wanted || isSaid) return;
    isSaid = true;
    console.log(stage);
  };
  const executor = await createExecutor({
    model: "m",
    apiKey: "sk-ant-made-up",
    baseUrl: url,
    executable,
  });
  const turn = executor.execute({
    prompt: "Go",
    tools: [{
      name: "wait",
      description: "Waits",
      inputSchema: { type: "object" },
      handler: () => {
        reach("called");
        if (wanted === "cancelled") {
          turn.cancel();
          reach("cancelled");
        }
        return waits === "true" ? new Promise(() => {}) : "ok";
      },
    }],
  });
  reach("made");
  for await (const { type } of turn.events) reach(type);
  await turn.result;
}
