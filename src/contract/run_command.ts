/**
 * The command a supervised run uses: the tree's `print` with its output literal replaced, so that both stay one
 * mapping.
 *
 * @module
 */
import { AdapterError } from "../base/errors.ts";
import type { ArgvToken, CliCommand } from "./cli_tree.ts";
import type { SuppliedValues } from "./encode_argv.ts";
import { isEndOfOptions } from "./end_of_options.ts";
import type { RunArguments } from "./run_arguments.ts";
import { printCommand } from "./tree.ts";

/** How the prompt reaches the CLI. Never both: it joins an argument and its input into one text (measured). */
export type PromptChannel = "argument" | "stdin";

const JSON_OUTPUT = "--output-format=json";

/** With stream-json the CLI insists on `--verbose` (measured). */
const STREAM_OUTPUT = ["--output-format=stream-json", "--verbose", "--include-partial-messages"];

/** The parameter that a run may pass on standard input. */
const PROMPT = "prompt";

/** `print` with one JSON event per line as its output, and the prompt on the given channel. */
export function runCommand(channel: PromptChannel): CliCommand {
  const print = printCommand();
  const argv = print.argv.flatMap(streamOutput);
  if (argv.length === print.argv.length) {
    throw new AdapterError("invalid_configuration", `The CLI tree's print lacks ${JSON_OUTPUT}`);
  }
  if (channel === "argument") return { ...print, argv };
  return {
    ...print,
    argv: argv.filter((token) => !isEndOfOptions(token) && !isPrompt(token)),
    stdin: { parameter: PROMPT, encoding: "utf8" },
  };
}

/** The tree's view of a run: only what goes to the CLI, and a one-way flag that is off is not supplied. */
export function runValues(args: RunArguments): SuppliedValues {
  const members = Object.entries(args);
  const names = new Set(printCommand().parameters.map(({ name }) => name));
  return Object.fromEntries(
    members.filter(([name, value]) => names.has(name) && value !== undefined && value !== false),
  );
}

function streamOutput(token: ArgvToken): readonly ArgvToken[] {
  if (token.kind !== "literal" || token.value !== JSON_OUTPUT) return [token];
  return STREAM_OUTPUT.map((value) => ({ kind: "literal", value }));
}

function isPrompt(token: ArgvToken): boolean {
  return token.kind === "positional" && token.parameter === PROMPT;
}
