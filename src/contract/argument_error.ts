/**
 * The words in which a wrong argument is reported.
 *
 * @module
 */
import { AdapterError } from "../base/errors.ts";
import type { ValueProblem } from "./check_value.ts";

/** How much of a name the caller made up is repeated to it. */
const MAX_QUOTED_NAME = 64;

/** A name in quotes, control characters escaped and cut when it is long. */
export function quoteName(name: string): string {
  const shown = name.length > MAX_QUOTED_NAME ? `${name.slice(0, MAX_QUOTED_NAME)}…` : name;
  return JSON.stringify(shown);
}

/** The error for a value that breaks its schema. */
export function invalidArgument(name: string, problem: ValueProblem): AdapterError {
  const where = problem.at === "" ? "it" : `its ${quoteName(problem.at)}`;
  return new AdapterError(
    "invalid_arguments",
    `Invalid argument ${quoteName(name)}: ${where} ${problem.message}; correct it and call again`,
  );
}

/** Throws `invalid_arguments` for the first of `names` that is not among `known`. */
export function rejectUnknown(names: readonly string[], known: readonly string[]): void {
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const list = known.length === 0 ? "there are no arguments" : `use only ${known.join(", ")}`;
  throw new AdapterError("invalid_arguments", `Unknown argument ${quoteName(unknown)}: ${list}`);
}
