/** A program that embeds an executor, to be killed in the middle of a call. As main it is that program. */
import { installNative } from "../../scripts/native/install.ts";
import { createExecutor } from "../../src/library/executor.ts";

/** A running embedder whose lent tool has been called. */
export interface Embedder {
  readonly pid: number;
  readonly ended: Promise<unknown>;
}

/** Starts one and waits until its tool is called. `root` is in the environment of all that it starts. */
export async function startEmbedder(
  { url, root }: { readonly url: string; readonly root: string },
): Promise<Embedder> {
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--no-check",
      "-A",
      new URL(import.meta.url).pathname,
      url,
      await installNative(),
    ],
    env: { ADAPTER_TEST_PLACE: root },
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const reader = child.stdout.getReader();
  const { value } = await reader.read();
  await reader.cancel();
  if (value === undefined) throw new Error("the embedder ended before its tool was called");
  return { pid: child.pid, ended: child.status };
}

if (import.meta.main) {
  const [url, executable] = Deno.args as [string, string];
  const executor = createExecutor({
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
        return new Promise(() => {});
      },
    }],
  });
  await turn.result;
}
