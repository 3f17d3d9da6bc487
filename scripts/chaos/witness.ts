/**
 * Sees what is alive in a place, without the adapter's own way of looking: straight out of /proc, in one go, so
 * that nothing can end between an answer and the look that checks it.
 *
 * Linux only.
 *
 * @module
 */

/** A process that can still run code. */
export interface Seen {
  readonly pid: number;
  readonly ppid: number;
  /** Clock ticks since boot; with the pid it names one process for ever. */
  readonly start: number;
  /** The start of its command line. */
  readonly command: string;
  /**
   * A supervisor, an adapter, or a fork of one that is about to become something else. A supervisor ends a moment
   * after its last receipt, so it is no left-over yet when the answer comes.
   */
  readonly isOurs: boolean;
}

const OURS = /supervise_entry\.[jt]s|\/mod\.ts serve/;
const MAX_COMMAND_CHARS = 160;

/**
 * Every process whose environment, command line or working directory says `root`, this one excepted. A process that
 * clears its environment still has its working directory, and one that changes that still has its environment.
 */
export function look(root: string): Seen[] {
  const found: Seen[] = [];
  for (const { name } of Deno.readDirSync("/proc")) {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === Deno.pid) continue;
    const stat = textOf(`/proc/${pid}/stat`);
    const rest = stat.slice(stat.lastIndexOf(") ") + 2).split(" ");
    // A zombie has nothing left to run, and no environment.
    if (stat === "" || rest[0] === "Z" || rest[0] === "X") continue;
    const command = textOf(`/proc/${pid}/cmdline`).replaceAll("\0", " ").trim();
    const isInPlace = command.includes(root) || textOf(`/proc/${pid}/environ`).includes(root) ||
      linkOf(`/proc/${pid}/cwd`).startsWith(root);
    if (!isInPlace) continue;
    found.push({
      pid,
      ppid: Number(rest[1]),
      start: Number(rest[19]),
      command: command.slice(0, MAX_COMMAND_CHARS),
      isOurs: OURS.test(command),
    });
  }
  return found;
}

/** `pid command`, for a report. */
export function named({ pid, command }: Seen): string {
  return `${pid} ${command.replaceAll("\n", " ")}`;
}

/** Empty when the process has gone meanwhile, or is somebody else's. */
function textOf(path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return "";
  }
}

function linkOf(path: string): string {
  try {
    return Deno.readLinkSync(path);
  } catch {
    return "";
  }
}
