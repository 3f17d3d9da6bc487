/**
 * Which variables of the program's environment a turn must not hear. Pure.
 *
 * @module
 */
/**
 * Names that only the CLI and the libraries in it know. It reads many hundreds of them, more in each version: among them
 * are every way to log in, models, limits, headers, whole pieces of the request's body, and where it reports to. So they
 * go by how they begin, not one by one: a list would have holes the day a version is new (measured with 2.1.332:
 * `CLAUDE_CODE_EXTRA_BODY` changes the request, `CLAUDE_CODE_MAX_TURNS=1` ends the turn, `CLAUDE_CODE_SAFE_MODE` keeps
 * the lent tools from the model).
 */
const BEGINNINGS =
  /^(ANTHROPIC|API|BETA_TRACING|BUN|CCR|CLAUDE|CLAUDECODE|DISABLE|ENABLE|MCP|OTEL|SELF_HOSTED_RUNNER)(_|$)/;

/** The rest of what changes a turn (read in the executable). */
const OTHERS: ReadonlySet<string> = new Set([
  "DEBUG",
  "DEBUG_AUTH",
  "FALLBACK_FOR_ALL_PRIMARY_MODELS",
  "FORCE_PROMPT_CACHING_5M",
  "IS_DEMO",
  "MAX_MCP_OUTPUT_TOKENS",
  "MAX_STRUCTURED_OUTPUT_RETRIES",
  "MAX_THINKING_TOKENS",
  "NODE_OPTIONS",
  "SESSION_INGRESS_URL",
  "SKIP_PRECOMPACT_THRESHOLD",
  "SLASH_COMMAND_TOOL_CHAR_BUDGET",
  "TASK_MAX_OUTPUT_LENGTH",
  "USE_API_CONTEXT_MANAGEMENT",
  "USE_LOCAL_OAUTH",
  "USE_STAGING_OAUTH",
]);

/** What belongs to the machine or to this program: certificates that its network asks for, and our own two. */
const KEPT: ReadonlySet<string> = new Set([
  "CLAUDE_CODE_ADAPTER_RUN",
  "CLAUDE_CODE_CERT_STORE",
  "CLAUDE_CODE_CLIENT_CERT",
  "CLAUDE_CODE_CLIENT_KEY",
  "CLAUDE_CODE_CLIENT_KEY_PASSPHRASE",
  "CLAUDE_CODE_EXECUTABLE",
]);

/** Whether no turn gets the variable. What a turn sets itself comes after that. */
export function isAmbient(name: string): boolean {
  return !KEPT.has(name) && (BEGINNINGS.test(name) || OTHERS.has(name));
}
