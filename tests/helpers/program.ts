/** The program as a process, its output whole. */
import { adapterCommand, binaryUnderTest } from "./mcp_client.ts";

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
  /** More permissions than `serve` needs, such as `--allow-write`; a binary has its own. Default: none. */
  readonly permissions?: readonly string[];
  /** What is on its standard input. Default: nothing. */
  readonly stdin?: string;
  /** A line of the shell that starts it, as `"$@"`. Default: it is started by itself. */
  readonly shell?: string;
}

/** A program under way. */
export interface Program {
  readonly pid: number;
  /** Resolves when standard error has `text`; rejects when it ends without it. */
  says(text: string): Promise<void>;
  readonly ended: Promise<Ended>;
}

/** The program with its arguments, as it is started. */
export function programCommand(
  args: readonly string[],
  permissions: readonly string[] = [],
): readonly string[] {
  const first = adapterCommand();
  if (binaryUnderTest() !== null) return [...first, ...args]; // its permissions are baked in
  return [...first.slice(0, -1), ...permissions, ...first.slice(-1), ...args];
}

/** The program with these permissions and no others; a binary has its own. */
export function bareCommand(
  args: readonly string[],
  permissions: readonly string[],
): readonly string[] {
  const first = adapterCommand();
  if (binaryUnderTest() !== null) return [...first, ...args];
  return [first[0]!, "run", "--quiet", "--no-prompt", ...permissions, first.at(-1)!, ...args];
}

/**
 * A test of what only the program from source has: other permissions, another entry. With a binary under test it is
 * counted as ignored.
 */
export function sourceTest(name: string, body: () => Promise<void> | void): void {
  Deno.test({ name, ignore: binaryUnderTest() !== null, fn: body });
}

/** Starts it; its standard input ends at once, or behind what is on it. */
export function startProgram(args: readonly string[], options: ProgramOptions): Program {
  const own = programCommand(args, options.permissions);
  const [program = "", ...others] = options.shell === undefined
    ? own
    : ["/bin/sh", "-c", options.shell, "sh", ...own];
  const child = new Deno.Command(program, {
    args: others,
    clearEnv: true,
    env: { ...options.env },
    ...(options.cwd !== undefined && { cwd: options.cwd }),
    stdin: options.stdin === undefined ? "null" : "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  if (options.stdin !== undefined) {
    const input = child.stdin.getWriter();
    // One that does not read it is none of our business.
    input.write(new TextEncoder().encode(options.stdin)).then(() => input.close()).catch(() => {});
  }
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
