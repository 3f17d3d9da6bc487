/**
 * The arguments of one run, as a caller gives them over MCP or to the library.
 *
 * @module
 */

/** Permission modes a caller can choose; there is no bypass. */
export type PermissionMode = "dontAsk" | "plan" | "acceptEdits";

/** Checked arguments of one run, defaults filled in. */
export interface RunArguments {
  readonly prompt: string;
  readonly permission_mode: PermissionMode;
  readonly model?: string;
  readonly effort?: string;
  readonly append_system_prompt?: string;
  readonly max_budget_usd?: number;
  readonly background_tasks: "allow" | "off";
  readonly resume_session_id?: string;
  readonly continue_previous?: boolean;
  readonly session_id?: string;
  readonly no_session_persistence?: boolean;
  readonly timeout_seconds: number;
  readonly max_events: number;
}

/** What one run is made of on the native side. */
export interface Invocation {
  readonly argv: readonly string[];
  /** The prompt, when it is too long for an argument; else `null`. */
  readonly stdin: string | null;
  /** Variables added to the native environment. */
  readonly env: { readonly [name: string]: string };
}
