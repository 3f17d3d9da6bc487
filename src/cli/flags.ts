/**
 * Options of a command line, read as data by a table of what a command takes.
 *
 * @module
 */

/** What follows an option's name. */
export type FlagRule =
  /** Nothing. */
  | { readonly kind: "switch" }
  /** One of these words. */
  | { readonly kind: "choice"; readonly of: readonly string[] }
  /** Anything nonempty; `what` names it in the fault, such as `an absolute path`. */
  | { readonly kind: "value"; readonly what: string };

/** The options of one command, by name with their hyphens. */
export type FlagTable = { readonly [flag: string]: FlagRule };

/** What `--executable` takes, wherever it is an option. */
export const EXECUTABLE_PATH: FlagRule = { kind: "value", what: "an absolute path" };
/** What `--accept-native-version` takes, wherever it is an option. */
export const VERSION_TEXT: FlagRule = {
  kind: "value",
  what: "the text that claude --version prints, such as '2.1.340 (Claude Code)'",
};

/** What was read. */
export interface ReadFlags {
  readonly ok: true;
  /** The value of each option that was given; empty text for a switch. */
  readonly values: ReadonlyMap<string, string>;
  /** Everything that is not an option, in order; whatever follows `--` is one of them. */
  readonly operands: readonly string[];
}

/** One sentence's worth of what is wrong, without the advice to read the help. */
export interface FlagFault {
  readonly ok: false;
  readonly message: string;
}

/**
 * Reads options: `--flag value` and `--flag=value` mean the same, a flag may be given once, and nothing after `--` is
 * a flag. Never throws.
 *
 * @param operands How many operands there may be. Default: none.
 */
export function readFlags(
  table: FlagTable,
  args: readonly string[],
  operands: number = 0,
): ReadFlags | FlagFault {
  const values = new Map<string, string>();
  const words: string[] = [];
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] ?? "";
    if (arg === "--") {
      words.push(...args.slice(i + 1));
      break;
    }
    if (!arg.startsWith("-") || arg === "-") {
      words.push(arg);
      continue;
    }
    const equals = arg.indexOf("=");
    const flag = equals === -1 ? arg : arg.slice(0, equals);
    const rule = Object.hasOwn(table, flag) ? table[flag] : undefined;
    if (rule === undefined) return fault(`there is no option '${shown(flag)}'`);
    if (values.has(flag)) return fault(`${flag} is given twice`);
    if (rule.kind === "switch") {
      if (equals !== -1) return fault(`${flag} takes no value`);
      values.set(flag, "");
      continue;
    }
    const value = equals === -1 ? args[++i] : arg.slice(equals + 1);
    // The word after a flag may be the next flag; what stands behind = is meant.
    const problem = checkValue(flag, rule, equals === -1 && value?.startsWith("--") ? "" : value);
    if (problem !== null) return fault(problem);
    values.set(flag, value ?? "");
  }
  const extra = words[operands];
  if (extra !== undefined) return fault(`'${shown(extra)}' is one argument too many`);
  return { ok: true, values, operands: words };
}

/** Whether the arguments ask for help; what follows `--` is the caller's own text. */
export function asksForHelp(args: readonly string[]): boolean {
  return hasBeforeEnd(args, "--help", "-h");
}

/** Whether one of `flags` stands before the end of the options. */
export function hasBeforeEnd(args: readonly string[], ...flags: readonly string[]): boolean {
  const end = args.indexOf("--");
  return (end === -1 ? args : args.slice(0, end)).some((arg) => flags.includes(arg));
}

/** What a person typed, safe to repeat to them. */
export function shown(text: string): string {
  // deno-lint-ignore no-control-regex
  const clean = text.replace(/[\u0000-\u001f\u007f-\u009f]/g, "?");
  return clean.length > 60 ? `${clean.slice(0, 60)}…` : clean;
}

function checkValue(
  flag: string,
  rule: Exclude<FlagRule, { kind: "switch" }>,
  value: string | undefined,
): string | null {
  if (rule.kind === "choice") {
    return value !== undefined && rule.of.includes(value)
      ? null
      : `${flag} must be one of ${rule.of.join(", ")}`;
  }
  return value === undefined || value === "" ? `${flag} needs ${rule.what}` : null;
}

function fault(message: string): FlagFault {
  return { ok: false, message };
}
