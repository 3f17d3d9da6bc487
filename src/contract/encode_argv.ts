/**
 * Turns supplied values into exactly the arguments and the standard input that a tree's command describes.
 *
 * @module
 */
import { AdapterError } from "../base/errors.ts";
import { type JsonValue, utf8Length } from "../base/json.ts";
import { MAX_ARGUMENT_BYTES } from "../base/limits.ts";
import { invalidArgument, quoteName, rejectUnknown } from "./argument_error.ts";
import { isEndOfOptions } from "./end_of_options.ts";
import { checkValue, expected } from "./check_value.ts";
import { type ArgvToken, type CliCommand, type CliParameter, TREE_LIMITS } from "./cli_tree.ts";
import { encodeStdin } from "./encode_stdin.ts";

/** Values by parameter name. A name that is there counts as supplied, whatever its value. */
export type SuppliedValues = { readonly [name: string]: JsonValue };

/** What a command is run with. */
export interface EncodedCommand {
  /** Everything after the executable. */
  readonly argv: readonly string[];
  /** Text, or bytes when the mapping is base64; `null` when nothing is written. */
  readonly stdin: string | Uint8Array<ArrayBuffer> | null;
}

/**
 * Encodes one call of `command`, a command of a loaded tree.
 *
 * Checks every value, relationship and bound first; a documented default is never inserted.
 *
 * @throws {AdapterError} `invalid_arguments`, naming the parameter, the bound and what was received.
 */
export function encodeCommand(command: CliCommand, values: SuppliedValues): EncodedCommand {
  if (!command.executable) {
    throw new AdapterError(
      "invalid_arguments",
      `${quoteName(command.id)} is a group of commands and cannot be run; run one of its commands`,
    );
  }
  checkSupplied(command, values);
  const { stdin } = command;
  return {
    argv: encodeArgv(command, values),
    stdin: stdin !== undefined && Object.hasOwn(values, stdin.parameter)
      ? encodeStdin(stdin, values[stdin.parameter]!)
      : null,
  };
}

function checkSupplied({ parameters }: CliCommand, values: SuppliedValues): void {
  rejectUnknown(Object.keys(values), parameters.map(({ name }) => name));
  for (const parameter of parameters) {
    if (!Object.hasOwn(values, parameter.name)) {
      if (!parameter.required) continue;
      throw new AdapterError(
        "invalid_arguments",
        `Missing argument ${quoteName(parameter.name)}: it must be ${expected(parameter.schema)}`,
      );
    }
    const value = values[parameter.name];
    const problem = checkValue(parameter.schema, value, { exactIntegers: true });
    if (problem !== null) throw invalidArgument(parameter.name, problem);
  }
  for (const parameter of parameters) {
    if (Object.hasOwn(values, parameter.name)) checkRelationships(parameter, values);
  }
}

function checkRelationships(
  { name, conflicts = [], requires = [] }: CliParameter,
  values: SuppliedValues,
): void {
  for (const other of conflicts) {
    if (!Object.hasOwn(values, other)) continue;
    throw new AdapterError(
      "invalid_arguments",
      `${quoteName(name)} and ${quoteName(other)} exclude each other; give only one of them`,
    );
  }
  for (const other of requires) {
    if (Object.hasOwn(values, other)) continue;
    throw new AdapterError(
      "invalid_arguments",
      `${quoteName(name)} needs ${quoteName(other)} too; add it, or leave ${quoteName(name)} out`,
    );
  }
}

/** One argument, and the parameter to blame when it cannot be passed. */
interface Argument {
  readonly text: string;
  readonly parameter: string | null;
}

function encodeArgv(command: CliCommand, values: SuppliedValues): readonly string[] {
  const argv: Argument[] = [];
  let optionsEnded = false;
  let skipped: string | null = null;
  for (const token of command.argv) {
    if (token.kind === "literal") {
      optionsEnded ||= isEndOfOptions(token);
      argv.push({ text: token.value, parameter: null });
      continue;
    }
    const { parameter } = token;
    const texts = Object.hasOwn(values, parameter)
      ? encodeToken(token, values[parameter]!, optionsEnded)
      : [];
    if (token.kind === "positional") {
      // Without the earlier value this one would be taken for it.
      if (texts.length > 0 && skipped !== null) {
        throw new AdapterError(
          "invalid_arguments",
          `${quoteName(parameter)} can only be given together with ${quoteName(skipped)}`,
        );
      }
      if (texts.length === 0) skipped ??= parameter;
    }
    for (const text of texts) argv.push({ text, parameter });
  }
  checkArgvBounds(argv);
  return argv.map(({ text }) => text);
}

function encodeToken(
  token: Exclude<ArgvToken, { kind: "literal" }>,
  value: JsonValue,
  optionsEnded: boolean,
): readonly string[] {
  const { parameter } = token;
  if (token.kind === "flag") {
    const text = value === true ? token.flag : token.inverse;
    if (text !== undefined) return [text];
    throw new AdapterError(
      "invalid_arguments",
      `Invalid argument ${
        quoteName(parameter)
      }: it cannot be given as false, because ${token.flag} ` +
        `has no opposite; leave it out instead`,
    );
  }
  const texts = (Array.isArray(value) ? value : [value]).map(encodeScalar);
  if (token.kind === "option" && token.style === "equals") {
    return texts.map((text) => `${token.flag}=${text}`);
  }
  const hyphened = texts.some((text) => text.startsWith("-"));
  if (token.kind === "option") {
    if (hyphened) rejectHyphen(parameter, `${token.flag} takes its value as the next argument`);
    if (token.style === "repeated") return texts.flatMap((text) => [token.flag, text]);
    return texts.length === 0 ? [] : [token.flag, ...texts];
  }
  if (hyphened && !optionsEnded) rejectHyphen(parameter, "no -- stands before it");
  return texts;
}

function rejectHyphen(parameter: string, reason: string): never {
  throw new AdapterError(
    "invalid_arguments",
    `Invalid argument ${
      quoteName(parameter)
    }: it must not start with a hyphen, because ${reason} ` +
      `and it would be taken for an option; change its beginning`,
  );
}

function encodeScalar(value: JsonValue): string {
  // Plain digits, as a program expects of an integer: String(1e21) is "1e+21".
  return Number.isInteger(value) ? BigInt(value as number).toString() : String(value);
}

function checkArgvBounds(argv: readonly Argument[]): void {
  if (argv.length > TREE_LIMITS.argvCount) {
    throw new AdapterError(
      "invalid_arguments",
      `The call has ${argv.length} arguments, but at most ${TREE_LIMITS.argvCount} can be passed; give fewer values`,
    );
  }
  let total = 0;
  for (const { text, parameter } of argv) {
    if (text.includes("\0")) {
      throw new AdapterError(
        "invalid_arguments",
        `Invalid argument ${
          quoteName(parameter ?? "argv")
        }: it contains a NUL character, which no ` +
          `program argument can carry; remove it`,
      );
    }
    const bytes = utf8Length(text);
    if (bytes > MAX_ARGUMENT_BYTES) {
      throw new AdapterError(
        "invalid_arguments",
        `Invalid argument ${
          quoteName(parameter ?? "argv")
        }: with its option name it is ${bytes} bytes ` +
          `in UTF-8, but one program argument holds at most ${MAX_ARGUMENT_BYTES}; shorten it`,
      );
    }
    total += bytes + 1;
  }
  if (total > TREE_LIMITS.argvBytes) {
    throw new AdapterError(
      "invalid_arguments",
      `The arguments are ${total} bytes with their terminators, but at most ${TREE_LIMITS.argvBytes} can be passed; shorten them`,
    );
  }
}
