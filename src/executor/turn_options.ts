/**
 * What a turn is run with: the options, their bounds, and their check.
 *
 * @module
 */
import { AdapterError } from "../base/errors.ts";
import { isObject, jsonCopy, type JsonObject, jsonText } from "../base/json.ts";
import { DEFAULT_TOOL_RESULT_CHARS, MAX_TOOL_RESULT_CHARS } from "../base/limits.ts";
import { authEnv, type EnvChange, type ThreadAuth } from "../threads/auth_env.ts";
import { type ExtraArgs, extraArgv } from "./extra_args.ts";

/** What is done with media that cannot go where it should: an error, or a line of text that says what it is. */
export type UnsupportedMediaPolicy = "throw" | "describe";

/** Options of an executor, and with `overrides` of one turn. */
export interface TurnOptions {
  /** The model, by its alias or full name. */
  readonly model: string;
  /** An API key. Exactly one of this and `authToken`. */
  readonly apiKey?: string;
  /** A bearer token, for a gateway. Exactly one of this and `apiKey`. */
  readonly authToken?: string;
  /** The API's address; with either of the two. Default: the usual one. */
  readonly baseUrl?: string;
  /** Requests to the model that the turn may take, at least 1. Default: no bound. */
  readonly maxTurns?: number;
  /** US dollars that the turn may cost, from 0.000001. Checked after each answer. Default: no bound. */
  readonly maxBudgetUsd?: number;
  /** Models that answer when the first is busy, in order: a list, or one text with commas. */
  readonly fallbackModel?: string | readonly string[];
  /**
   * How often a failed request is tried again, from 0 to 100. Ten times, the CLI's own default, is 190 s even for a key
   * that is wrong (measured).
   *
   * @default {3}
   */
  readonly maxRetries?: number;
  /** The answer has to fit this JSON Schema of an object; it is then in `structuredOutput`. */
  readonly jsonSchema?: JsonObject;
  /**
   * Folders that the CLI may know of: absolute paths. A turn runs in an empty folder of its own. Without tools of its own
   * the CLI tells the model nothing of any folder (measured).
   */
  readonly addDir?: readonly string[];
  /** Names of lent tools that are not lent after all. */
  readonly disallowedTools?: readonly string[];
  /** See {@linkcode ExtraArgs}. */
  readonly extraArgs?: ExtraArgs;
  /**
   * From the start of the process to the beginning of its turn, in milliseconds.
   *
   * @default {45000}
   */
  readonly startupTimeoutMs?: number;
  /**
   * The longest silence, in milliseconds: every byte starts it again, and it does not count while a lent tool runs.
   *
   * @default {60000}
   */
  readonly streamIdleTimeoutMs?: number;
  /**
   * How long one call of a lent tool may take, in milliseconds, when the tool does not say.
   *
   * @default {600000}
   */
  readonly toolTimeoutMs?: number;
  /**
   * How long the CLI waits for a word of the bridge while a tool runs, in milliseconds; the bridge says one at least
   * every 5 s, so only a program that hangs is given up. The CLI looks every 30 s (measured). 0 is for ever.
   *
   * @default {300000}
   */
  readonly mcpIdleTimeoutMs?: number;
  /**
   * How long the CLI may take to end by itself when a turn is given up, in milliseconds, before it is told to.
   *
   * @default {500}
   */
  readonly disposeGraceMs?: number;
  /**
   * Characters of text in one tool result, up to 400,000; what is longer is cut, with a note.
   *
   * @default {80000}
   */
  readonly maxResultChars?: number;
  /**
   * Pictures in messages: to the model as they are, or as `unsupportedMediaPolicy` says.
   *
   * @default {"native"}
   */
  readonly images?: "native" | "policy";
  /**
   * For media in messages that cannot go to the model.
   *
   * @default {"throw"}
   */
  readonly unsupportedMediaPolicy?: UnsupportedMediaPolicy;
  /**
   * The same for what lent tools answer; `throw` ends the turn.
   *
   * @default {"throw"}
   */
  readonly unsupportedResultMediaPolicy?: UnsupportedMediaPolicy;
}

/** Checked, with every default filled in. */
export interface CheckedOptions {
  readonly model: string;
  readonly auth: EnvChange;
  readonly maxTurns: number | null;
  readonly maxBudgetUsd: number | null;
  readonly fallbackModels: readonly string[];
  readonly maxRetries: number;
  /** The schema that the answer has to fit. */
  readonly jsonSchema: JsonObject | null;
  readonly addDir: readonly string[];
  readonly disallowedTools: readonly string[];
  readonly extraArgv: readonly string[];
  readonly startupTimeoutMs: number;
  readonly streamIdleTimeoutMs: number;
  readonly toolTimeoutMs: number;
  readonly mcpIdleTimeoutMs: number;
  readonly disposeGraceMs: number;
  readonly maxResultChars: number;
  readonly images: "native" | "policy";
  readonly unsupportedMediaPolicy: UnsupportedMediaPolicy;
  readonly unsupportedResultMediaPolicy: UnsupportedMediaPolicy;
}

const DAY_MS = 86_400_000;

/** Whole numbers: default, least, most. `null` is "no bound". */
const NUMBERS = {
  maxTurns: [null, 1, 1_000_000],
  maxRetries: [3, 0, 100],
  startupTimeoutMs: [45_000, 1_000, 600_000],
  streamIdleTimeoutMs: [60_000, 1_000, DAY_MS],
  toolTimeoutMs: [600_000, 1, DAY_MS],
  mcpIdleTimeoutMs: [300_000, 0, DAY_MS],
  disposeGraceMs: [500, 0, 60_000],
  maxResultChars: [DEFAULT_TOOL_RESULT_CHARS, 1, MAX_TOOL_RESULT_CHARS],
} as const;

const WORDS = {
  images: ["native", "policy"],
  unsupportedMediaPolicy: ["throw", "describe"],
  unsupportedResultMediaPolicy: ["throw", "describe"],
} as const;

const OTHERS = [
  "model",
  "apiKey",
  "authToken",
  "baseUrl",
  "maxBudgetUsd",
  "fallbackModel",
  "jsonSchema",
  "addDir",
  "disallowedTools",
  "extraArgs",
];
const KNOWN: ReadonlySet<string> = new Set([
  ...Object.keys(NUMBERS),
  ...Object.keys(WORDS),
  ...OTHERS,
]);

const MODEL = /^[A-Za-z0-9][\w.:/@[\]-]{0,255}$/;
const MAX_DIRS = 64;

/**
 * Checks options; nothing is started when one is wrong.
 *
 * @throws {AdapterError} `invalid_arguments`, naming the option, the bound and what to do; never a key or token.
 */
export function checkTurnOptions(options: TurnOptions): CheckedOptions {
  if (!isObject(options)) refuse("options", "they must be an object");
  const unknown = Object.keys(options).find((name) => !KNOWN.has(name));
  if (unknown !== undefined) refuse(unknown.slice(0, 100), "there is no such option");
  const number = <Name extends keyof typeof NUMBERS>(name: Name) => wholeNumber(options, name);
  const word = <Name extends keyof typeof WORDS>(name: Name): typeof WORDS[Name][number] => {
    const value = options[name] ?? WORDS[name][0];
    const known: readonly string[] = WORDS[name];
    return known.includes(value) ? value : refuse(name, `it must be ${known.join(" or ")}`);
  };
  const { fallbackModel = [], maxBudgetUsd = null, extraArgs = {} } = options;
  if (!isObject(extraArgs)) refuse("extraArgs", "it must be an object with one member per option");
  const { "--json-schema": schemaText, ...others } = extraArgs;
  return {
    model: modelName("model", options.model),
    auth: turnAuth(options),
    maxTurns: number("maxTurns"),
    maxBudgetUsd: budget(maxBudgetUsd),
    fallbackModels: fallbacks(fallbackModel),
    maxRetries: number("maxRetries")!,
    jsonSchema: answerSchema(options.jsonSchema, schemaText),
    addDir: folders(options.addDir ?? []),
    disallowedTools: names(options.disallowedTools ?? []),
    extraArgv: extraArgv(others),
    startupTimeoutMs: number("startupTimeoutMs")!,
    streamIdleTimeoutMs: number("streamIdleTimeoutMs")!,
    toolTimeoutMs: number("toolTimeoutMs")!,
    mcpIdleTimeoutMs: number("mcpIdleTimeoutMs")!,
    disposeGraceMs: number("disposeGraceMs")!,
    maxResultChars: number("maxResultChars")!,
    images: word("images"),
    unsupportedMediaPolicy: word("unsupportedMediaPolicy"),
    unsupportedResultMediaPolicy: word("unsupportedResultMediaPolicy"),
  };
}

function turnAuth({ apiKey, authToken, baseUrl }: TurnOptions): EnvChange {
  if ((apiKey === undefined) === (authToken === undefined)) {
    refuse("apiKey", "give exactly one of 'apiKey' and 'authToken'");
  }
  const url = baseUrl === undefined ? {} : { baseUrl };
  const auth: ThreadAuth = apiKey !== undefined
    ? { kind: "apiKey", key: apiKey, ...url }
    : { kind: "authToken", token: authToken!, ...url };
  return authEnv(auth);
}

function wholeNumber(options: TurnOptions, name: keyof typeof NUMBERS): number | null {
  const [preset, least, most] = NUMBERS[name];
  const value: unknown = options[name] ?? preset;
  if (value === null) return null;
  return Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most
    ? Number(value)
    : refuse(name, `it must be a whole number from ${least} to ${most}`);
}

function modelName(name: string, value: unknown): string {
  if (typeof value === "string" && MODEL.test(value)) return value;
  return refuse(
    name,
    value === undefined
      ? "it is missing; name a model"
      : "it must be a model's name of at most 256 letters, digits and . : / @ [ ] _ -",
  );
}

/** One text may name several, as the CLI takes them. */
function fallbacks(given: unknown): readonly string[] {
  const list = typeof given === "string" ? given.split(",") : [given].flat();
  return list.map((name) => modelName("fallbackModel", name));
}

/** The CLI refuses 0, and takes a negative budget of turns for none. */
function budget(value: unknown): number | null {
  if (value === null) return null;
  return typeof value === "number" && value >= 0.000_001 && value <= 1_000_000
    ? value
    : refuse("maxBudgetUsd", "it must be a number from 0.000001 to 1,000,000");
}

function answerSchema(schema: unknown, text: unknown): JsonObject | null {
  if (text !== undefined && schema !== undefined) {
    refuse("jsonSchema", "'extraArgs' has a '--json-schema' as well; give one of the two");
  }
  if (text === undefined) {
    if (schema === undefined) return null;
    try {
      if (isObject(schema)) return jsonCopy(schema);
    } catch {
      // A circle, or a big integer.
    }
    return refuse("jsonSchema", "it must be a JSON Schema as an object, which can be said in JSON");
  }
  extraArgv({ "--json-schema": text as string });
  try {
    const parsed: unknown = JSON.parse(text as string);
    if (isObject(parsed)) return parsed;
  } catch {
    // Said below.
  }
  return refuse("extraArgs", "'--json-schema' must be the text of a JSON Schema, an object");
}

function folders(paths: unknown): readonly string[] {
  if (!Array.isArray(paths) || paths.length > MAX_DIRS) {
    return refuse("addDir", `it must be a list of at most ${MAX_DIRS} folders`);
  }
  const wrong = paths.find((path) => typeof path !== "string" || !/^\/[^\0]{0,4095}$/.test(path));
  return wrong === undefined ? paths : refuse("addDir", "every folder must be an absolute path");
}

function names(list: unknown): readonly string[] {
  return Array.isArray(list) && list.every((name) => typeof name === "string")
    ? list
    : refuse("disallowedTools", "it must be a list of names of lent tools");
}

/** The schema as the one argument that carries it. */
export function schemaText(schema: JsonObject): string {
  return jsonText(schema);
}

function refuse(name: string, reason: string): never {
  throw new AdapterError("invalid_arguments", `Invalid argument '${name}': ${reason}`);
}
