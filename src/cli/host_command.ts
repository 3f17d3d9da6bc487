/**
 * How a host would start this very program.
 *
 * @module
 */
import { PROGRAM_NAME, VERSION } from "../base/version.ts";
import type { HostCommand } from "./help.ts";
import { launchCommand, type RunningProgram, sourceOf } from "./hosts/launch.ts";

/** The command line for a host's configuration: the binary itself, or Deno with the permissions needed. */
export function hostCommand(): HostCommand {
  const program = runningProgram();
  return launchCommand(sourceOf(program), program) ?? { command: PROGRAM_NAME, args: ["serve"] };
}

/** What this process is; its runtime's path is just `deno` when Deno may not tell. */
export function runningProgram(): RunningProgram {
  const { standalone } = Deno.build;
  return {
    execPath: execPath() ?? (standalone ? PROGRAM_NAME : "deno"),
    standalone,
    mainModule: mainModule(),
    version: VERSION,
  };
}

function execPath(): string | null {
  try {
    return Deno.execPath();
  } catch {
    return null;
  }
}

function mainModule(): string {
  try {
    return Deno.mainModule;
  } catch {
    return ""; // no --allow-read: then it counts as one of JSR, which has a name without a path
  }
}
