/**
 * Looking at real processes in tests.
 *
 * @module
 */
import { createProcessTable } from "../../src/host/process_table.ts";
import type { Identity, ProcessRow } from "../../src/supervision/process_row.ts";

const table = createProcessTable();

/** Every process that can still run code. */
export async function liveProcesses(): Promise<readonly ProcessRow[]> {
  const look = await table.look();
  return look.rows.filter((row) => row.alive && row.pid !== look.looker && row.start >= 0);
}

/** The live process with this pid, or `null`. */
export async function processOf(pid: number): Promise<ProcessRow | null> {
  return (await liveProcesses()).find((row) => row.pid === pid) ?? null;
}

/** Whether `pid` runs; with a start time, whether it is still the same process. */
export async function isAlive(pid: number, start?: number): Promise<boolean> {
  const row = await processOf(pid);
  return row !== null && (start === undefined || row.start === start);
}

/** Pid and start time of a live process. Throws when there is none. */
export async function identityOf(pid: number): Promise<Identity> {
  const row = await processOf(pid);
  if (row === null) throw new Error(`There is no process ${pid}`);
  return { pid, start: row.start };
}

/** Live children. */
export async function childrenOf(pid: number): Promise<readonly ProcessRow[]> {
  return (await liveProcesses()).filter((row) => row.ppid === pid);
}

/** Live members of a process group. */
export async function groupMembers(pgid: number): Promise<readonly ProcessRow[]> {
  return (await liveProcesses()).filter((row) => row.pgid === pgid);
}

/** Live processes of a run. */
export async function markedWith(runId: string): Promise<readonly ProcessRow[]> {
  return (await liveProcesses()).filter((row) =>
    row.tokens.some((token) => token.endsWith(`.${runId}`))
  );
}

/** Waits until `condition` holds, looking every 20 ms. Throws after `ms` (10 s when not said). */
export async function until(
  condition: () => boolean | Promise<boolean>,
  { ms = 10_000, what = "a condition" }: { ms?: number; what?: string } = {},
): Promise<void> {
  const end = performance.now() + ms;
  while (!await condition()) {
    if (performance.now() > end) throw new Error(`${what} did not come true within ${ms} ms`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Waits until a process is gone (a zombie is). Throws after `ms` (10 s when not said). */
export async function waitGone(
  pid: number,
  options: { ms?: number; start?: number } = {},
): Promise<void> {
  await until(async () => !await isAlive(pid, options.start), {
    what: `the end of process ${pid}`,
    ...(options.ms === undefined ? {} : { ms: options.ms }),
  });
}

/** Ends a process that the test itself is answerable for; gone already is no error. */
export function endProcess(pid: number, signal: Deno.Signal = "SIGKILL"): void {
  if (!Number.isInteger(pid) || pid <= 1) throw new Error(`Not a process to end: ${pid}`);
  try {
    Deno.kill(pid, signal);
  } catch (caught) {
    if (!(caught instanceof Deno.errors.NotFound)) throw caught;
  }
}

/** A process that is no part of any run and holds a file open; ends when it is disposed of. */
export async function holdOpen(
  path: string,
  env: { readonly [name: string]: string } = {},
): Promise<Identity & AsyncDisposable> {
  const child = new Deno.Command("sh", {
    args: ["-c", 'exec 3>>"$1" && echo ready && exec cat', "sh", path],
    env: { ...env },
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const reader = child.stdout.getReader();
  const { value } = await reader.read();
  if (value === undefined) throw new Error(`Cannot open ${path}`);
  return {
    ...await identityOf(child.pid),
    async [Symbol.asyncDispose]() {
      await child.stdin.close();
      await reader.cancel();
      await child.status;
    },
  };
}
