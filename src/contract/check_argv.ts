/**
 * The rules of a command's mapping from parameters to arguments and standard input.
 *
 * @module
 */
import { quoteName } from "./argument_error.ts";
import { checkValue } from "./check_value.ts";
import { type ArgvToken, type StdinMapping, TREE_LIMITS, type ValueSchema } from "./cli_tree.ts";
import { isEndOfOptions } from "./end_of_options.ts";
import { pointer } from "./pointer.ts";
import type { KnownParameter, Parameters } from "./read_parameters.ts";
import type { Place } from "./tree_diagnostic.ts";
import { readShape, TOKEN_SHAPE } from "./tree_shape.ts";

/** The members of each kind of token besides `kind`; those with a question mark can be left out. */
const MEMBERS = {
  literal: ["value"],
  positional: ["parameter"],
  option: ["parameter", "flag", "style"],
  flag: ["parameter", "flag", "inverse?"],
} as const;

const ALL_MEMBERS = ["value", "parameter", "flag", "inverse", "style"] as const;

/** What a command maps. */
export interface Mapping {
  readonly argv: readonly unknown[];
  readonly stdin: StdinMapping | undefined;
  readonly parameters: Parameters;
  /** Whether `stdin` is all there is: not when it could not be read. */
  readonly isWhole: boolean;
}

/**
 * Reports everything that is wrong with the mapping of the command at `place`.
 *
 * @returns The parameters that are mapped to a flag, `null` when not all of them can be told.
 */
export function checkMapping(mapping: Mapping, place: Place): ReadonlySet<string> | null {
  const { argv, stdin, parameters } = mapping;
  const { faults } = place;
  const above = pointer(place.at, "argv");
  if (argv.length > TREE_LIMITS.tokens) {
    faults.error(
      "clitree.command.invalid",
      above,
      `a command has at most ${TREE_LIMITS.tokens} tokens, but there are ${argv.length}`,
    );
  }
  const mapped = new Set<string>();
  const flags = new Set<string>();
  let complete = mapping.isWhole && argv.length <= TREE_LIMITS.tokens;
  let optionsEnded = false;
  let variadic: { readonly at: string; readonly schema: ValueSchema } | null = null;
  for (const [index, value] of argv.slice(0, TREE_LIMITS.tokens).entries()) {
    const at = pointer(above, index);
    const error = (message: string, where: string = at) =>
      faults.error("clitree.argv.invalid", where, message);
    const token = readToken(value, { at, faults });
    if (token === null) {
      complete = false;
      continue;
    }
    if (token.kind === "literal") {
      if (token.value.includes("\0")) error("must not contain NUL", pointer(at, "value"));
      optionsEnded ||= isEndOfOptions(token);
      continue;
    }
    if (optionsEnded && token.kind !== "positional") {
      error(`nothing but positionals and literals can follow the literal --`);
    }
    const parameter = claim(token.parameter, { parameters, mapped });
    if (token.kind === "flag") flags.add(token.parameter);
    if (typeof parameter === "string") error(parameter, pointer(at, "parameter"));
    const schema = parameter === null || typeof parameter === "string" ? null : parameter.schema;
    checkToken(token, schema, { at, faults });
    if (token.kind !== "positional" || schema === null) continue;
    if (variadic !== null && !hasFixedCount(variadic.schema)) {
      error(
        "a positional with any number of values must be the last positional",
        variadic.at,
      );
    }
    variadic = schema.type === "array" ? { at, schema } : null;
  }
  if (stdin !== undefined) checkStdin(stdin, { parameters, mapped }, place);
  if (complete) checkComplete(parameters, mapped, place);
  return complete ? flags : null;
}

interface Claims {
  readonly parameters: Parameters;
  /** Grows. */
  readonly mapped: Set<string>;
}

/** The parameter, what is wrong with naming it here, or `null` when that cannot be told. */
function claim(name: string, { parameters, mapped }: Claims): KnownParameter | string | null {
  const parameter = parameters.byName.get(name);
  if (parameter === undefined) {
    return parameters.complete ? `there is no parameter ${quoteName(name)}` : null;
  }
  if (mapped.has(name)) return `${quoteName(name)} is mapped twice`;
  mapped.add(name);
  return parameter;
}

/** The token with exactly the members of its kind, or `null`. */
function readToken(value: unknown, { at, faults }: Place): ArgvToken | null {
  const before = faults.errors;
  const members = readShape(TOKEN_SHAPE, value, { at, faults });
  if (members === null || members.kind === undefined) return null;
  const { kind } = members;
  const own: readonly string[] = MEMBERS[kind];
  for (const name of ALL_MEMBERS) {
    const isThere = Object.hasOwn(members, name);
    if (own.includes(name) && !isThere && !Object.hasOwn(value as object, name)) {
      faults.error("clitree.argv.invalid", at, `a token of kind ${kind} needs ${name}`);
    } else if (isThere && !own.includes(name) && !own.includes(`${name}?`)) {
      const message = `a token of kind ${kind} has no ${name}; remove it`;
      faults.error("clitree.argv.invalid", pointer(at, name), message);
    }
  }
  return faults.errors === before ? members as ArgvToken : null;
}

/** @param schema Of the token's parameter; `null` when it is not known. */
function checkToken(
  token: Exclude<ArgvToken, { kind: "literal" }>,
  schema: ValueSchema | null,
  { at, faults }: Place,
): void {
  const error = (message: string, ...path: string[]) =>
    faults.error("clitree.argv.invalid", path.reduce(pointer, at), message);
  if (token.kind !== "positional" && !isFlag(token.flag)) error(FLAG_RULE, "flag");
  if (token.kind === "flag") {
    const { flag, inverse } = token;
    if (inverse !== undefined && !isFlag(inverse)) error(FLAG_RULE, "inverse");
    if (inverse === flag) error("must differ from the flag", "inverse");
    if (schema === null) return;
    if (schema.type !== "boolean") return error("a flag needs a parameter of type boolean");
    if (inverse === undefined && checkValue(schema, true) !== null) {
      error("a flag without an inverse needs a parameter that can be true");
    }
    const never = [[true, "flag"], [false, "inverse"]] as const;
    for (const [value, member] of never) {
      if (inverse === undefined || checkValue(schema, value) === null) continue;
      const message = `is never passed, because the parameter cannot be ${value}`;
      faults.warning("clitree.argv.invalid", pointer(at, member), message);
    }
    return;
  }
  const { kind } = token;
  if (kind === "option" && token.style === "equals" && /^-[^-]/.test(token.flag)) {
    error("style equals needs a flag that starts with two hyphens", "style");
  }
  if (schema !== null && !isScalar(schema.type === "array" ? schema.items : schema)) {
    error("an argument is a string, integer, number or boolean, or an array of one of these");
  }
}

function checkStdin({ parameter: name, encoding }: StdinMapping, claims: Claims, place: Place) {
  const { faults } = place;
  const at = pointer(place.at, "stdin");
  const parameter = claim(name, claims);
  if (parameter === null) return;
  if (typeof parameter === "string") {
    return faults.error("clitree.command.invalid", pointer(at, "parameter"), parameter);
  }
  if (encoding === "json" || parameter.schema === null || parameter.schema.type === "string") {
    return;
  }
  faults.error(
    "clitree.command.invalid",
    pointer(at, "encoding"),
    `${encoding} needs a parameter of type string`,
  );
}

function checkComplete(parameters: Parameters, mapped: ReadonlySet<string>, { faults }: Place) {
  for (const [name, { at }] of parameters.byName) {
    if (mapped.has(name)) continue;
    const message = `${quoteName(name)} is mapped neither to argv nor to stdin`;
    faults.error("clitree.command.invalid", at, message);
  }
}

const FLAG_RULE = "must be an option name such as --model: hyphens, then no white space, = or NUL";

function isFlag(flag: string): boolean {
  return /^-[^=\s\0]+$/u.test(flag) && flag !== "--";
}

function hasFixedCount({ minItems, maxItems }: ValueSchema): boolean {
  return minItems !== undefined && minItems === maxItems;
}

function isScalar(schema: ValueSchema | undefined): boolean {
  return schema !== undefined && ["string", "integer", "number", "boolean"].includes(schema.type);
}
