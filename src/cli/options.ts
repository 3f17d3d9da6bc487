/**
 * The command line, read as data.
 *
 * @module
 */
import { PROGRAM_NAME } from "../base/version.ts";
import type { LogLevel } from "../supervision/ports.ts";

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
  /** @default {"skip"} */
  readonly oversizedFrames: OversizedFrames;
  /** @default {"warn"} */
  readonly logLevel: LogLevel;
}

/** What the command line asks for. */
export type Command =
  /** Serve MCP on stdio. `explicit` when the word `serve` was given. */
  | { readonly kind: "serve"; readonly explicit: boolean; readonly options: ServeOptions }
  /** The internal role that supervises one run. */
  | { readonly kind: "supervise" }
  | { readonly kind: "help" }
  | { readonly kind: "version" }
  /** Wrong usage; `message` says what and what to do. */
  | { readonly kind: "usage"; readonly message: string };

const FLAGS: { readonly [flag: string]: readonly string[] | "path" } = {
  "--executable": "path",
  "--oversized-frames": ["skip", "fail"],
  "--log-level": ["error", "warn", "info", "debug"],
};

/**
 * Reads the command line. `--flag value` and `--flag=value` mean the same; a flag may be given once.
 * Never throws.
 */
export function readCommand(args: readonly string[]): Command {
  if (args.includes("--help") || args.includes("-h")) return { kind: "help" };
  if (args.includes("--version") || args.includes("-V")) return { kind: "version" };
  const [first, ...others] = args;
  if (first === "supervise") {
    return others.length === 0 ? { kind: "supervise" } : usage("supervise takes no arguments");
  }
  if (first === "help" && others.length === 0) return { kind: "help" };
  const explicit = first === "serve";
  if (first !== undefined && !explicit && !first.startsWith("-")) {
    return usage(`there is no command '${shown(first)}'`);
  }
  const values = readFlags(explicit ? others : args);
  if (typeof values === "string") return usage(values);
  return {
    kind: "serve",
    explicit,
    options: {
      executable: values.get("--executable") ?? null,
      oversizedFrames: (values.get("--oversized-frames") ?? "skip") as OversizedFrames,
      logLevel: (values.get("--log-level") ?? "warn") as LogLevel,
    },
  };
}

function readFlags(args: readonly string[]): Map<string, string> | string {
  const values = new Map<string, string>();
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] ?? "";
    const equals = arg.indexOf("=");
    const flag = equals === -1 ? arg : arg.slice(0, equals);
    const rule = Object.hasOwn(FLAGS, flag) ? FLAGS[flag] : undefined;
    if (rule === undefined) {
      return arg.startsWith("-")
        ? `there is no option '${shown(flag)}'`
        : `'${shown(arg)}' is one argument too many`;
    }
    if (values.has(flag)) return `${flag} is given twice`;
    const value = equals === -1 ? args[++i] : arg.slice(equals + 1);
    const problem = checkFlag(flag, rule, value);
    if (problem !== null) return problem;
    values.set(flag, value ?? "");
  }
  return values;
}

function checkFlag(
  flag: string,
  rule: readonly string[] | "path",
  value: string | undefined,
): string | null {
  if (rule === "path") {
    return value === undefined || value === "" || value.startsWith("--")
      ? `${flag} needs an absolute path`
      : null;
  }
  return value !== undefined && rule.includes(value)
    ? null
    : `${flag} must be one of ${rule.join(", ")}`;
}

function shown(text: string): string {
  // deno-lint-ignore no-control-regex
  const clean = text.replace(/[\u0000-\u001f\u007f-\u009f]/g, "?");
  return clean.length > 60 ? `${clean.slice(0, 60)}…` : clean;
}

function usage(message: string): Command {
  return { kind: "usage", message: `${message}; see '${PROGRAM_NAME} --help'` };
}
