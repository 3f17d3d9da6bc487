/**
 * The commands for people beside `serve`: one line each here, everything else in a file of their own that is loaded
 * only when the command is called.
 *
 * @module
 */

/** What a command's file exports. */
export interface CommandModule {
  /** The text of `COMMAND --help`. */
  readonly help: string;
  /**
   * Does the command and resolves to the exit code. Wrong usage is a sentence on standard error and
   * {@linkcode USAGE_EXIT}.
   */
  run(args: readonly string[]): Promise<number>;
}

/** One command. */
export interface CommandEntry {
  /** One line for the program's help. */
  readonly summary: string;
  readonly load: () => Promise<CommandModule>;
}

/** Exit code of wrong usage. */
export const USAGE_EXIT = 2;

/** The commands by name, in the order of the help. */
export const COMMANDS: { readonly [name: string]: CommandEntry } = {
  run: {
    summary: "run one prompt and watch it",
    load: () => import("./run_command.ts"),
  },
  doctor: {
    summary: "what is wrong with this set-up, and the fix",
    load: () => import("./doctor_command.ts"),
  },
  config: {
    summary: "what to put into a host's configuration, and where",
    load: () => import("./config_command.ts"),
  },
  print: {
    summary: "run one prompt, print the native JSON result",
    load: () => import("./print_command.ts"),
  },
  report: {
    summary: "the events of a run as one HTML page",
    load: () => import("./report_command.ts"),
  },
  verify: {
    summary: "prove the installed Claude Code against the contract",
    load: () => import("./verify_command.ts"),
  },
  tree: {
    summary: "validate, check or show a command tree",
    load: () => import("./tree_command.ts"),
  },
};
