/** A program that embeds an executor: to be killed in the middle of a call, or to run elsewhere. As main it is that program. */
import { installNative } from "../../scripts/native/install.ts";
import { createExecutor } from "../../src/library/executor.ts";

/** A running embedder whose lent tool has been called. */
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
}

/** Starts one and waits until its tool is called. */
export async function startEmbedder(
  { url, root, cwd = Deno.cwd(), waits = true }: EmbedderOptions,
): Promise<Embedder> {
  const self = new URL(import.meta.url).pathname;
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-check", "-A", self, url, await installNative(), String(waits)],
    env: { ADAPTER_TEST_PLACE: root, CLAUDE_CONFIG_DIR: `${root}/config` },
    cwd,
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const reader = child.stdout.getReader();
  const { value } = await reader.read();
  await reader.cancel();
  if (value === undefined) throw new Error("the embedder ended before its tool was called");
  return { pid: child.pid, ended: child.status.then(({ code }) => code) };
}

if (import.meta.main) {
  const [url, executable, waits] = Deno.args as [string, string, string];
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
        console.log("called");
        return waits === "true" ? new Promise(() => {}) : "ok";
      },
    }],
  });
  await turn.result;
}
