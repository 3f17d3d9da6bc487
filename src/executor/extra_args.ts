/**
 * The few native options that a caller may set by name. None of them touches tools, permissions, servers or sessions.
 *
 * @module
 */
import { AdapterError } from "../base/errors.ts";
import { isObject, utf8Length } from "../base/json.ts";
import { MAX_ARGUMENT_BYTES } from "../base/limits.ts";

/** Options by their native name. */
export interface ExtraArgs {
  /** How hard the model thinks: `low`, `medium`, `high`, `xhigh` or `max`. */
  readonly "--effort"?: string;
  /** A named agent's prompt and model. */
  readonly "--agent"?: string;
  /** Beta headers, for API keys. */
  readonly "--betas"?: readonly string[];
  /** A JSON Schema as text; the same as the option `jsonSchema`. */
  readonly "--json-schema"?: string;
  /** What the run is called in the CLI's own lists. */
  readonly "--name"?: string;
  /** Whether the CLI suggests a next prompt; `true` is the option without a value. */
  readonly "--prompt-suggestions"?: boolean;
}

/** How many values an option takes. */
type Arity = "one" | "many" | "switch";

const ALLOWED: { readonly [flag in keyof Required<ExtraArgs>]: Arity } = {
  "--effort": "one",
  "--agent": "one",
  "--betas": "many",
  "--json-schema": "one",
  "--name": "one",
  "--prompt-suggestions": "switch",
};
/** Values of one option. */
const MAX_VALUES = 16;

/** The CLI only warns of a level that it does not know, and goes on with another (measured). */
const EFFORTS: readonly string[] = ["low", "medium", "high", "xhigh", "max"];

/**
 * The arguments. Every value stands behind its option's `=`, and none may begin with a hyphen, so that none can be read
 * as another option. An option with several values is repeated: the CLI does not split them (measured).
 *
 * @throws {AdapterError} `invalid_arguments`, naming the option, what is wrong and what is allowed.
 */
export function extraArgv(extra: ExtraArgs): readonly string[] {
  if (!isObject(extra)) refuse("it must be an object of options by name");
  return Object.entries(extra).flatMap(([flag, value]) => {
    if (!Object.hasOwn(ALLOWED, flag)) {
      refuse(
        `'${flag.slice(0, 100)}' is not allowed; it may have ${Object.keys(ALLOWED).join(", ")}`,
      );
    }
    if (value === undefined) return [];
    const arity = ALLOWED[flag as keyof ExtraArgs];
    if (arity === "switch") {
      if (typeof value !== "boolean") refuse(`'${flag}' is true or false`);
      return value ? [flag] : [`${flag}=false`];
    }
    const values = arity === "many" ? value as unknown : [value];
    if (!Array.isArray(values) || values.length < 1 || values.length > MAX_VALUES) {
      return refuse(`'${flag}' takes a list of 1 to ${MAX_VALUES} texts`);
    }
    return values.map((each) => `${flag}=${checked(flag, each)}`);
  });
}

function checked(flag: string, value: unknown): string {
  if (typeof value !== "string" || value === "") return refuse(`'${flag}' takes text`);
  if (value.startsWith("-")) return refuse(`the value of '${flag}' begins with '-'`);
  if (/\p{Cc}/u.test(value) || !value.isWellFormed()) {
    return refuse(`the value of '${flag}' has control characters or half a surrogate pair`);
  }
  if (utf8Length(value) + flag.length + 1 > MAX_ARGUMENT_BYTES) {
    return refuse(`'${flag}' with its value has more than ${MAX_ARGUMENT_BYTES} bytes`);
  }
  if (flag === "--effort" && !EFFORTS.includes(value)) {
    return refuse(`'${flag}' is one of ${EFFORTS.join(", ")}`);
  }
  return value;
}

function refuse(reason: string): never {
  throw new AdapterError("invalid_arguments", `Invalid argument 'extraArgs': ${reason}`);
}
