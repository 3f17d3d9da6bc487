/**
 * The seams between the engine and the operating system. Interfaces only.
 *
 * @module
 */
import type { ExecutableCheck } from "./job.ts";
import type { Cleanup, Receipt } from "./receipts.ts";

/** Time, passed in. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Milliseconds of a clock that never goes back. */
  monotonic(): number;
  /** Calls `act` once after `ms`; the returned function takes it back. */
  after(ms: number, act: () => void): () => void;
  /**
   * Resolves after everything else that is ready has had its turn: timers, other pipes. A clock that only tests move
   * needs none.
   *
   * @default {nobody else waits}
   */
  turn?(): Promise<void>;
}

/** Severity of a diagnostic. */
export type LogLevel = "error" | "warn" | "info" | "debug";

/** Diagnostics, on stderr, never on stdout. */
export interface Log {
  /** Writes one diagnostic; `fields` must be JSON. Never throws. */
  write(level: LogLevel, message: string, fields?: { readonly [key: string]: unknown }): void;
}

/** One run to start. */
export interface LaunchRequest {
  readonly runId: string;
  /** Absolute path, from {@linkcode Launcher.locate}. */
  readonly executable: string;
  readonly argv: readonly string[];
  /** Text for the native stdin, or `null`. */
  readonly stdin: string | null;
  /** Variables added to the native environment. */
  readonly env: { readonly [name: string]: string };
  /** Inherited variables that are taken away before. Default: none. */
  readonly removeEnv?: readonly string[];
  /** Absolute path of the directory the native process works in. Default: the adapter's own. */
  readonly cwd?: string;
  readonly checks: readonly ExecutableCheck[];
  /** Whether the native stderr is reported as it comes, besides its tail. Default: false. */
  readonly forwardStderr?: boolean;
}

/** A run under its supervisor. */
export interface Supervised {
  /** The supervisor's pid, which is also the id of the native group. */
  readonly pid: number;
  /** The native stdout. Cancelling it stops reading; it may stay open after everything owned is gone. */
  readonly stdout: ReadableStream<Uint8Array>;
  /** The supervisor's receipts, in order; ends when its stderr does. */
  readonly receipts: AsyncIterable<Receipt>;
  /**
   * Asks the supervisor to stop the run; `kill` leaves out the time that is given otherwise. May be called again, and
   * after the end.
   */
  stop(how?: "kill"): void;
  /** Resolves when the supervisor process itself has ended. Never rejects. */
  readonly ended: Promise<void>;
  /**
   * Looks for and retires what the run left when its supervisor gave no receipt. Bounded by the clean-up
   * deadline; never rejects.
   */
  recover(): Promise<Cleanup>;
}

/** Starts runs. */
export interface Launcher {
  /**
   * The absolute path of the native executable.
   *
   * Throws `AdapterError`: `invalid_configuration` (configured but not absolute) or
   * `dependency_unavailable` (missing or not executable).
   */
  locate(): string;
  /** Starts a supervisor with its job. Throws `AdapterError` `startup_failed`. */
  launch(request: LaunchRequest): Promise<Supervised>;
  /** Gives up what is kept ready for later runs. Never rejects. Default: nothing is. */
  close?(): Promise<void>;
}

/** Keeps other programs from a native session while a process goes on with it; the CLI itself does not. */
export interface SessionLocks {
  /**
   * Resolves to what gives the session back. Throws `AdapterError` `session_busy` when somebody else has it; `signal`
   * ends what this may wait for.
   */
  hold(sessionId: string, signal: AbortSignal): Promise<() => Promise<void>>;
}

/** Decides which executables may be run. */
export interface Admission {
  /**
   * What `executable` (an absolute path) has to print before each run. Asked anew for each run, since files change;
   * costs nothing that can be measured while the file is the one that was verified. Never rejects.
   */
  checks(executable: string): Promise<readonly ExecutableCheck[]>;
}

/** Lower-case hexadecimal SHA-256 of UTF-8 text. */
export type Sha256 = (text: string) => string;

/** A new random UUID. */
export type NewId = () => string;
