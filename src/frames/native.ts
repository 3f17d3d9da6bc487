/**
 * Readers for what this program needs of the native frames.
 *
 * Each takes any frame and answers with a small value, or `null` when the frame is another one. No
 * member is trusted to exist or to have its usual type: fields come and go with every release of the
 * CLI, and an unknown shape is never a fault. Shapes are those of 2.1.332 unless a reader says other.
 *
 * This file has the frames that decide what a run is and how it ended; the steps on the way are in
 * `native_steps.ts` and exported here as well.
 *
 * @module
 */
import {
  arrayMember,
  type JsonObject,
  type JsonValue,
  numberMember,
  stringMember,
} from "../base/json.ts";
import { contentBlocks, isSystem } from "./native_shape.ts";

export * from "./native_steps.ts";

/** The start of a turn. It need not be the first frame, and comes again with every turn (measured). */
export interface Init {
  readonly sessionId: string | null;
  readonly model: string | null;
  readonly permissionMode: string | null;
  /** How many tools the model has. */
  readonly tools: number;
  readonly mcpServers: readonly McpServerStatus[];
  readonly version: string | null;
}

/** One MCP server of the run, such as `connected`, `pending`, `failed`. */
export interface McpServerStatus {
  readonly name: string;
  readonly status: string | null;
}

/** A result, with whatever of it is there; {@linkcode isFollowUp} says which kind. */
export interface NativeResult {
  /** `undefined` when the member is missing or of another kind. */
  readonly isError: boolean | undefined;
  readonly subtype: string | null;
  readonly sessionId: string | null;
  /** Error subtypes have none. */
  readonly result: string | null;
  /** Messages of an error subtype. */
  readonly errors: readonly string[];
  readonly terminalReason: string | null;
  /** The HTTP status of the API, when it failed and answered. */
  readonly apiErrorStatus: number | null;
  readonly apiErrorType: string | null;
  /**
   * The CLI's own name for the failure, when it has one: `usage_limit_reached` says that the account's
   * limit refused the request, which an ordinary 429 never does (read in the executable; the loopback
   * model can only make it say others).
   */
  readonly apiErrorKind: string | null;
  /** A running total over the whole session, not the cost of this run. */
  readonly totalCostUsd: number | null;
  readonly numTurns: number | null;
  readonly permissionDenials: readonly JsonValue[];
  /** Why the CLI ran this turn by itself, such as `task-notification`; `null` for the caller's turn. */
  readonly originKind: string | null;
}

/** What the CLI says in its own name instead of an answer, before a result with `is_error`. */
export interface AssistantError {
  /** Such as `authentication_failed`, `rate_limit`, `billing_error`, `unknown`. */
  readonly error: string | null;
  readonly status: number | null;
  readonly apiErrorType: string | null;
  /** As in {@linkcode NativeResult}. */
  readonly apiErrorKind: string | null;
  readonly text: string;
}

/** Reads `system/init`. */
export function readInit(frame: JsonObject): Init | null {
  if (!isSystem(frame, "init")) return null;
  const mcpServers: McpServerStatus[] = [];
  for (const server of arrayMember(frame, "mcp_servers")) {
    const name = stringMember(server, "name");
    if (name !== null) mcpServers.push({ name, status: stringMember(server, "status") });
  }
  return {
    sessionId: stringMember(frame, "session_id"),
    model: stringMember(frame, "model"),
    permissionMode: stringMember(frame, "permissionMode"),
    tools: arrayMember(frame, "tools").length,
    mcpServers,
    version: stringMember(frame, "claude_code_version"),
  };
}

/** The names of the tools that `system/init` lists; empty for any other frame. */
export function readToolNames(frame: JsonObject): readonly string[] {
  if (!isSystem(frame, "init")) return [];
  return arrayMember(frame, "tools").filter((name) => typeof name === "string");
}

/** The structured output of a `result`, whatever it is; `undefined` when there is none. */
export function readStructuredOutput(frame: JsonObject): JsonValue | undefined {
  return frame.type === "result" ? frame.structured_output : undefined;
}

/** Reads `result`, valid or not. */
export function readResult(frame: JsonObject): NativeResult | null {
  if (frame.type !== "result") return null;
  return {
    isError: typeof frame.is_error === "boolean" ? frame.is_error : undefined,
    subtype: stringMember(frame, "subtype"),
    sessionId: stringMember(frame, "session_id"),
    result: stringMember(frame, "result"),
    errors: arrayMember(frame, "errors").filter((item) => typeof item === "string"),
    terminalReason: stringMember(frame, "terminal_reason"),
    apiErrorStatus: numberMember(frame, "api_error_status"),
    apiErrorType: stringMember(frame, "api_error_type"),
    apiErrorKind: stringMember(frame, "api_error"),
    totalCostUsd: numberMember(frame, "total_cost_usd"),
    numTurns: numberMember(frame, "num_turns"),
    permissionDenials: arrayMember(frame, "permission_denials"),
    originKind: stringMember(frame.origin, "kind"),
  };
}

/** Whether a result answers a task that ended, and not the caller (measured: every version does it). */
export function isFollowUp(result: NativeResult): boolean {
  return result.originKind === "task-notification";
}

/** Reads the error that an `assistant` frame reports in the CLI's own name. */
export function readAssistantError(frame: JsonObject): AssistantError | null {
  if (frame.type !== "assistant") return null;
  const error = stringMember(frame, "error");
  // The member `is_api_error_message` is there since 2.1.269, the synthetic model always.
  const synthetic = stringMember(frame.message, "model") === "<synthetic>";
  if (frame.is_api_error_message !== true && (error === null || !synthetic)) return null;
  return {
    error,
    status: numberMember(frame, "api_error_status"),
    apiErrorType: stringMember(frame, "api_error_type"),
    apiErrorKind: stringMember(frame, "api_error"),
    text: contentBlocks(frame).map((block) => stringMember(block, "text") ?? "").join(""),
  };
}

/** The session that a frame names; most do. */
export function readSessionId(frame: JsonObject): string | null {
  return stringMember(frame, "session_id");
}
