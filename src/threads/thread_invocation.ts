/**
 * The arguments of one round's native process.
 *
 * @module
 */
import { AdapterError } from "../base/errors.ts";
import { utf8Length } from "../base/json.ts";
import { MAX_ARGUMENT_BYTES } from "../base/limits.ts";
import type { PermissionMode } from "../contract/run_arguments.ts";
import { isUuid } from "./session_id.ts";
import { toolRules } from "./tool_rules.ts";

/** Which conversation a round is about. */
export type RoundSession =
  /** Go on with one that the CLI has. */
  | { readonly kind: "resume"; readonly id: string }
  /** Begin one under this id. */
  | { readonly kind: "fresh"; readonly id: string }
  /** Begin one under `id` with all that was said under `from`. */
  | { readonly kind: "fork"; readonly id: string; readonly from: string };

/** Where settings come from. */
export type SettingSource = "user" | "project" | "local";

/** What of a thread's options is an argument. None of it is a secret: everybody on the machine can read arguments. */
export interface ThreadArguments {
  /** An alias or a full name. Default: the CLI's own choice. */
  readonly model?: string;
  /** One of the levels of the pinned CLI. */
  readonly effort?: "low" | "medium" | "high" | "xhigh" | "max";
  /** Models that answer when the first is busy, in order. */
  readonly fallbackModels?: readonly string[];
  /**
   * Added to the CLI's own system prompt; at most 131,048 UTF-8 bytes, the largest argument. The CLI records the whole prompt
   * with the session when it begins and sends that record until the conversation is compacted, whatever later rounds say;
   * see `systemPromptSnapshot`.
   */
  readonly appendSystemPrompt?: string;
  /** `off` renders the system prompt anew for every request. Default: the CLI's, which is `on`. */
  readonly systemPromptSnapshot?: "on" | "off";
  /** Rules for tools that run without asking, such as `mcp__server` or `Bash(git log *)`. */
  readonly allowedTools?: readonly string[];
  /** Rules for tools that never run. */
  readonly disallowedTools?: readonly string[];
  /**
   * What runs without asking; always passed on, because the CLI's own default differs by version (measured). There is no
   * mode here that bypasses permissions.
   *
   * @default {"dontAsk"}
   */
  readonly permissionMode?: PermissionMode;
  /**
   * Where settings are read from; an empty list is nowhere.
   *
   * @default {["user", "project"]}
   */
  readonly settingSources?: readonly SettingSource[];
  /**
   * Use no other MCP servers than the thread's own. Else the project's `.mcp.json` is loaded without a question
   * (measured).
   *
   * @default {false}
   */
  readonly strictMcpConfig?: boolean;
  /** Hand on what sub-agents say. */
  readonly forwardSubagentText?: boolean;
  /** Turns of one round, at least 1. */
  readonly maxTurns?: number;
  /** US dollars that one round may cost, greater than 0; earlier rounds do not count (measured). */
  readonly maxBudgetUsd?: number;
}

/** What a round is besides the thread's options. */
export interface RoundArguments {
  /** The conversation. */
  readonly session: RoundSession;
  /** The absolute path of the file with `mcpConfigText`; `null` when there are no servers. */
  readonly mcpConfigPath: string | null;
}

const MODES: readonly string[] = ["dontAsk", "plan", "acceptEdits"];
const EFFORTS: readonly string[] = ["low", "medium", "high", "xhigh", "max"];
const SOURCES: readonly string[] = ["user", "project", "local"];
const MODEL = /^[A-Za-z0-9][\w.:/@[\]-]{0,255}$/;

const FIXED = [
  "--print",
  "--verbose",
  "--input-format=stream-json",
  "--output-format=stream-json",
  "--include-partial-messages",
];

/**
 * The arguments of a round, everything after the executable. Each value stands behind its option's `=`, so that none is
 * read as another option. The message goes to standard input; see `user_message.ts`.
 *
 * @throws {AdapterError} `invalid_arguments`, naming the option, the bound and what to do.
 *
 * @example
 * ```ts
 * import { threadArgv } from "./thread_invocation.ts";
 *
 * const argv = threadArgv({ allowedTools: ["mcp__notes"] }, {
 *   session: { kind: "resume", id: "2ed6657d-e927-568b-95e1-2665a8aea6a2" },
 *   mcpConfigPath: null,
 * });
 * console.assert(argv.includes("--resume=2ed6657d-e927-568b-95e1-2665a8aea6a2"));
 * console.assert(argv.includes("--permission-mode=dontAsk"));
 * ```
 */
export function threadArgv(options: ThreadArguments, round: RoundArguments): readonly string[] {
  const argv = [...FIXED, ...sessionArgv(round.session), ...optionArgv(options)];
  const { mcpConfigPath } = round;
  if (mcpConfigPath !== null) {
    if (!mcpConfigPath.startsWith("/")) refuse("mcpConfigPath", "it must be an absolute path");
    argv.push(`--mcp-config=${mcpConfigPath}`);
  }
  return argv.map(checkArgument);
}

function sessionArgv(session: RoundSession): string[] {
  switch (session.kind) {
    case "resume":
      return [`--resume=${uuid(session.id)}`];
    case "fresh":
      return [`--session-id=${uuid(session.id)}`];
    case "fork":
      return [
        `--resume=${uuid(session.from)}`,
        "--fork-session",
        `--session-id=${uuid(session.id)}`,
      ];
  }
}

function optionArgv(options: ThreadArguments): string[] {
  const { appendSystemPrompt, allowedTools = [], disallowedTools = [] } = options;
  const { fallbackModels = [], settingSources = ["user", "project"] } = options;
  const argv = [
    `--permission-mode=${oneOf("permissionMode", options.permissionMode ?? "dontAsk", MODES)}`,
    `--setting-sources=${sources(settingSources)}`,
  ];
  const add = (flag: string, value: string) => argv.push(`${flag}=${value}`);
  if (flagged("strictMcpConfig", options.strictMcpConfig)) argv.push("--strict-mcp-config");
  if (flagged("forwardSubagentText", options.forwardSubagentText)) {
    argv.push("--forward-subagent-text");
  }
  if (options.model !== undefined) add("--model", model("model", options.model));
  if (options.effort !== undefined) add("--effort", oneOf("effort", options.effort, EFFORTS));
  if (fallbackModels.length > 0) {
    add("--fallback-model", fallbackModels.map((name) => model("fallbackModels", name)).join());
  }
  if (appendSystemPrompt !== undefined && text(appendSystemPrompt).trim() !== "") {
    add("--append-system-prompt", appendSystemPrompt);
  }
  if (options.systemPromptSnapshot !== undefined) {
    const value = oneOf("systemPromptSnapshot", options.systemPromptSnapshot, ["on", "off"]);
    add("--system-prompt-snapshot", value);
  }
  const allowed = toolRules("allowedTools", allowedTools);
  if (allowed !== "") add("--allowedTools", allowed);
  const disallowed = toolRules("disallowedTools", disallowedTools);
  if (disallowed !== "") add("--disallowedTools", disallowed);
  if (options.maxTurns !== undefined) add("--max-turns", turns(options.maxTurns));
  if (options.maxBudgetUsd !== undefined) add("--max-budget-usd", budget(options.maxBudgetUsd));
  return argv;
}

function checkArgument(argument: string): string {
  const flag = argument.split("=", 1)[0]!;
  if (argument.includes("\0")) refuse(flag, "it contains a NUL character; remove it");
  const bytes = utf8Length(argument);
  if (bytes <= MAX_ARGUMENT_BYTES) return argument;
  return refuse(
    flag,
    `with its option it has ${bytes} bytes, and one argument holds at most ${MAX_ARGUMENT_BYTES}; shorten it`,
  );
}

function uuid(id: string): string {
  if (typeof id === "string" && isUuid(id)) return id;
  return refuse("session", "its id must be a UUID with its hyphens");
}

function oneOf(name: string, value: string, known: readonly string[]): string {
  return known.includes(value) ? value : refuse(name, `it must be one of ${known.join(", ")}`);
}

function flagged(name: string, value: boolean | undefined): boolean {
  if (value === undefined || typeof value === "boolean") return value === true;
  return refuse(name, "it must be true or false");
}

function text(value: string): string {
  return typeof value === "string" ? value : refuse("appendSystemPrompt", "it must be text");
}

function sources(values: readonly string[]): string {
  return Array.isArray(values) && values.every((value) => SOURCES.includes(value))
    ? [...new Set(values)].join()
    : refuse("settingSources", `it must be a list of ${SOURCES.join(", ")}`);
}

function model(name: string, value: string): string {
  return typeof value === "string" && MODEL.test(value)
    ? value
    : refuse(name, "it must be a model's name of at most 256 letters, digits and . : / @ [ ] _ -");
}

/** The CLI takes 0 and less for "no limit" (measured). */
function turns(value: number): string {
  return Number.isSafeInteger(value) && value >= 1
    ? String(value)
    : refuse("maxTurns", "it must be an integer of at least 1");
}

function budget(value: number): string {
  return typeof value === "number" && value >= 0.000_001 && value <= 1_000_000
    ? String(value)
    : refuse("maxBudgetUsd", "it must be a number from 0.000001 to 1,000,000");
}

function refuse(name: string, reason: string): never {
  throw new AdapterError("invalid_arguments", `Invalid argument '${name}': ${reason}`);
}
