/** Starts `thread_program.ts` as a program of its own. */
import type { ThreadWorld } from "./threads_world.ts";

/** What it sends. */
export interface ThreadChildOptions {
  readonly word: string;
  readonly count: number;
  /** The address of an MCP server. */
  readonly mcp?: string;
}

/** A running program. */
export interface ThreadChild {
  readonly pid: number;
  /** Waits until the first text of an answer has come. */
  begun(): Promise<void>;
  /** Its exit code and what it wrote on standard error. */
  readonly ended: Promise<readonly [code: number, stderr: string]>;
}

/** Starts one on the thread `room/raced` of a world. */
export function startThreadChild(
  { config, project, model, executable }: ThreadWorld,
  { word, count, mcp }: ThreadChildOptions,
): ThreadChild {
  const program = new URL("thread_program.ts", import.meta.url).pathname;
  const words = [config, project, model.url, executable, word, String(count)];
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", program, ...words, ...(mcp === undefined ? [] : [mcp])],
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const first = Promise.withResolvers<void>();
  const read = async () => {
    for await (const _ of child.stdout) first.resolve();
    first.reject(new Error("the program ended before an answer came"));
  };
  first.promise.catch(() => {});
  const ended = Promise.all([child.status, new Response(child.stderr).text(), read()]);
  return {
    pid: child.pid,
    begun: () => first.promise,
    ended: ended.then(([{ code }, stderr]) => [code, stderr] as const),
  };
}
