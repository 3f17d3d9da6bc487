/**
 * The arguments of one run, as a caller gives them over MCP or to the library.
 *
 * @module
 */

/** Permission modes a caller can choose; there is no bypass. */
export type PermissionMode = "dontAsk" | "plan" | "acceptEdits";

/** Checked arguments of one run, defaults filled in. */
export interface RunArguments {
  /** What Claude Code is asked to do; 1 to 131,072 characters. */
  readonly prompt: string;
  /** What it may do without asking. Over MCP the default is `dontAsk`. */
  readonly permission_mode: PermissionMode;
  /** An alias or a full name; the CLI's own default when absent. 1 to 256 characters. */
  readonly model?: string;
  /** One of the levels of the pinned CLI. */
  readonly effort?: string;
  /** Appended to the CLI's own system prompt; at most 65,536 characters. */
  readonly append_system_prompt?: string;
  /** US dollars, greater than 0; counts this run only. */
  readonly max_budget_usd?: number;
  /** `off` keeps sub-agents and long commands in the foreground. */
  readonly background_tasks: "allow" | "off";
  /** The conversation to go on with; excludes the other two ways to choose one. */
  readonly resume_session_id?: string;
  /** Go on with the latest conversation of the working directory. */
  readonly continue_previous?: boolean;
  /** A new conversation's id, a UUID. */
  readonly session_id?: string;
  /** Do not save the conversation; excludes resuming one. */
  readonly no_session_persistence?: boolean;
  /** The deadline, start-up included; 1 to 1,800 seconds. */
  readonly timeout_seconds: number;
  /** Events in the settled value; 1 to 256. */
  readonly max_events: number;
}

/** What one run is made of on the native side. */
export interface Invocation {
  readonly argv: readonly string[];
  /** The prompt, when it is too long for an argument; else `null`. */
  readonly stdin: string | null;
  /** Variables added to the native environment. */
  readonly env: { readonly [name: string]: string };
  /** Inherited variables that are taken away before. Default: none. */
  readonly removeEnv?: readonly string[];
  /** Absolute path of the directory it works in. Default: the adapter's own. */
  readonly cwd?: string;
}
