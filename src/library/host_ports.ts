/**
 * This machine's processes, files and clock, wired up once for everything that starts the CLI.
 *
 * @module
 */
import { expectedChecks } from "../contract/tree.ts";
import { createAdmission } from "../engine/admission.ts";
import type { LifePorts } from "../engine/native_life.ts";
import { systemClock } from "../host/clock.ts";
import { createLauncher } from "../host/launcher.ts";
import { createLog } from "../host/log.ts";
import { createProcessTable, type ProcessTable } from "../host/process_table.ts";
import { sendSignal } from "../host/signals.ts";
import { sweep } from "../host/sweep.ts";
import { systemPath } from "../host/system_path.ts";
import { MARKER_NAME, parseMarkerValue } from "../supervision/marker.ts";
import type { Log } from "../supervision/ports.ts";
import { threadSessionLocks } from "./session_locks.ts";
import { verifiedVersions } from "./verified_versions.ts";

/** What the operator decides about the native CLI. */
export interface HostSettings {
  /**
   * Absolute path of the native executable.
   *
   * @default {`CLAUDE_CODE_EXECUTABLE`, else the first `claude` on `PATH`}
   */
  readonly executable?: string;
  /**
   * What another version of the CLI prints for `--version`, such as `2.1.340 (Claude Code)`: it is then run without the
   * proof that `verify` gives. The operator's decision; nothing in a request can change it.
   *
   * @default {none}
   */
  readonly acceptNativeVersion?: string;
  /**
   * Where diagnostics go.
   *
   * @default {warnings and errors on standard error}
   */
  readonly log?: Log;
  /**
   * The environment that runs inherit, and in which the executable is looked for.
   *
   * @default {this program's}
   */
  readonly env?: { readonly [name: string]: string };
}

/** What runs are started with. */
export interface HostPorts extends LifePorts {
  /** The environment that runs inherit. */
  readonly env: { readonly [name: string]: string };
  /** The process table. */
  readonly table: ProcessTable;
  /**
   * Ends what adapters that are gone have left on this machine, unless `signal` aborts before. Never rejects, and
   * is over in 20 s.
   */
  sweep(signal: AbortSignal): Promise<void>;
}

/** Wires the ports. Nothing is started or looked for yet. Needs --allow-run, --allow-env and --allow-read. */
export function openHostPorts(settings: HostSettings = {}): HostPorts {
  const { executable, acceptNativeVersion, log = createLog({ level: "warn" }) } = settings;
  const env = settings.env ?? Deno.env.toObject();
  const table = createProcessTable({ path: systemPath(env["PATH"]) });
  const sweepAll = (signal: AbortSignal) =>
    sweep(
      { clock: systemClock, log, look: table.look, self: table.self, kill: sendSignal },
      { inside: parseMarkerValue(env[MARKER_NAME] ?? ""), signal },
    );
  return {
    clock: systemClock,
    log,
    env,
    table,
    sessions: threadSessionLocks({ clock: systemClock, table, env, sweep: sweepAll }),
    launcher: createLauncher({
      log,
      env,
      table,
      ...(executable !== undefined && { executable }),
    }),
    admission: createAdmission({
      expected: expectedChecks(),
      override: acceptNativeVersion ?? null,
      verified: verifiedVersions({ env, log }),
      log,
    }),
    sweep: sweepAll,
  };
}
