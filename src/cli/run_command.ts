/**
 * The `run` command: one prompt, watched in a terminal or written to a pipe.
 *
 * @module
 */
import { resolve } from "node:path";
import { messageOf, toAdapterError } from "../base/errors.ts";
import { PROGRAM_NAME } from "../base/version.ts";
import { visible } from "../base/visible.ts";
import { parseRunArguments } from "../contract/run_schema.ts";
import { USAGE_EXIT } from "./commands.ts";
import { EXIT_CODES_HELP, exitCodeOf } from "./exit_codes.ts";
import { checkPermissions } from "./permissions.ts";
import { EventFile } from "./run/event_file.ts";
import { readPrompt } from "./run/read_prompt.ts";
import { readRunOptions, type RunOptions } from "./run/run_options.ts";
import { runSession } from "./run/session.ts";
import { say, sayUsage } from "./say.ts";

/** The text of `run --help`. */
export const help: string = `${PROGRAM_NAME} run [options] [--] PROMPT

Runs one prompt with your own Claude Code and shows it as it goes on: text, one line for each tool
call with its outcome and its time, retries and limits, and on a terminal a status line. In a pipe
the same as plain lines. When it ends, nothing that it started is left.

The prompt is the argument, or --file FILE, or standard input (with - or when it is not a terminal
and there is no other). It may not ask back: what is not allowed is refused (--permission-mode).

Output:
  --quiet                         only the final answer; in a pipe exactly as it is
  --json                          only the settled value, as claude.run gives it to MCP hosts
  --events FILE                   write the prompt, the native events as they come and the settled
                                  value to FILE, one a line as JSON; FILE must not exist (or be a
                                  pipe), only you can read it, and Deno needs --allow-write

The run:
  --permission-mode dontAsk|plan|acceptEdits
                                  what Claude may do without asking (default: dontAsk, which is what
                                  your settings allow and nothing else)
  --model VALUE                   an alias or a full name (default: the CLI's own)
  --effort low|medium|high|xhigh|max
  --append-system-prompt VALUE    text for the end of the system prompt
  --max-budget-usd VALUE          stop when the run has cost so much
  --timeout SECONDS               the deadline, 1 to 1800 (default: 600)
  --background-tasks allow|off    whether tasks may go on in the background (default: allow)
  --max-events NUMBER             events in the settled value, 1 to 256 (default: 128)
  --cwd DIRECTORY                 where it works (default: here)

The conversation:
  --resume SESSION_ID             go on with this one
  --continue                      go on with the latest one of the directory
  --session-id UUID               the id of a new one
  --no-session-persistence        do not save it

Options of ${PROGRAM_NAME}:
  --executable ABSOLUTE_PATH      the claude to run (else CLAUDE_CODE_EXECUTABLE, else from PATH)
  --accept-native-version TEXT    run a claude whose --version prints TEXT, without the proof that
                                  verify gives
  --oversized-frames skip|fail    an event above 1 MiB is left out (skip, the default) or fails the
                                  run (fail)

Ctrl-C ends the run: Claude Code gets up to 3.5 s to stop its tools and to save the conversation,
and a receipt says what had to be ended and whether anything is left. Ctrl-C again ends everything
at once with SIGKILL; the receipt comes all the same. NO_COLOR turns colours off, TERM=dumb the
status line as well.

${EXIT_CODES_HELP}`;

/** Runs one prompt; resolves to the exit code. */
export async function run(args: readonly string[]): Promise<number> {
  const options = readRunOptions(args);
  if (!options.ok) return sayUsage("run", options.message);
  const fault = checkPermissions(options.executable, "run");
  if (fault !== null) {
    say(Deno.stderr, `${fault.message}\n`);
    if (fault.fatal) return USAGE_EXIT;
  }
  try {
    return await prepared(options);
  } catch (caught) {
    const { code, message } = toAdapterError(caught);
    if (code === "invalid_arguments") return sayUsage("run", message);
    say(Deno.stderr, `${PROGRAM_NAME} run: ${message} (${code})\n`);
    return exitCodeOf(code);
  }
}

async function prepared(options: RunOptions): Promise<number> {
  const prompt = await readPrompt(options.prompt);
  const wanted = options.events === null ? null : resolve(options.events);
  if (options.cwd !== null) {
    try {
      Deno.chdir(options.cwd);
    } catch (caught) {
      const why = visible(messageOf(caught));
      return sayUsage("run", `--cwd '${visible(options.cwd)}' cannot be used: ${why}`);
    }
  }
  const args = parseRunArguments({ ...options.request, prompt });
  const events = wanted === null ? null : await EventFile.open(wanted);
  try {
    return await runSession({ options, args, events });
  } catch (caught) {
    await events?.discard(); // nothing was started
    throw caught;
  }
}
