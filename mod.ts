/**
 * Drive your own Claude Code from other programs.
 *
 * As a library, {@linkcode createClaude} gives runs and chat threads of the `claude` that is installed on this machine:
 * bounded, supervised, cancellable. {@linkcode createExecutor} lends a program's own tools to one turn.
 * {@linkcode openEngine} is what the runs are made of. Run as the main module, this file is the command line
 * `claude-code-adapter`, whose `serve` offers the same runs to MCP hosts.
 *
 * @example Run a prompt
 * ```ts
 * import { createClaude } from "@adapters/claude-code";
 *
 * async function sayHello(): Promise<void> {
 *   await using claude = createClaude();
 *   const { is_error, result, error } = await claude.run({ prompt: "Say hello" }).result;
 *   console.log(is_error ? error?.message : result);
 * }
 * console.assert(typeof sayHello === "function"); // call it to run Claude Code
 * ```
 *
 * @module
 */
import { main } from "./src/cli/main.ts";

export {
  AdapterError,
  type ErrorCode,
  type RunErrorCode,
  type TurnErrorCode,
} from "./src/base/errors.ts";
export type { JsonObject, JsonValue } from "./src/base/json.ts";
export { VERSION } from "./src/base/version.ts";
export { type EngineSettings, openEngine } from "./src/library/open_engine.ts";
export type { PermissionMode, RunArguments } from "./src/contract/run_arguments.ts";
export { parseRunArguments } from "./src/contract/run_schema.ts";
export type {
  CancelOptions,
  Engine,
  ErrorValue,
  EventPage,
  FollowUp,
  PageInfo,
  PageOptions,
  RunInfo,
  RunState,
  SettledRun,
  WaitOptions,
  WorkEntry,
  WorkSnapshot,
} from "./src/engine/api.ts";
export { type Claude, type ClaudeRun, createClaude } from "./src/library/claude.ts";
export type { SendOptions, Thread, ThreadOptions, ThreadRound } from "./src/library/thread_api.ts";
export type * from "./src/threads/updates.ts";
export type { ThreadAuth } from "./src/threads/auth_env.ts";
export type {
  Collected,
  CollectedFollowUp,
  CollectedMessage,
  CollectedToolCall,
} from "./src/threads/collect_updates.ts";
export type { ImageMediaType } from "./src/threads/image_kind.ts";
export type { ThreadCost } from "./src/threads/cost.ts";
export type { HttpMcpServer, McpServers, StdioMcpServer } from "./src/threads/mcp_config.ts";
export type { PlainTextOptions } from "./src/threads/plain_text.ts";
export type { SettingSource, ThreadArguments } from "./src/threads/thread_invocation.ts";
export {
  AuthenticationRequired,
  IdleTimeout,
  NativeError,
  type NativeErrorFacts,
  NoConversation,
  SessionTaken,
  ThreadBusy,
  ThreadError,
  UsageLimited,
} from "./src/threads/thread_error.ts";
export type { TranscriptOptions, Turn } from "./src/threads/transcript.ts";
export type { ImageContent, TextContent, UserMessage } from "./src/threads/user_message.ts";
export {
  createExecutor,
  type ExecuteRequest,
  type Execution,
  type Executor,
  type ExecutorOptions,
} from "./src/library/executor.ts";
export {
  type LentTool,
  lentTool,
  type ToolCallContext,
  type ToolContent,
  type ToolImage,
  type ToolMedia,
  type ToolOutput,
  type ToolText,
  type TypedTool,
  type ZodSchema,
} from "./src/bridge/lent_tool.ts";
export type { ExtraArgs } from "./src/executor/extra_args.ts";
export type * from "./src/executor/messages.ts";
export { TurnFailed, type TurnFailure } from "./src/executor/turn_error.ts";
export type * from "./src/executor/turn_events.ts";
export type { TurnOptions, UnsupportedMediaPolicy } from "./src/executor/turn_options.ts";
export type { HostSettings } from "./src/library/host_ports.ts";
export type { AdmittedBy } from "./src/supervision/job.ts";
export type { Log, LogLevel } from "./src/supervision/ports.ts";
export type { Cleanup, Survivor } from "./src/supervision/receipts.ts";

if (import.meta.main) Deno.exit(await main(Deno.args));
