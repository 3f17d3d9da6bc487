/**
 * What the adapter tells its supervisor: one job line first, commands after it.
 *
 * @module
 */

/** Why an executable may be run, strongest first: the tree's own text, a receipt of `verify`, the operator's word. */
export type AdmittedBy = "tree" | "receipt" | "override";

/** An output that lets an executable pass. */
export interface AcceptedOutput {
  /** Exact, with its newline. */
  readonly stdout: string;
  readonly by: AdmittedBy;
}

/** One assertion about the executable, run before the job. */
export interface ExecutableCheck {
  /** The fixed arguments. */
  readonly args: readonly string[];
  /** The outputs that pass; the first one that matches says why. */
  readonly accepts: readonly AcceptedOutput[];
}

/** How every process of a run is known by its environment; see `marker.ts`. */
export interface Marker {
  /** The variable's name. */
  readonly name: string;
  /**
   * The run's own token, `<pid namespace>.<adapter pid>.<adapter start>.<run id>`. The variable itself holds
   * the tokens of outer runs too, comma-separated.
   */
  readonly value: string;
}

/** The first line on the supervisor's stdin. */
export interface Job {
  /** {@linkcode import("../base/limits.ts").WIRE_VERSION}. */
  readonly wire: number;
  /** The pid the adapter was given for the supervisor: proof that it leads its own group. */
  readonly supervisor_pid: number;
  /** Absolute path of the native executable. */
  readonly executable: string;
  readonly argv: readonly string[];
  /** Written to the native stdin and closed; `null` is `/dev/null`. */
  readonly stdin: string | null;
  /** The whole environment of the native process, marker included. */
  readonly env: { readonly [name: string]: string };
  readonly checks: readonly ExecutableCheck[];
  readonly marker: Marker;
  /** Absolute path of the directory the native process works in. Default: the supervisor's own. */
  readonly cwd?: string;
  /** Report the native stderr as it comes, besides its tail. Default: false. */
  readonly forward_stderr?: boolean;
}

/**
 * A later line on the supervisor's stdin. End of input means the same as `stop`; `kill` is a stop whose clean-up begins
 * with, or goes on to, SIGKILL.
 */
export interface StopCommand {
  readonly command: "stop" | "kill";
}
