/**
 * What the program says about itself to a person.
 *
 * @module
 */
import { PROGRAM_NAME, VERSION } from "../base/version.ts";
import { COMMANDS } from "./commands.ts";

/** The text of `--help`. */
export const HELP = `${PROGRAM_NAME} ${VERSION}
Lets MCP hosts run your own Claude Code: bounded, supervised, cancellable.

Usage:
  ${PROGRAM_NAME} [serve] [options]   serve MCP on standard input and output
${commandLines()}  ${PROGRAM_NAME} COMMAND --help      the options of a command
  ${PROGRAM_NAME} --help              show this
  ${PROGRAM_NAME} --version           show the version

Options of serve:
  --executable ABSOLUTE_PATH      the claude to run (else CLAUDE_CODE_EXECUTABLE, else from PATH)
  --accept-native-version TEXT    run a claude whose --version prints TEXT, without the proof that
                                  verify gives
  --oversized-frames skip|fail    an event above 1 MiB, such as a screenshot, is left out and marked
                                  (skip, the default) or fails its run (fail)
  --sync-budget SECONDS           claude.run answers after so long that the run goes on, for hosts
                                  that give up on a call (default: it waits for the end of the run)
  --log-level error|warn|info|debug
                                  diagnostics on standard error (default: warn)

Runs work in the directory the server was started in. Standard output carries MCP messages only.
The server ends when its host closes standard input, or on SIGTERM, SIGINT or SIGHUP; it cancels
every run first and leaves no process behind.
`;

/** One line for each command beside `serve`. */
function commandLines(): string {
  return Object.entries(COMMANDS)
    .map(([name, { summary }]) => `  ${PROGRAM_NAME} ${`${name} …`.padEnd(19)} ${summary}\n`)
    .join("");
}

/** The text of `--version`. */
export const VERSION_LINE = `${PROGRAM_NAME} ${VERSION}\n`;

/** How a host starts this very program. */
export interface HostCommand {
  readonly command: string;
  readonly args: readonly string[];
}

/** What a person sees who starts the program in a terminal. */
export function welcome({ command, args }: HostCommand): string {
  const config = { mcpServers: { "claude-code": { command, args } } };
  return `${PROGRAM_NAME} ${VERSION} is an MCP server: a host such as Claude Desktop, Cursor or an IDE
starts it and talks to it in JSON. There is nothing to type here.

Put it into the MCP configuration of your host:

${JSON.stringify(config, null, 2).replace(/^/gm, "  ")}

It runs the claude in your PATH; add "--executable", "/absolute/path/to/claude" to choose one.

Other commands:
  --help       all options
  --version    the version
  serve        serve here all the same, to try JSON by hand
`;
}
