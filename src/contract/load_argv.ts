/**
 * The rules of a command's argument mapping.
 *
 * @module
 */
import type {
  ArgvToken,
  CliCommand,
  CliParameter,
  FlagToken,
  OptionToken,
  PositionalToken,
  ValueSchema,
} from "./cli_tree.ts";
import { TREE_LIMITS } from "./cli_tree.ts";
import { pointer, treeFault } from "./tree_fault.ts";

/** The literal after which nothing is an option. */
export const END_OF_OPTIONS = "--";

/**
 * Throws `invalid_configuration` when the mapping of `command` is not one: a parameter that is mapped twice, not at all,
 * or in a way its schema does not allow, or tokens in an order that does not work.
 *
 * @param at JSON pointer of the command.
 */
export function checkArgv(command: CliCommand, at: string): void {
  const place = pointer(at, "argv");
  if (command.argv.length > TREE_LIMITS.tokens) {
    treeFault(place, `a command has at most ${TREE_LIMITS.tokens} tokens`);
  }
  const parameters = new Map(command.parameters.map((parameter) => [parameter.name, parameter]));
  const mapped = new Set<string>();
  const claim = (name: string, where: string): CliParameter => {
    const parameter = parameters.get(name);
    if (parameter === undefined) treeFault(where, `there is no parameter ${JSON.stringify(name)}`);
    if (mapped.has(name)) treeFault(where, `${JSON.stringify(name)} is mapped twice`);
    mapped.add(name);
    return parameter;
  };
  for (const [index, token] of command.argv.entries()) {
    if (token.kind === "literal") continue;
    const where = pointer(place, index);
    checkToken(token, claim(token.parameter, pointer(where, "parameter")), where);
  }
  checkOrder(command.argv, place, parameters);
  if (command.stdin !== undefined) {
    const where = pointer(at, "stdin");
    const { schema } = claim(command.stdin.parameter, pointer(where, "parameter"));
    if (command.stdin.encoding !== "json" && schema.type !== "string") {
      treeFault(where, `${command.stdin.encoding} needs a parameter of type string`);
    }
  }
  const forgotten = command.parameters.findIndex(({ name }) => !mapped.has(name));
  if (forgotten >= 0) {
    treeFault(
      pointer(pointer(at, "parameters"), forgotten),
      "is mapped neither to argv nor to stdin",
    );
  }
}

function checkToken(
  token: PositionalToken | OptionToken | FlagToken,
  { schema }: CliParameter,
  at: string,
): void {
  if (token.kind === "flag") return checkFlag(token, schema, at);
  const isArray = schema.type === "array";
  if (isArray ? !isScalar(schema.items) : !isScalar(schema)) {
    treeFault(
      at,
      "an argument is a string, integer, number or boolean, or an array of one of these",
    );
  }
  if (token.kind === "option" && (token.style === "repeated") !== isArray) {
    treeFault(pointer(at, "style"), "arrays, and only arrays, are repeated");
  }
}

function checkFlag({ flag, inverse }: FlagToken, schema: ValueSchema, at: string): void {
  if (schema.type !== "boolean") treeFault(at, "a flag needs a parameter of type boolean");
  if (inverse === undefined && schema.const !== true) {
    treeFault(at, "a flag without an inverse needs a parameter with const: true");
  }
  if (inverse !== undefined && (schema.const !== undefined || schema.enum !== undefined)) {
    treeFault(at, "a flag with an inverse needs a parameter that can be true and false");
  }
  if (inverse === flag) treeFault(pointer(at, "inverse"), "must differ from the flag");
}

function checkOrder(
  argv: readonly ArgvToken[],
  at: string,
  parameters: ReadonlyMap<string, CliParameter>,
): void {
  const end = argv.findIndex(isEndOfOptions);
  for (const [index, token] of argv.entries()) {
    const where = pointer(at, index);
    if (end >= 0 && index > end && (token.kind === "option" || token.kind === "flag")) {
      treeFault(where, `there are no options after the literal ${END_OF_OPTIONS}`);
    }
    const isVariadic = token.kind === "positional" &&
      parameters.get(token.parameter)?.schema.type === "array";
    if (isVariadic && index < argv.length - 1) {
      treeFault(where, "a positional that takes several values must be the last token");
    }
  }
}

/** Whether `token` is the literal that ends the options. */
export function isEndOfOptions(token: ArgvToken): boolean {
  return token.kind === "literal" && token.value === END_OF_OPTIONS;
}

function isScalar(schema: ValueSchema | undefined): boolean {
  return schema !== undefined && ["string", "integer", "number", "boolean"].includes(schema.type);
}
