/**
 * What one tool is made of, and how its definition is shown to a host.
 *
 * @module
 */
import type { JsonObject } from "../base/json.ts";
import type { Engine } from "../engine/api.ts";
import type { Tool } from "./sdk.ts";
import { WORK_URI } from "./work_resource.ts";

/** The least a host has to assume about a tool. */
export type ToolRisk = "full-shell" | "read-only" | "destructive";

/** What a tool can use during one call. */
export interface ToolCall {
  readonly engine: Engine;
  /** The arguments as they came; each tool checks its own. */
  readonly args: unknown;
  /** The host's invocation, or `null`. */
  readonly acquiredBy: string | null;
  /** Aborts when the call is cancelled or the connection ends. */
  readonly signal: AbortSignal;
  /** How long a call may wait for a run that it started, or `null` for as long as the run takes. */
  readonly syncBudgetSeconds: number | null;
  /** Does something that takes long, and reports the run's activity meanwhile. */
  attend<T>(runId: string, work: () => Promise<T>): Promise<T>;
}

/** One tool. */
export interface ToolEntry {
  readonly name: string;
  readonly title: string;
  /** For a model: what it does, when to use it, what comes back, what to do next. */
  readonly description: string;
  readonly risk: ToolRisk;
  /** Whether the tool continues a run that exists, named by `run_id`. */
  readonly continues: boolean;
  /** The arguments' JSON Schema; `additionalProperties` is false. */
  readonly inputSchema: () => JsonObject;
  readonly outputSchema: JsonObject;
  /** Returns the value, or throws `AdapterError`, which becomes a tool error. */
  readonly call: (call: ToolCall) => object | Promise<object>;
}

const META = "io.github.computer-mcp";

/** The definition that `tools/list` gives. */
export function toDefinition(entry: ToolEntry): Tool {
  const isReadOnly = entry.risk === "read-only";
  return {
    name: entry.name,
    title: entry.title,
    description: entry.description,
    inputSchema: entry.inputSchema() as Tool["inputSchema"],
    outputSchema: entry.outputSchema as Tool["outputSchema"] & object,
    annotations: {
      title: entry.title,
      readOnlyHint: isReadOnly,
      destructiveHint: !isReadOnly,
      idempotentHint: isReadOnly,
      openWorldHint: !isReadOnly,
    },
    _meta: {
      [`${META}/risk`]: entry.risk,
      [`${META}/work`]: { format_version: 1, uri: WORK_URI },
      ...(entry.continues && {
        [`${META}/continuation`]: {
          format_version: 1,
          selectors: [{ kind: "claude.run", handles: { id: "/run_id" } }],
        },
      }),
    },
  };
}
