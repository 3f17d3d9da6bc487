/**
 * The arguments and the environment of a turn's native process.
 *
 * @module
 */
import { AdapterError } from "../base/errors.ts";
import { jsonText, utf8Length } from "../base/json.ts";
import { MAX_ARGUMENT_BYTES } from "../base/limits.ts";
import type { CheckedOptions } from "./turn_options.ts";

/** What a turn is besides its options. */
export interface TurnFiles {
  /** The file that names the bridge; `null` when no tool is lent. */
  readonly mcpConfigPath: string | null;
  /** The file with the system prompt; `null` for none. */
  readonly systemPromptPath: string | null;
  /** The tools that may run, by the names that the model sees. */
  readonly allowedTools: readonly string[];
}

/**
 * Without tools of its own, without anything of the person's or the project's (hooks, instructions, plugins, skills,
 * stored logins), and without a memory. `--bare` alone is not enough: the settings' `env` still applies, an API address
 * included, unless no source of settings is read (measured).
 */
const FIXED: readonly string[] = [
  "--print",
  "--verbose",
  "--input-format=stream-json",
  "--output-format=stream-json",
  "--include-partial-messages",
  "--bare",
  "--setting-sources=",
  "--no-session-persistence",
  "--strict-mcp-config",
  "--tools=",
  "--permission-mode=dontAsk",
];

/**
 * The arguments of a turn, everything after the executable. Nothing in them is a secret, and no value can be read as
 * another option. Without an own system prompt the CLI's is replaced by nothing: its own speaks of the working folder.
 *
 * @throws {AdapterError} `invalid_arguments` when one argument is larger than the system allows.
 */
export function turnArgv(options: CheckedOptions, files: TurnFiles): readonly string[] {
  const argv = [...FIXED, `--model=${options.model}`];
  const { mcpConfigPath, systemPromptPath, allowedTools } = files;
  if (mcpConfigPath !== null) argv.push(`--mcp-config=${mcpConfigPath}`);
  argv.push(
    systemPromptPath === null ? "--system-prompt=" : `--system-prompt-file=${systemPromptPath}`,
  );
  if (allowedTools.length > 0) argv.push(`--allowedTools=${allowedTools.join(",")}`);
  if (options.fallbackModels.length > 0) {
    argv.push(`--fallback-model=${options.fallbackModels.join(",")}`);
  }
  if (options.maxTurns !== null) argv.push(`--max-turns=${options.maxTurns}`);
  if (options.maxBudgetUsd !== null) argv.push(`--max-budget-usd=${options.maxBudgetUsd}`);
  if (options.jsonSchema !== null) argv.push(`--json-schema=${jsonText(options.jsonSchema)}`);
  argv.push(...options.addDir.map((path) => `--add-dir=${path}`), ...options.extraArgv);
  for (const argument of argv) {
    if (utf8Length(argument) <= MAX_ARGUMENT_BYTES) continue;
    throw new AdapterError(
      "invalid_arguments",
      `Invalid argument '${
        argument.split("=", 1)[0]
      }': with its option it has more than ${MAX_ARGUMENT_BYTES} bytes, the largest argument; shorten it`,
    );
  }
  return argv;
}

/** What an environment is made for. */
export interface TurnEnvInput {
  /** A private folder of the turn, which takes everything that the CLI writes. */
  readonly folder: string;
  /** The longest deadline of a lent tool, in milliseconds. */
  readonly longestToolMs: number;
  /** What the program's own environment says of addresses that no proxy is used for. */
  readonly noProxy: string;
}

/** Time that the CLI gives a call beyond our own deadline, so that ours is the one that is told. */
const TOOL_MARGIN_MS = 60_000;

/** What a turn's environment has besides what is left of the program's own; see `isAmbient`. */
export function turnEnv(
  options: CheckedOptions,
  input: TurnEnvInput,
): { readonly [name: string]: string } {
  const { folder, longestToolMs } = input;
  // A proxy of the environment would be asked for the bridge, too.
  const noProxy = [input.noProxy, "127.0.0.1"].filter((part) => part !== "").join(",");
  return {
    ...options.auth.set,
    NO_PROXY: noProxy,
    no_proxy: noProxy,
    // Settings, state, logs and temporary files: nothing is read from or left in the person's folders.
    CLAUDE_CONFIG_DIR: `${folder}/config`,
    CLAUDE_CODE_TMPDIR: `${folder}/tmp`,
    XDG_CACHE_HOME: `${folder}/cache`,
    DISABLE_TELEMETRY: "1",
    DISABLE_ERROR_REPORTING: "1",
    DISABLE_AUTOUPDATER: "1",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    // A long call stays a call: in the background its result would come after the answer.
    CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: "1",
    CLAUDE_CODE_MCP_AUTO_BACKGROUND_MS: "0",
    // Every lent tool goes to the model at once.
    ENABLE_TOOL_SEARCH: "false",
    CLAUDE_CODE_MAX_RETRIES: String(options.maxRetries),
    CLAUDE_CODE_MCP_TOOL_IDLE_TIMEOUT: String(options.mcpIdleTimeoutMs),
    MCP_TOOL_TIMEOUT: String(longestToolMs + TOOL_MARGIN_MS),
    MCP_TIMEOUT: String(options.startupTimeoutMs),
  };
}
