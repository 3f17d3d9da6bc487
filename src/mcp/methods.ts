/**
 * The requests this server answers, as one table.
 *
 * @module
 */
import { AdapterError, toAdapterError } from "../base/errors.ts";
import type { JsonObject } from "../base/json.ts";
import { MAX_TIMEOUT_SECONDS } from "../base/limits.ts";
import { PROGRAM_NAME } from "../base/version.ts";
import type { Engine } from "../engine/api.ts";
import type { Clock, Log } from "../supervision/ports.ts";
import { type ReportProgress, withHeartbeat } from "./heartbeat.ts";
import { INSTRUCTIONS } from "./instructions.ts";
import { readInvocation } from "./invocation.ts";
import { negotiateVersion } from "./protocol_version.ts";
import { errorResult, valueResult } from "./results.ts";
import { RpcCode, RpcError } from "./rpc.ts";
import type { CallToolResult, Tool } from "./sdk.ts";
import { toDefinition, type ToolEntry } from "./tool_entry.ts";
import { TOOLS } from "./tools.ts";
import { readWork, WORK_RESOURCE, WORK_URI } from "./work_resource.ts";

/** What every method can use. */
export interface MethodContext {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly log: Log;
  readonly version: string;
  /**
   * How long `claude.run` waits for its run, in seconds; then it answers that the run goes on.
   *
   * @default {as long as the run takes}
   */
  readonly syncBudgetSeconds?: number | null;
}

/** One request, its parameters already known to be an object. */
export interface MethodRequest {
  readonly params: JsonObject;
  /** Aborts when the peer cancels the request or the connection ends. */
  readonly signal: AbortSignal;
  /** `null` when the caller gave no progress token. */
  readonly report: ReportProgress | null;
}

type Method = (context: MethodContext, request: MethodRequest) => object | Promise<object>;

/** What the server can do; exactly this is announced. */
export const CAPABILITIES = {
  tools: { listChanged: false },
  resources: { subscribe: false, listChanged: false },
} as const;

let definitions: Tool[] | undefined;

/** Method name to handler. `ping` is answered before it comes here. */
export const METHODS: ReadonlyMap<string, Method> = new Map<string, Method>([
  ["initialize", initialize],
  ["tools/list", (_context, { params }) => {
    refuseCursor(params);
    definitions ??= TOOLS.map(toDefinition);
    return { tools: definitions };
  }],
  ["tools/call", callTool],
  ["resources/list", (_context, { params }) => {
    refuseCursor(params);
    return { resources: [WORK_RESOURCE] };
  }],
  ["resources/read", ({ engine }, { params }) => {
    if (params.uri === WORK_URI) return readWork(engine);
    throw new RpcError(
      RpcCode.invalidParams,
      `Unknown resource; the only one is ${WORK_URI}`,
    );
  }],
]);

function initialize({ version }: MethodContext, { params }: MethodRequest): object {
  return {
    protocolVersion: negotiateVersion(String(params.protocolVersion)),
    capabilities: CAPABILITIES,
    serverInfo: { name: PROGRAM_NAME, title: "Claude Code adapter", version },
    instructions: INSTRUCTIONS,
  };
}

/** Everything fits on one page, so no cursor was ever given out. */
function refuseCursor(params: JsonObject): void {
  if (params.cursor === undefined || params.cursor === null) return;
  throw new RpcError(
    RpcCode.invalidParams,
    `Invalid params: "cursor" is unknown; there is one page`,
  );
}

async function callTool(context: MethodContext, request: MethodRequest): Promise<CallToolResult> {
  const { params, signal, report } = request;
  const { engine, clock } = context;
  const tool = findTool(params.name);
  const acquiredBy = readInvocation(params._meta);
  try {
    const value = await tool.call({
      engine,
      args: params.arguments ?? {},
      acquiredBy,
      signal,
      syncBudgetSeconds: context.syncBudgetSeconds ?? null,
      attend: (runId, work) =>
        withHeartbeat(work, {
          clock,
          report,
          describe: () => describe(engine, runId),
          changed: (signal) =>
            engine.wait(runId, { seconds: MAX_TIMEOUT_SECONDS, signal, newActivity: true }),
        }),
    });
    return valueResult(value);
  } catch (caught) {
    if (caught instanceof AdapterError) return errorResult(caught);
    context.log.write("error", "a tool failed unexpectedly", {
      tool: tool.name,
      detail: toAdapterError(caught).message,
    });
    return errorResult(new AdapterError("internal_error", `${tool.name} failed unexpectedly`));
  }
}

function findTool(name: unknown): ToolEntry {
  const tool = TOOLS.find((entry) => entry.name === name);
  if (tool !== undefined) return tool;
  throw new RpcError(
    RpcCode.invalidParams,
    `Unknown tool; "name" must be one of ${TOOLS.map((entry) => entry.name).join(", ")}`,
  );
}

function describe(engine: Engine, runId: string): string {
  const { activity, state } = engine.info(runId);
  return activity ?? `run ${runId} is ${state}`;
}
