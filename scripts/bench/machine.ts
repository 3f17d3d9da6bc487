/** What the figures come from. */

import { PINNED_VERSION } from "../native/install.ts";

/** The machine and the programs, and how busy it was. */
export interface Machine {
  readonly system: string;
  readonly processor: string;
  readonly cores: number;
  readonly memoryGb: number;
  readonly deno: string;
  readonly v8: string;
  readonly node: string;
  readonly claude: string;
  /** Programs that wanted to run over the last minute, before anything was measured. */
  readonly load: number;
}

/** Looks. */
export async function describeMachine(): Promise<Machine> {
  const { stdout } = await new Deno.Command("node", { args: ["--version"], stdin: "null" })
    .output().catch(() => ({ stdout: new Uint8Array() }));
  return {
    system: `${Deno.build.os} ${Deno.osRelease()} ${Deno.build.arch}`,
    processor: await processor(),
    cores: navigator.hardwareConcurrency,
    memoryGb: Math.round(Deno.systemMemoryInfo().total / 2 ** 30),
    deno: Deno.version.deno,
    v8: Deno.version.v8,
    node: new TextDecoder().decode(stdout).trim().replace(/^v/, ""),
    claude: PINNED_VERSION,
    load: Deno.loadavg()[0] ?? 0,
  };
}

/** The machine as one line. */
export function machineLine(machine: Machine): string {
  const { system, processor, cores, memoryGb, deno, node, claude, load } = machine;
  return `${cores} cores of ${processor}, ${memoryGb} GB, ${system}; Deno ${deno}, Node.js ${node}, ` +
    `Claude Code ${claude}; load ${load.toFixed(1)} at the start`;
}

async function processor(): Promise<string> {
  try {
    const text = await Deno.readTextFile("/proc/cpuinfo");
    return /^model name\s*: (.+)$/m.exec(text)?.[1] ?? "an unnamed processor";
  } catch {
    return "an unnamed processor";
  }
}
