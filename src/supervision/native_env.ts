/**
 * The exact environment of the native process.
 *
 * @module
 */
import { MARKER_NAME, markerValue } from "./marker.ts";

/** Variables of the adapter's host; the native process has no business with them. */
const HOST_PREFIX = "COMPUTER_MCP_";

/**
 * What a claude gives to its own tools (measured with 2.1.332). They describe the outer session, and an
 * adapter that was started by a tool must not pass them on as if the inner run were part of it.
 */
const NESTED_SESSION: ReadonlySet<string> = new Set([
  "CLAUDECODE",
  "CLAUDE_CODE_CHILD_NOTES_DIR",
  "CLAUDE_CODE_CHILD_SESSION",
  "CLAUDE_CODE_ENTRYPOINT",
  "CLAUDE_CODE_EXECPATH",
  "CLAUDE_CODE_MESSAGING_SOCKET",
  "CLAUDE_CODE_MESSAGING_TOKEN",
  "CLAUDE_CODE_SESSION_ATTENDED",
  "CLAUDE_CODE_SESSION_ID",
  "CLAUDE_EFFORT",
  "CLAUDE_PID",
]);

/** What the native environment is made of. */
export interface NativeEnvInput {
  /** The adapter's own environment. */
  readonly inherited: { readonly [name: string]: string };
  /** Variables of this run; they win. */
  readonly added: { readonly [name: string]: string };
  /** The run's token. */
  readonly token: string;
}

/** Everything inherited, without what must not go through, with what the run adds and its marker. */
export function nativeEnv(input: NativeEnvInput): { readonly [name: string]: string } {
  // AI_AGENT is a general word that a person may set; only beside CLAUDECODE is it the outer session's.
  const nested = input.inherited["CLAUDECODE"] !== undefined;
  const kept = Object.entries(input.inherited).filter(([name]) =>
    !name.startsWith(HOST_PREFIX) && !NESTED_SESSION.has(name) && !(nested && name === "AI_AGENT")
  );
  const marker = markerValue(input.inherited[MARKER_NAME], input.token);
  // A null prototype, so that a variable called __proto__ is a variable.
  const env: { [name: string]: string } = Object.create(null);
  for (const [name, value] of [...kept, ...Object.entries(input.added), [MARKER_NAME, marker]]) {
    env[name as string] = value as string;
  }
  return env;
}
