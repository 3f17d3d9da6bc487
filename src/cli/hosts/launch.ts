/**
 * How a host starts this program, as data.
 *
 * @module
 */
import type { HostCommand } from "../help.ts";

/** Where the program comes from. */
export type LaunchSource = "source" | "jsr" | "binary";

/** The choices, in the order of the help. */
export const LAUNCH_SOURCES: readonly LaunchSource[] = ["source", "jsr", "binary"];

/** What is known about the program that runs. */
export interface RunningProgram {
  /** Absolute path of the runtime, or of the binary itself when it is compiled. */
  readonly execPath: string;
  readonly standalone: boolean;
  /** The main module's URL. */
  readonly mainModule: string;
  readonly version: string;
}

/** The package's name on JSR. */
export const JSR_NAME = "@adapters/claude-code";
/** The binary's name. */
export const BINARY_NAME = "claude-code-adapter";

/**
 * The heap stays small while much streams through: docs/PERFORMANCE.md has the difference. The runtime only takes it on
 * the command line.
 */
export const V8_FLAGS = "--v8-flags=--max-semi-space-size=4";

/** What Deno is told: the heap, and these permissions and no other. */
export const DENO_RUN: readonly string[] = [
  "run",
  V8_FLAGS,
  "--allow-run",
  "--allow-env",
  "--allow-read",
];

/** Where the running program comes from. */
export function sourceOf({ standalone, mainModule }: RunningProgram): LaunchSource {
  if (standalone) return "binary";
  return mainModule.startsWith("file:") ? "source" : "jsr";
}

/**
 * How a host starts the program from `source`, up to and with `serve`; `null` for the source of a program that does
 * not run from source, since nobody knows where that is.
 */
export function launchCommand(source: LaunchSource, program: RunningProgram): HostCommand | null {
  const { execPath, standalone, mainModule, version } = program;
  const deno = standalone ? "deno" : execPath;
  switch (source) {
    case "source":
      return sourceOf(program) !== "source" ? null : {
        command: deno,
        args: [...DENO_RUN, decodeURIComponent(new URL(mainModule).pathname), "serve"],
      };
    case "jsr":
      return { command: deno, args: [...DENO_RUN, `jsr:${JSR_NAME}@${version}`, "serve"] };
    case "binary":
      return { command: standalone ? execPath : BINARY_NAME, args: ["serve"] };
  }
}

/** Changes the directory and then becomes the program, for hosts that cannot say in which directory it starts. */
export function inFolder({ command, args }: HostCommand, folder: string): HostCommand {
  const script = 'cd "$1" && shift && exec "$@"';
  return { command: "/bin/sh", args: ["-c", script, "sh", folder, command, ...args] };
}
