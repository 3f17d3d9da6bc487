/**
 * The arguments of one tool: one list gives both the JSON Schema that is shown and the parser that is applied.
 *
 * @module
 */
import { AdapterError } from "../base/errors.ts";
import { isObject, type JsonObject, type JsonValue } from "../base/json.ts";
import { invalidArgument, quoteName, rejectUnknown } from "./argument_error.ts";
import { checkValue, expected, received } from "./check_value.ts";
import type { ValueSchema } from "./cli_tree.ts";

/** One argument of a tool. */
export interface ArgumentSpec {
  readonly name: string;
  readonly description: string;
  readonly schema: ValueSchema;
  /** @default {false} */
  readonly required?: boolean;
  /** Filled in when the argument is not given. */
  readonly default?: JsonValue;
}

/** The JSON Schema of an object with these members and no others. */
export function argumentsJsonSchema(specs: readonly ArgumentSpec[]): JsonObject {
  const properties: Record<string, JsonValue> = {};
  for (const { name, description, schema, default: fallback } of specs) {
    properties[name] = {
      ...(schema as unknown as JsonObject),
      description,
      ...(fallback === undefined ? {} : { default: fallback }),
    };
  }
  const required = specs.filter((spec) => spec.required).map(({ name }) => name);
  return {
    type: "object",
    properties,
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}

/**
 * Checks `input` and fills in defaults. A member that is `undefined` counts as not given.
 *
 * @throws {AdapterError} `invalid_arguments`, naming the argument, its bound and what was received.
 */
export function parseArguments(
  specs: readonly ArgumentSpec[],
  input: unknown,
): Record<string, JsonValue> {
  if (!isObject(input)) {
    throw new AdapterError(
      "invalid_arguments",
      `The arguments must be an object, but they are ${received(input)}`,
    );
  }
  rejectUnknown(Object.keys(input), specs.map(({ name }) => name));
  const values: Record<string, JsonValue> = {};
  for (const { name, schema, required, default: fallback } of specs) {
    const value = Object.hasOwn(input, name) ? input[name] : undefined;
    if (value !== undefined) {
      const problem = checkValue(schema, value);
      if (problem !== null) throw invalidArgument(name, problem);
      rejectNul(name, value);
      values[name] = value;
    } else if (required) {
      throw new AdapterError(
        "invalid_arguments",
        `Missing argument ${quoteName(name)}: it must be ${
          expected(schema)
        }; add it and call again`,
      );
    } else if (fallback !== undefined) {
      values[name] = fallback;
    }
  }
  return values;
}

function rejectNul(name: string, value: JsonValue): void {
  if (typeof value !== "string" || !value.includes("\0")) return;
  throw new AdapterError(
    "invalid_arguments",
    `Invalid argument ${
      quoteName(name)
    }: it contains a NUL character, which no program argument can ` +
      `carry; remove it and call again`,
  );
}
