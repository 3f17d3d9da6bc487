/**
 * The environment a native process gets.
 *
 * Everything a person set goes through: credentials, proxies, CLAUDE_CONFIG_DIR, CLAUDE_CODE_MAX_RETRIES. Left out is only
 * what somebody else put there about their own process.
 *
 * @module
 */

/** The variable that marks every process of a run as this adapter's. */
export const MARKER_VARIABLE = "CLAUDE_CODE_ADAPTER_RUN";

/** A host's private metadata. */
const HOST_PREFIX = "COMPUTER_MCP_";

/**
 * What a CLI session tells its own tools and MCP servers about itself (measured: both get these). An adapter that runs
 * below such a session must not pass them on: a run is a session of its own, with its own id, sockets and lineage. The
 * CLI overwrites some of them itself; CLAUDE_CODE_ENTRYPOINT, CLAUDE_PID, CLAUDE_EFFORT and the bridge's and the
 * connector's went through to the MCP servers of the inner run unchanged (measured).
 */
const SESSION_VARIABLES: ReadonlySet<string> = new Set([
  MARKER_VARIABLE,
  // Older versions refuse to start below another session (measured: 2.1.59).
  "CLAUDECODE",
  // The CLI keeps a value that is already there (measured), so a run would claim to be the outer surface.
  "CLAUDE_CODE_ENTRYPOINT",
  "CLAUDE_CODE_CHILD_SESSION",
  "CLAUDE_CODE_CHILD_NOTES_DIR",
  "CLAUDE_CODE_SESSION_ID",
  "CLAUDE_CODE_SESSION_ATTENDED",
  "CLAUDE_CODE_LAUNCHED_BY_SESSION_IDS",
  "CLAUDE_CODE_BRIDGE_SESSION_ID",
  "CLAUDE_CODE_STARTER_MAY_HOLD_CONNECTOR_FILE",
  // A way into the outer session, and the token for it.
  "CLAUDE_CODE_MESSAGING_SOCKET",
  "CLAUDE_CODE_MESSAGING_TOKEN",
  "CLAUDE_CODE_EXECPATH",
  // Its shell helpers refuse to kill this process.
  "CLAUDE_PID",
  // The outer turn's effort, for information. The setting people use is CLAUDE_CODE_EFFORT_LEVEL, and that stays.
  "CLAUDE_EFFORT",
]);

/**
 * AI_AGENT names the agent a process works for. Other agents and people set it too, and the CLI leaves theirs alone, so
 * only its own is dropped (measured: an MCP server gets `claude-code_2-1-332_harness`, or `codex` when that was there).
 */
const OWN_AGENT = /^claude-code[_/]/;

/**
 * The native environment: `parent` without the marks above, then `additions`, which win.
 *
 * @param parent The adapter's own environment.
 * @param additions What this run adds, such as its marker.
 */
export function childEnv(
  parent: { readonly [name: string]: string },
  additions: { readonly [name: string]: string },
): Record<string, string> {
  const kept = Object.entries(parent).filter(([name, value]) => isKept(name, value));
  return Object.fromEntries([...kept, ...Object.entries(additions)]);
}

function isKept(name: string, value: string): boolean {
  if (name.startsWith(HOST_PREFIX) || SESSION_VARIABLES.has(name)) return false;
  return name !== "AI_AGENT" || !OWN_AGENT.test(value);
}
