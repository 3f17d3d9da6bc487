/**
 * The tree of the pinned CLI, which is part of this program.
 *
 * @module
 */
import document from "../../cli-tree.json" with { type: "json" };
import { AdapterError } from "../base/errors.ts";
import type { CliCommand, CliTree, TextCheck } from "./cli_tree.ts";
import { deepFreeze } from "./deep_freeze.ts";

/** The id of the command that runs one prompt. */
const PRINT_COMMAND = "print";

let loaded: CliTree | undefined;

/**
 * The embedded tree, frozen at the first call. A test puts it through every check of the format: it is part of this
 * program and cannot change, and checking takes 25 ms, most of it loading zod (measured), which every start would pay.
 */
export function embeddedTree(): CliTree {
  // JSON is imported with wider types than the format has.
  loaded ??= deepFreeze(document as unknown as CliTree);
  return loaded;
}

/** The tree's command that runs one prompt and prints one JSON result. */
export function printCommand(): CliCommand {
  const command = embeddedTree().commands.find(({ id }) => id === PRINT_COMMAND);
  if (command === undefined) {
    throw new AdapterError("invalid_configuration", `The CLI tree has no command ${PRINT_COMMAND}`);
  }
  return command;
}

/** The version of the CLI that the tree was written for, such as `2.1.332`. */
export function pinnedVersion(): string {
  return embeddedTree().executable_version;
}

/** What the executable has to print before each run. */
export function expectedChecks(): readonly TextCheck[] {
  return (embeddedTree().executable_checks ?? []).map((check) => {
    if ("stdout" in check) return check;
    throw new AdapterError(
      "invalid_configuration",
      "The CLI tree's own checks must give their text",
    );
  });
}
