/**
 * The exact environment of the native process.
 *
 * @module
 */
import { MARKER_NAME, markerValue, SUPERVISOR_NAME } from "./marker.ts";

/** Variables of the adapter's host; the native process has no business with them. */
const HOST_PREFIX = "COMPUTER_MCP_";

/**
 * What a CLI session tells its own tools and MCP servers about itself (measured with 2.1.332: both get these). An
 * adapter that runs below such a session must not pass them on: a run is a session of its own, with its own id, sockets
 * and lineage. The CLI overwrites some of them itself; CLAUDE_CODE_ENTRYPOINT, CLAUDE_PID, CLAUDE_EFFORT and the
 * bridge's and the connector's went through to the MCP servers of the inner run unchanged (measured).
 */
const SESSION_VARIABLES: ReadonlySet<string> = new Set([
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
  // A native process that carried it would be taken for a supervisor.
  SUPERVISOR_NAME,
]);

/**
 * AI_AGENT names the agent a process works for. Other agents and people set it too, and the CLI leaves theirs alone, so
 * only its own is dropped (measured: an MCP server gets `claude-code_2-1-332_harness`, or `codex` when that was there).
 */
const OWN_AGENT = /^claude-code[_/]/;

/** What the native environment is made of. */
export interface NativeEnvInput {
  /** The adapter's own environment. */
  readonly inherited: { readonly [name: string]: string };
  /** Inherited variables that this run does not get. Default: none. */
  readonly removed?: readonly string[];
  /** Variables of this run; they win. */
  readonly added: { readonly [name: string]: string };
  /** The run's token. */
  readonly token: string;
}

/** Everything inherited, without what must not go through, with what the run adds and its marker. */
export function nativeEnv(input: NativeEnvInput): { readonly [name: string]: string } {
  const removed = new Set(input.removed);
  const kept = Object.entries(input.inherited)
    .filter(([name, value]) => isKept(name, value) && !removed.has(name));
  const marker = markerValue(input.inherited[MARKER_NAME], input.token);
  // A null prototype, so that a variable called __proto__ is a variable.
  const env: { [name: string]: string } = Object.create(null);
  for (const [name, value] of [...kept, ...Object.entries(input.added), [MARKER_NAME, marker]]) {
    env[name as string] = value as string;
  }
  return env;
}

function isKept(name: string, value: string): boolean {
  if (name.startsWith(HOST_PREFIX) || SESSION_VARIABLES.has(name)) return false;
  return name !== "AI_AGENT" || !OWN_AGENT.test(value);
}
