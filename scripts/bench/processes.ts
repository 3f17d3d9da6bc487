/** What a process costs, as the kernel counts it. Linux only: reads /proc. */

const MB = 1_000_000;
/** Linux counts processor time in ticks of this length, for every program. */
const TICK_MS = 10;

/** Milliseconds of user and system time, of the process and of the children that it has waited for. */
export function processorMs(pid: number): number {
  const stat = Deno.readTextFileSync(`/proc/${pid}/stat`);
  const fields = stat.slice(stat.lastIndexOf(") ") + 2).split(" ");
  // utime, stime, cutime, cstime, in clock ticks.
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) * TICK_MS;
}

/** Between two readings; at least a tick, since less cannot be told from nothing, and nothing has no ratio. */
export function processorSpan(before: number, after: number): number {
  return Math.max(TICK_MS, after - before);
}

/** Memory of a process, in MB. */
export interface Memory {
  /** What is resident now, shared pages included. */
  readonly residentMb: number;
  /** The most that ever was. */
  readonly peakMb: number;
  /** What is resident and nobody else's: another process of the same program costs this much more. */
  readonly privateMb: number;
}

/** Reads it. */
export function memoryOf(pid: number): Memory {
  const status = Deno.readTextFileSync(`/proc/${pid}/status`);
  const rollup = Deno.readTextFileSync(`/proc/${pid}/smaps_rollup`);
  return {
    residentMb: kilobytes(status, "VmRSS"),
    peakMb: kilobytes(status, "VmHWM"),
    privateMb: kilobytes(rollup, "Private_Clean") + kilobytes(rollup, "Private_Dirty"),
  };
}

function kilobytes(text: string, field: string): number {
  const found = new RegExp(`^${field}:\\s+(\\d+) kB$`, "m").exec(text)?.[1];
  if (found === undefined) throw new Error(`The kernel does not say ${field}`);
  return Number(found) * 1024 / MB;
}
