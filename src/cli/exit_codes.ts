/**
 * Exit codes of the commands that run the CLI.
 *
 * @module
 */
import type { ErrorCode } from "../base/errors.ts";
import { OUTPUT_EXITS_HELP } from "./say.ts";

/** The exit code for a failure. 1 is every failure without a number of its own. */
export function exitCodeOf(code: ErrorCode): number {
  return CODES[code] ?? 1;
}

const CODES: { readonly [code in ErrorCode]?: number } = {
  invalid_arguments: 2,
  invalid_configuration: 2,
  dependency_unavailable: 2,
  authentication_required: 3,
  usage_limited: 3,
  timeout: 4,
  cancelled: 130,
};

/** What a command's help says about them. */
export const EXIT_CODES_HELP = `Exit codes:
  0    success: one result without an error, exit code 0, nothing left behind
  1    the run failed; standard error says why
  2    wrong usage or configuration, or no claude that can be started; nothing was started
  3    not logged in, or a usage limit was reached
  4    the deadline passed
  130  interrupted (Ctrl-C, SIGTERM or SIGHUP)
${OUTPUT_EXITS_HELP}`;
