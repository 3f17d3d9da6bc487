/**
 * The engine on this machine's processes.
 *
 * @module
 */
import { buildRunInvocation } from "../contract/invocation.ts";
import type { Engine } from "../engine/api.ts";
import { createEngine } from "../engine/engine.ts";
import type { RunPorts } from "../engine/run.ts";
import { sha256 } from "../host/sha256.ts";
import {
  type HostPorts,
  type HostPortsOptions,
  type HostSettings,
  openHostPorts,
} from "./host_ports.ts";

/** How to open an engine. */
export interface EngineSettings extends HostSettings {
  /**
   * What to do with a native event above 1 MiB, such as a screenshot: leave it out and go on, or fail the run.
   *
   * @default {"skip"}
   */
  readonly oversizedFrames?: "skip" | "fail";
}

/** An engine and what it starts runs with. */
export interface OpenedEngine {
  readonly engine: Engine;
  readonly ports: HostPorts;
}

/** Wires an engine to the host; `onItem` is told of every item of every stream. Nothing is started or looked for yet. */
export function openHostEngine(
  settings: EngineSettings = {},
  { onItem, ...options }: Pick<RunPorts, "onItem"> & HostPortsOptions = {},
): OpenedEngine {
  const { oversizedFrames = "skip", ...host } = settings;
  const ports = openHostPorts(host, options);
  const engine = createEngine({
    ...ports,
    sha256,
    newId: () => crypto.randomUUID(),
    oversizedFrames,
    ...(onItem !== undefined && { onItem }),
    invoke: buildRunInvocation,
  });
  return { engine, ports };
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
