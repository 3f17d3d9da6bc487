/**
 * The `print` command: one prompt, one native JSON result.
 *
 * @module
 */
import { toAdapterError } from "../base/errors.ts";
import { PROGRAM_NAME } from "../base/version.ts";
import { buildPrintInvocation } from "../contract/invocation.ts";
import { printCommand } from "../contract/tree.ts";
import { startPrint } from "../engine/print_run.ts";
import { onEndingSignal } from "../host/signals.ts";
import { createOutput } from "../host/stdio.ts";
import { openHostPorts } from "../library/host_ports.ts";
import { USAGE_EXIT } from "./commands.ts";
import { EXIT_CODES_HELP, exitCodeOf } from "./exit_codes.ts";
import { checkPermissions } from "./permissions.ts";
import { nativeFlags, type PrintOptions, readPrintOptions } from "./print_options.ts";
import { say, sayUsage, unwritten } from "./say.ts";

/** The text of `print --help`. */
export const help: string = `${PROGRAM_NAME} print --permission-mode MODE [options] -- PROMPT

Runs one prompt with your own Claude Code in the current directory, and prints the single native
JSON result, byte for byte, when everything is done and nothing is left behind. The version is
checked first. Ctrl-C ends the run and everything it started.

Options, as the CLI itself has them (--flag VALUE and --flag=VALUE mean the same):
${nativeHelp()}
Options of ${PROGRAM_NAME}:
  --background-tasks off|allow    off (the default) keeps sub-agents and long commands in the
                                  foreground: with a background task the CLI prints only its last
                                  result, which is not the answer
  --timeout SECONDS               the deadline, 1 to 1800 (default: 600)
  --executable ABSOLUTE_PATH      the claude to run (else CLAUDE_CODE_EXECUTABLE, else from PATH)
  --accept-native-version TEXT    run a claude whose --version prints TEXT, without the proof that
                                  verify gives

${EXIT_CODES_HELP}`;

/** Runs one prompt; resolves to the exit code. */
export async function run(args: readonly string[]): Promise<number> {
  const options = readPrintOptions(printCommand(), args);
  if (!options.ok) return sayUsage("print", options.message);
  const fault = checkPermissions(options.executable, "print");
  if (fault !== null) {
    say(Deno.stderr, `${fault.message}\n`);
    if (fault.fatal) return USAGE_EXIT;
  }
  try {
    return await print(options);
  } catch (caught) {
    const { code, message } = toAdapterError(caught);
    return failed(code, message);
  }
}

async function print(options: PrintOptions): Promise<number> {
  const invocation = buildPrintInvocation(options.values, options.backgroundTasks);
  const ports = openHostPorts({
    ...(options.executable !== null && { executable: options.executable }),
    ...(options.acceptNativeVersion !== null &&
      { acceptNativeVersion: options.acceptNativeVersion }),
  });
  const output = createOutput(Deno.stdout);
  const { resume_session_id, session_id } = options.values;
  const started = startPrint({
    id: crypto.randomUUID(),
    executable: ports.launcher.locate(),
    invocation,
    sessions: [resume_session_id, session_id].filter((id) => typeof id === "string"),
    resumed: resume_session_id !== undefined,
    timeoutSeconds: options.timeoutSeconds,
    onStdout: (bytes) => output.write(bytes),
    onStderr: (text) => say(Deno.stderr, text),
  }, ports);
  const release = onEndingSignal((signal) =>
    started.stop({ code: "cancelled", message: `${signal} ended the run` })
  );
  const { error, cleanupError, unwritten: lost } = await started.ended;
  release();
  const warning = cleanupError !== null && cleanupError.code !== error?.code ? cleanupError : null;
  if (warning !== null) failed(warning.code, warning.message);
  if (lost !== undefined) return unwritten("print", lost.reason);
  return error === null ? 0 : failed(error.code, error.message);
}

function failed(code: Parameters<typeof exitCodeOf>[0], message: string): number {
  say(Deno.stderr, `${PROGRAM_NAME} print: ${message} (${code})\n`);
  return exitCodeOf(code);
}

/** One line for each option of the tree. */
function nativeHelp(): string {
  return nativeFlags(printCommand()).map(({ flag, rule, parameter }) => {
    const value = rule.kind === "switch"
      ? ""
      : rule.kind === "choice"
      ? ` ${rule.of.join("|")}`
      : " VALUE";
    const mark = parameter.required === true ? " (required)" : "";
    return `  ${flag}${value}${mark}\n`;
  }).join("");
}
