/**
 * Starts a program that does not outlive this one, however this one dies: for what needs no supervisor.
 *
 * @module
 */
import { encodeUtf8 } from "../base/json.ts";

/**
 * For `sh -c SCRIPT sh PROGRAM ARGUMENTS…` as the leader of its group. Before the shell becomes the program, it leaves a
 * watch in the group: that reads the shell's input, which the system ends the moment this program is gone, and then ends
 * the group. To be told of the group after the start would be too late (measured: a SIGKILL came before it, and the
 * program lived on). The watch is no child of the program, which may wait for all of its own.
 */
const WATCHED = `
exec 3<&0 </dev/null
( { read -r _ <&3 || kill -s KILL 0; } >/dev/null 2>&1 & )
exec 3<&-
exec "$@"
`;

/** What a shell exits with when it cannot become a program. */
export const CANNOT_START_CODES: readonly number[] = [126, 127];

/** A program and its watch. */
export interface WatchedChild {
  /** The leader of its group, with nothing on standard input. A program that cannot be started is an exit code. */
  readonly child: Deno.ChildProcess;
  /** Ends the watch: what is left of the group may stay. Never rejects. */
  release(): Promise<void>;
}

/** How to start it. */
export interface WatchedOptions {
  readonly args: readonly string[];
  /**
   * Its whole environment.
   *
   * @default {the current one}
   */
  readonly env?: { readonly [name: string]: string };
  /** @default {"piped"} */
  readonly stderr?: "piped" | "null";
}

/** Starts it in the current directory, its standard output piped. Throws what Deno throws. Needs --allow-run. */
export function startWatched(program: string, options: WatchedOptions): WatchedChild {
  const { args, env, stderr = "piped" } = options;
  const child = new Deno.Command("/bin/sh", {
    args: ["-c", WATCHED, "sh", program, ...args],
    stdin: "piped",
    stdout: "piped",
    stderr,
    detached: true,
    ...(env !== undefined && { clearEnv: true, env: { ...env } }),
  }).spawn();
  const input = child.stdin.getWriter();
  return {
    child,
    async release() {
      // A watch that was ended with its group cannot be told anything.
      await input.write(encodeUtf8("over\n")).catch(() => {});
      await input.close().catch(() => {});
    },
  };
}
