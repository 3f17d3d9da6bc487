/**
 * The engine on this machine's processes.
 *
 * @module
 */
import { buildRunInvocation } from "../contract/invocation.ts";
import { expectedChecks } from "../contract/tree.ts";
import type { Engine } from "../engine/api.ts";
import { createAdmission } from "../engine/admission.ts";
import { createEngine } from "../engine/engine.ts";
import { systemClock } from "../host/clock.ts";
import { createLauncher } from "../host/launcher.ts";
import { createLog } from "../host/log.ts";
import { createProcessTable } from "../host/process_table.ts";
import { sha256 } from "../host/sha256.ts";
import { sendSignal } from "../host/signals.ts";
import { sweep } from "../host/sweep.ts";
import { systemPath } from "../host/system_path.ts";
import { MARKER_NAME, parseMarkerValue } from "../supervision/marker.ts";
import type { Launcher, Log } from "../supervision/ports.ts";

/** How to open an engine. */
export interface EngineSettings {
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
   * What to do with a native event above 1 MiB, such as a screenshot: leave it out and go on, or fail the run.
   *
   * @default {"skip"}
   */
  readonly oversizedFrames?: "skip" | "fail";
  /**
   * Where diagnostics go.
   *
   * @default {warnings and errors on standard error}
   */
  readonly log?: Log;
}

/** An engine and what it starts runs with. */
export interface OpenedEngine {
  readonly engine: Engine;
  readonly launcher: Launcher;
  /**
   * Ends what adapters that are gone have left on this machine, unless `signal` aborts before. Never rejects, and
   * is over in 20 s.
   */
  sweep(signal: AbortSignal): Promise<void>;
}

/** Wires an engine to the host. Nothing is started or looked for yet. */
export function openHostEngine(settings: EngineSettings = {}): OpenedEngine {
  const { executable, acceptNativeVersion, oversizedFrames = "skip" } = settings;
  const log = settings.log ?? createLog({ level: "warn" });
  const env = Deno.env.toObject();
  const table = createProcessTable({ path: systemPath(env["PATH"]) });
  const launcher = createLauncher({
    log,
    env,
    table,
    ...(executable !== undefined && { executable }),
  });
  const engine = createEngine({
    launcher,
    clock: systemClock,
    log,
    sha256,
    newId: () => crypto.randomUUID(),
    admission: createAdmission({
      expected: expectedChecks(),
      override: acceptNativeVersion ?? null,
      verified: () => Promise.resolve([]),
      log,
    }),
    oversizedFrames,
    invoke: buildRunInvocation,
  });
  return {
    engine,
    launcher,
    sweep: (signal) =>
      sweep(
        { clock: systemClock, log, look: table.look, self: table.self, kill: sendSignal },
        { inside: parseMarkerValue(env[MARKER_NAME] ?? ""), signal },
      ),
  };
}

/**
 * Opens an engine: bounded, supervised runs of the user's own Claude Code, as the MCP server offers them.
 *
 * Needs `--allow-run --allow-env --allow-read`. Call `shutdown()` before the program ends: it cancels every
 * run and waits until nothing of them is left.
 *
 * @example
 * ```ts
 * import { openEngine } from "./open_engine.ts";
 *
 * const engine = openEngine();
 * console.assert(engine.list().length === 0);
 * await engine.shutdown();
 * ```
 */
export function openEngine(settings: EngineSettings = {}): Engine {
  return openHostEngine(settings).engine;
}
