/**
 * What a run or a print starts natively.
 *
 * @module
 */
import { AdapterError } from "../base/errors.ts";
import { utf8Length } from "../base/json.ts";
import { MAX_ARGUMENT_BYTES } from "../base/limits.ts";
import { encodeCommand, type EncodedCommand, type SuppliedValues } from "./encode_argv.ts";
import { checkNativeRules } from "./native_rules.ts";
import type { Invocation, RunArguments } from "./run_arguments.ts";
import { type PromptChannel, runCommand, runValues } from "./run_command.ts";
import { printCommand } from "./tree.ts";

/** Stops every kind of background task, and with it second results (measured). */
const BACKGROUND_OFF = { CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: "1" };

/** Where a prompt goes: 131,071 UTF-8 bytes fit into one argument, one more is E2BIG (measured). */
export function promptChannel(prompt: string): PromptChannel {
  return utf8Length(prompt) > MAX_ARGUMENT_BYTES ? "stdin" : "argument";
}

/**
 * The native side of a run that streams events.
 *
 * @throws {AdapterError} `invalid_arguments` when the values do not fit the tree.
 *
 * @example
 * ```ts
 * import { buildRunInvocation } from "./invocation.ts";
 * import { parseRunArguments } from "./run_schema.ts";
 *
 * const { argv } = buildRunInvocation(parseRunArguments({ prompt: "-v?" }));
 * console.assert(argv.at(-2) === "--" && argv.at(-1) === "-v?");
 * ```
 */
export function buildRunInvocation(args: RunArguments): Invocation {
  const encoded = encodeCommand(runCommand(promptChannel(args.prompt)), runValues(args));
  return toInvocation(encoded, args.background_tasks === "off" ? BACKGROUND_OFF : {});
}

/**
 * The native side of `print`: the tree's command as it stands, with the CLI's own demands on its values checked.
 *
 * @param values The supplied parameters, `permission_mode` included; a flag is `true` or left out.
 * @param backgroundTasks `off` keeps sub-agents and long commands in the foreground. Default: `off`, since in JSON mode
 * the CLI prints only its last result: after a background task that is not the answer (measured).
 * @throws {AdapterError} `invalid_arguments`.
 */
export function buildPrintInvocation(
  values: SuppliedValues,
  backgroundTasks: "allow" | "off" = "off",
): Invocation {
  checkNativeRules(values);
  const encoded = encodeCommand(printCommand(), values);
  return toInvocation(encoded, backgroundTasks === "off" ? BACKGROUND_OFF : {});
}

function toInvocation(
  { argv, stdin }: EncodedCommand,
  env: Invocation["env"],
): Invocation {
  if (stdin !== null && typeof stdin !== "string") {
    throw new AdapterError("invalid_configuration", "The CLI tree maps a prompt to binary input");
  }
  return { argv, stdin, env };
}
