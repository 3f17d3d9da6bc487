/**
 * Looks for processes that belong to a temporary folder: it is in their environment, their arguments or
 * their working directory.
 *
 * @module
 */

/** A process that is there. */
export interface FoundProcess {
  readonly pid: number;
  readonly ppid: number;
  /** The start of its command line. */
  readonly command: string;
}

const MAX_COMMAND_CHARS = 1000;

/**
 * Every other living process that knows of `folder`. Zombies do not count: they have no environment any more.
 *
 * A tool's daemon that hides from process groups and sessions still has the run's HOME in its environment,
 * and one with an empty environment still has its working directory.
 *
 * Needs --allow-all on Linux, since Deno guards /proc.
 */
export async function processesOf(folder: string): Promise<FoundProcess[]> {
  return Deno.build.os === "linux" ? await lookInProc(folder) : await lookWithPs(folder);
}

/** What does not count as left. */
export interface LeftBehindOptions {
  /** A process that may still be there. */
  readonly except?: number;
  /** A server that may still be there, with one supervisor that waits for its next run. */
  readonly server?: number;
}

/**
 * What a run left behind in `folder`. A supervisor that has just given its last receipt needs a moment to
 * end; as long as nothing else is there it is given two seconds, and then it counts as well.
 */
export async function leftBehind(
  folder: string,
  { except, server }: LeftBehindOptions = {},
): Promise<FoundProcess[]> {
  for (let look = 0;; look++) {
    const all = await processesOf(folder);
    const ready = server === undefined ? undefined : readySupervisor(all, server);
    const found = all.filter((row) => ![except, server, ready?.pid].includes(row.pid));
    const areEnding = found.every(isSupervisor);
    if (found.length === 0 || !areEnding || look >= 40) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function isSupervisor({ command }: FoundProcess): boolean {
  return /supervise(_entry\.[jt]s)?$/.test(command);
}

/** The supervisor that a server keeps ready: its child, with nothing below it. */
function readySupervisor(all: readonly FoundProcess[], server: number): FoundProcess | undefined {
  return all.find((row) =>
    row.ppid === server && isSupervisor(row) && !all.some(({ ppid }) => ppid === row.pid)
  );
}

/** Whether a process of this id is there and no zombie. */
export async function isAlive(pid: string | number): Promise<boolean> {
  if (Deno.build.os === "linux") {
    const stat = await textOf(`/proc/${pid}/stat`);
    return stat !== "" && !/\) [ZX] /.test(stat);
  }
  const { stdout } = await new Deno.Command("ps", {
    args: ["-p", String(pid), "-o", "stat="],
    stdin: "null",
    stderr: "null",
  }).output();
  const state = new TextDecoder().decode(stdout).trim();
  return state !== "" && !state.startsWith("Z");
}

async function lookInProc(folder: string): Promise<FoundProcess[]> {
  const found: FoundProcess[] = [];
  for await (const entry of Deno.readDir("/proc")) {
    const pid = Number(entry.name);
    if (!Number.isInteger(pid) || pid === Deno.pid) continue;
    const [environ, command, stat, cwd] = await Promise.all([
      textOf(`/proc/${pid}/environ`),
      textOf(`/proc/${pid}/cmdline`),
      textOf(`/proc/${pid}/stat`),
      linkOf(`/proc/${pid}/cwd`),
    ]);
    if (![environ, command, cwd].some((text) => text.includes(folder))) continue;
    const ppid = Number(stat.slice(stat.lastIndexOf(") ") + 2).split(" ")[1]);
    const shown = command.replaceAll("\0", " ").trim().slice(0, MAX_COMMAND_CHARS);
    found.push({ pid, ppid, command: shown });
  }
  return found;
}

async function lookWithPs(folder: string): Promise<FoundProcess[]> {
  const { stdout } = await new Deno.Command("ps", {
    args: ["-A", "-E", "-ww", "-o", "pid=", "-o", "ppid=", "-o", "command="],
    stdin: "null",
    stderr: "null",
  }).output();
  return new TextDecoder().decode(stdout).split("\n").flatMap((line) => {
    const [, pid = "", ppid = "", command = ""] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    if (!command.includes(folder) || Number(pid) === Deno.pid) return [];
    return [{
      pid: Number(pid),
      ppid: Number(ppid),
      command: command.slice(0, MAX_COMMAND_CHARS),
    }];
  });
}

/** Empty when the process has gone meanwhile, or is somebody else's. */
async function textOf(path: string): Promise<string> {
  try {
    return await Deno.readTextFile(path);
  } catch {
    return "";
  }
}

async function linkOf(path: string): Promise<string> {
  try {
    return await Deno.readLink(path);
  } catch {
    return "";
  }
}
