/**
 * The command line, read as data.
 *
 * @module
 */
import { MAX_TIMEOUT_SECONDS } from "../base/limits.ts";
import { PROGRAM_NAME } from "../base/version.ts";
import type { LogLevel } from "../supervision/ports.ts";
import { COMMANDS } from "./commands.ts";
import {
  asksForHelp,
  EXECUTABLE_PATH,
  type FlagTable,
  hasBeforeEnd,
  readFlags,
  shown,
  VERSION_TEXT,
} from "./flags.ts";

/** What to do with a native frame above the frame bound. */
export type OversizedFrames = "skip" | "fail";

/** How `serve` runs. */
export interface ServeOptions {
  /**
   * The native executable as it was given, or `null`: then `CLAUDE_CODE_EXECUTABLE`, else `PATH`, decide. A
   * relative one is not a usage error: the host can still list the tools, and every run says
   * `invalid_configuration`.
   */
  readonly executable: string | null;
  /** What another CLI prints for `--version` and is run for all the same, or `null`. */
  readonly acceptNativeVersion: string | null;
  /** @default {"skip"} */
  readonly oversizedFrames: OversizedFrames;
  /** How long `claude.run` waits before it answers that the run goes on, or `null` for as long as it takes. */
  readonly syncBudgetSeconds: number | null;
  /** @default {"warn"} */
  readonly logLevel: LogLevel;
}

/** What the command line asks for. */
export type Command =
  /** Serve MCP on stdio. `explicit` when the word `serve` was given. */
  | { readonly kind: "serve"; readonly explicit: boolean; readonly options: ServeOptions }
  /** One of {@linkcode COMMANDS}, which reads its own arguments. */
  | { readonly kind: "command"; readonly name: string; readonly args: readonly string[] }
  /** The internal role that supervises one run. */
  | { readonly kind: "supervise" }
  | { readonly kind: "help" }
  | { readonly kind: "version" }
  /** Wrong usage; `message` says what and what to do. */
  | { readonly kind: "usage"; readonly message: string };

const SECONDS = `a whole number of seconds from 1 to ${MAX_TIMEOUT_SECONDS}`;

const FLAGS: FlagTable = {
  "--executable": EXECUTABLE_PATH,
  "--accept-native-version": VERSION_TEXT,
  "--oversized-frames": { kind: "choice", of: ["skip", "fail"] },
  "--sync-budget": { kind: "value", what: SECONDS },
  "--log-level": { kind: "choice", of: ["error", "warn", "info", "debug"] },
};

/** Reads the command line. Never throws. */
export function readCommand(args: readonly string[]): Command {
  const [first = "", ...others] = args;
  if (Object.hasOwn(COMMANDS, first)) return { kind: "command", name: first, args: others };
  if (asksForHelp(args)) return { kind: "help" };
  if (hasBeforeEnd(args, "--version", "-V")) return { kind: "version" };
  if (first === "supervise") {
    return others.length === 0 ? { kind: "supervise" } : usage("supervise takes no arguments");
  }
  if (first === "help" && others.length === 0) return { kind: "help" };
  const explicit = first === "serve";
  if (args.length > 0 && !explicit && !first.startsWith("-")) {
    return usage(`there is no command '${shown(first)}'`);
  }
  const read = readFlags(FLAGS, explicit ? others : args);
  if (!read.ok) return usage(read.message);
  const { values } = read;
  const budget = values.get("--sync-budget");
  if (budget !== undefined && !isBudget(budget)) return usage(`--sync-budget needs ${SECONDS}`);
  return {
    kind: "serve",
    explicit,
    options: {
      executable: values.get("--executable") ?? null,
      acceptNativeVersion: values.get("--accept-native-version") ?? null,
      oversizedFrames: (values.get("--oversized-frames") ?? "skip") as OversizedFrames,
      syncBudgetSeconds: budget === undefined ? null : Number(budget),
      logLevel: (values.get("--log-level") ?? "warn") as LogLevel,
    },
  };
}

function isBudget(text: string): boolean {
  return /^\d{1,4}$/.test(text) && Number(text) >= 1 && Number(text) <= MAX_TIMEOUT_SECONDS;
}

function usage(message: string): Command {
  return { kind: "usage", message: `${message}; see '${PROGRAM_NAME} --help'` };
}
