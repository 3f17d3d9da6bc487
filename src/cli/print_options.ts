/**
 * The options of `print`: those of the tree's command under their native names, and a few of our own.
 *
 * @module
 */
import type { JsonValue } from "../base/json.ts";
import { DEFAULT_TIMEOUT_SECONDS, MAX_TIMEOUT_SECONDS } from "../base/limits.ts";
import type { CliCommand, CliParameter } from "../contract/cli_tree.ts";
import {
  EXECUTABLE_PATH,
  type FlagFault,
  type FlagRule,
  type FlagTable,
  readFlags,
  VERSION_TEXT,
} from "./flags.ts";

/** What a `print` command line asks for. */
export interface PrintOptions {
  readonly ok: true;
  /** By the names of the tree's parameters, unchecked. */
  readonly values: { readonly [name: string]: JsonValue };
  readonly backgroundTasks: "allow" | "off";
  readonly timeoutSeconds: number;
  readonly executable: string | null;
  readonly acceptNativeVersion: string | null;
}

/** The name of the one parameter that is not an option. */
const PROMPT = "prompt";

const OWN_FLAGS: FlagTable = {
  "--background-tasks": { kind: "choice", of: ["off", "allow"] },
  "--timeout": {
    kind: "value",
    what: `a number of seconds from 1 to ${MAX_TIMEOUT_SECONDS}`,
  },
  "--executable": EXECUTABLE_PATH,
  "--accept-native-version": VERSION_TEXT,
};

/** Reads the arguments of `print`, `command` being the tree's. Never throws. */
export function readPrintOptions(
  command: CliCommand,
  args: readonly string[],
): PrintOptions | FlagFault {
  const flags = nativeFlags(command);
  const table = Object.fromEntries(flags.map(({ flag, rule }) => [flag, rule]));
  const read = readFlags({ ...table, ...OWN_FLAGS }, args, 1);
  if (!read.ok) return read;
  const [prompt] = read.operands;
  if (prompt === undefined) return fault("there is no prompt; give it last, after --");
  const mode = flags.find(({ parameter }) => parameter.name === "permission_mode");
  if (mode !== undefined && !read.values.has(mode.flag)) {
    return fault(`${mode.flag} has to be given: what may Claude do without asking?`);
  }
  const timeout = read.values.get("--timeout");
  const timeoutSeconds = timeout === undefined ? DEFAULT_TIMEOUT_SECONDS : numberOf(timeout);
  if (!(timeoutSeconds >= 1 && timeoutSeconds <= MAX_TIMEOUT_SECONDS)) {
    return fault(`--timeout needs a number of seconds from 1 to ${MAX_TIMEOUT_SECONDS}`);
  }
  const native = nativeValues(flags, read.values);
  if (!native.ok) return native;
  return {
    ok: true,
    values: { [PROMPT]: prompt, ...native.values },
    backgroundTasks: (read.values.get("--background-tasks") ?? "off") as "allow" | "off",
    timeoutSeconds,
    executable: read.values.get("--executable") ?? null,
    acceptNativeVersion: read.values.get("--accept-native-version") ?? null,
  };
}

/** The values of the native options that were given, by the names of their parameters, unchecked. */
export function nativeValues(
  flags: readonly NativeFlag[],
  given: ReadonlyMap<string, string>,
): { readonly ok: true; readonly values: { readonly [name: string]: JsonValue } } | FlagFault {
  const values: { [name: string]: JsonValue } = {};
  for (const { flag, rule, parameter } of flags) {
    const text = given.get(flag);
    if (text === undefined) continue;
    const value = rule.kind === "switch" ? true : valueOf(text, parameter);
    if (typeof value === "number" && Number.isNaN(value)) return fault(`${flag} needs a number`);
    values[parameter.name] = value;
  }
  return { ok: true, values };
}

/** An option of the native command, and how it is read here. */
export interface NativeFlag {
  readonly flag: string;
  readonly rule: FlagRule;
  readonly parameter: CliParameter;
}

/** The options that a tree's command maps, in its order. */
export function nativeFlags({ argv, parameters }: CliCommand): readonly NativeFlag[] {
  return argv.flatMap((token) => {
    if (token.kind !== "option" && token.kind !== "flag") return [];
    const parameter = parameters.find(({ name }) => name === token.parameter);
    if (parameter === undefined) return [];
    return [{ flag: token.flag, rule: ruleOf(token.kind, parameter), parameter }];
  });
}

function ruleOf(kind: "option" | "flag", { schema }: CliParameter): FlagRule {
  if (kind === "flag") return { kind: "switch" };
  if (schema.enum !== undefined) return { kind: "choice", of: schema.enum.map(String) };
  return { kind: "value", what: isNumber(schema.type) ? "a number" : "a value" };
}

function valueOf(text: string, { schema }: CliParameter): JsonValue {
  return isNumber(schema.type) ? numberOf(text) : text;
}

function isNumber(type: string): boolean {
  return type === "number" || type === "integer";
}

/** Decimal digits only: `Number` would take an empty text for 0 and 0x10 for 16. `NaN` for anything else. */
export function numberOf(text: string): number {
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : NaN;
}

function fault(message: string): FlagFault {
  return { ok: false, message };
}
