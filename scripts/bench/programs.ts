/** How the programs that are measured are started. */

import { DENO_RUN } from "../../src/cli/hosts/launch.ts";

/** Absolute path of a file beside this one. */
export function programFile(relative: string): string {
  return decodeURIComponent(new URL(relative, import.meta.url).pathname);
}

/** A Deno program with all permissions. */
export function denoRun(file: string, flags: readonly string[] = []): readonly string[] {
  return [Deno.execPath(), "run", "--quiet", "--no-prompt", "-A", ...flags, file];
}

/** The adapter from an entry, as a host starts it. */
export function adapterFrom(entry: string): readonly string[] {
  return [Deno.execPath(), ...DENO_RUN, entry];
}

/** Where and in what a program runs. */
export interface ProgramOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Milliseconds from the spawn to the first bytes on standard output; waits for the end, which does not count. */
export async function toFirstLine(
  command: readonly string[],
  options: ProgramOptions,
): Promise<number> {
  const started = performance.now();
  const child = new Deno.Command(command[0]!, {
    args: command.slice(1),
    ...options,
    clearEnv: true,
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const reader = child.stdout.getReader();
  const { done } = await reader.read();
  const ms = performance.now() - started;
  while (!(await reader.read()).done);
  const { success } = await child.status;
  if (done || !success) throw new Error(`${command.join(" ")} said nothing or failed`);
  return ms;
}
