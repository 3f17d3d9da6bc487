/** The program as a process, its output whole. */
import { adapterCommand } from "./mcp_client.ts";

/** How it ended, and what it said. */
export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** How to start it. */
export interface ProgramOptions {
  /** The whole environment. */
  readonly env: { readonly [name: string]: string };
  readonly cwd?: string;
  /** More permissions than `serve` needs, such as `--allow-write`. Default: none. */
  readonly permissions?: readonly string[];
}

/** A program under way. */
export interface Program {
  readonly pid: number;
  /** Resolves when standard error has `text`; rejects when it ends without it. */
  says(text: string): Promise<void>;
  readonly ended: Promise<Ended>;
}

/** Starts it with its standard input at its end. */
export function startProgram(args: readonly string[], options: ProgramOptions): Program {
  const [program = "", ...first] = adapterCommand();
  const child = new Deno.Command(program, {
    args: [...first.slice(0, -1), ...options.permissions ?? [], ...first.slice(-1), ...args],
    clearEnv: true,
    env: { ...options.env },
    ...(options.cwd !== undefined && { cwd: options.cwd }),
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  let stderr = "";
  let isOver = false;
  let news = Promise.withResolvers<void>();
  const reading = (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of child.stderr) {
      stderr += decoder.decode(chunk, { stream: true });
      news.resolve();
      news = Promise.withResolvers();
    }
    isOver = true;
    news.resolve();
  })();
  const stdout = new Response(child.stdout).text();
  return {
    pid: child.pid,
    async says(text) {
      while (!stderr.includes(text)) {
        if (isOver) throw new Error(`standard error ended without '${text}': ${stderr}`);
        await news.promise;
      }
    },
    ended: (async () => {
      const [{ code }, out] = await Promise.all([child.status, stdout, reading]);
      return { code, stdout: out, stderr };
    })(),
  };
}

/** Runs it to its end. */
export function runProgram(args: readonly string[], options: ProgramOptions): Promise<Ended> {
  return startProgram(args, options).ended;
}
