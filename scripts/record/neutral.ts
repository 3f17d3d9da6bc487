/** Takes this machine out of a recording: nothing else is touched. */

/** What to replace. */
export interface Machine {
  /** The temporary HOME; the project folder lies in it. */
  readonly home: string;
  /** The CLI's binary. */
  readonly binary: string;
  /** Base URL of the loopback model. */
  readonly url: string;
}

/** Where a recording claims it was made. */
export const NEUTRAL_HOME = "/home/user";

/**
 * Replaces temporary paths, the binary's path, the port, the process id and the user id.
 *
 * @param text Text the CLI printed.
 * @param machine What to replace.
 * @returns The text as it would look on a neutral machine.
 */
export function neutral(text: string, machine: Machine): string {
  return text
    // The environment moves them into HOME; a person's CLI has them in /tmp.
    .replaceAll(new RegExp(`${machine.home}/tmp/claude-[0-9]+/`, "g"), "/tmp/claude-1000/")
    .replaceAll(machine.home, NEUTRAL_HOME)
    // The CLI names folders after the working directory, with dashes for everything else.
    .replaceAll(dashed(machine.home), dashed(NEUTRAL_HOME))
    .replaceAll(machine.binary, "claude")
    .replaceAll(machine.url, "http://127.0.0.1:4000")
    .replaceAll(new URL(machine.url).host, "127.0.0.1:4000")
    .replaceAll(/\/tmp\/cc-socks\/[0-9]+\.sock/g, "/tmp/cc-socks/4000.sock");
}

function dashed(path: string): string {
  return path.replaceAll(/[^A-Za-z0-9]/g, "-");
}
