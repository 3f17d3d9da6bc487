/**
 * An executor: Claude Code answers one turn at a time, with tools that the caller lends it and none of its own.
 *
 * @module
 */
import { AdapterError } from "../base/errors.ts";
import { isObject } from "../base/json.ts";
import type { LentTool } from "../bridge/lent_tool.ts";
import type { Message } from "../executor/messages.ts";
import type { TurnEvent, TurnResult } from "../executor/turn_events.ts";
import { checkTurnOptions, type TurnOptions } from "../executor/turn_options.ts";
import type { HostSettings } from "./host_ports.ts";

/** How to make an executor: what every turn has, unless its `overrides` say otherwise, and the operator's settings. */
export interface ExecutorOptions extends TurnOptions, HostSettings {}

/** One turn to run. Exactly one of `prompt` and `messages`. */
export interface ExecuteRequest {
  /** What a user asks. */
  readonly prompt?: string;
  /** A history whose end the model answers. */
  readonly messages?: readonly Message[];
  /**
   * The tools the model may call, and no others.
   *
   * @default {[]}
   */
  readonly tools?: readonly LentTool[];
  /** Cancels the turn. */
  readonly signal?: AbortSignal;
  /** Options of this turn only. Naming one way to log in takes away the executor's other one. */
  readonly overrides?: Partial<TurnOptions>;
}

/** A turn that runs. Disposing of it cancels it and waits until nothing of it is left. */
export interface Execution extends AsyncDisposable {
  /**
   * What happens, for one reader. A reader may pause or never come: the turn goes on. 64 MiB are kept for it (4 MiB
   * until it comes); then the oldest go, and a `log` event says how many. The last event is a `result`, also of a turn
   * that failed.
   */
  readonly events: AsyncIterable<TurnEvent>;
  /**
   * What comes of the turn, when nothing of it is left: no process, no listener, no file.
   *
   * Rejects with an `AdapterError`; a failure of the model's side is a `TurnFailed`.
   */
  readonly result: Promise<TurnResult>;
  /** Takes a lent tool away in the middle of the turn: it does not run any more. Returns whether it was there. */
  withdraw(tool: string): boolean;
  /** Cancels the turn; `result` says when it is over. */
  cancel(): void;
}

/** Runs turns. Disposing of it cancels those that run and waits until nothing of them is left. */
export interface Executor extends AsyncDisposable {
  /**
   * Starts a turn. Turns run side by side and share nothing.
   *
   * @throws {AdapterError} `invalid_arguments` and such, `cancelled` once the executor is disposed of: then nothing was
   * started.
   */
  execute(request: ExecuteRequest): Execution;
}

/** Systems whose processes can be supervised. */
const SYSTEMS: readonly string[] = ["linux", "darwin"];

/**
 * Makes an executor. Needs `--allow-run --allow-env --allow-read --allow-net=127.0.0.1` and `--allow-write` for the
 * system's temporary folder.
 *
 * @throws {AdapterError} `invalid_arguments` for options that are wrong, `invalid_configuration` where processes cannot be
 * supervised.
 *
 * @example
 * ```ts
 * import { createExecutor } from "@adapters/claude-code";
 *
 * async function ask(apiKey: string): Promise<string> {
 *   await using executor = await createExecutor({ model: "sonnet", apiKey });
 *   const turn = executor.execute({
 *     prompt: "What is the weather in Oslo?",
 *     tools: [{
 *       name: "weather",
 *       description: "The weather of a city",
 *       inputSchema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
 *       handler: () => "Rain, 7 °C",
 *     }],
 *   });
 *   for await (const event of turn.events) {
 *     if (event.type === "message_delta") console.log(event.text);
 *   }
 *   return (await turn.result).text;
 * }
 * console.assert(typeof ask === "function"); // call it to ask
 * ```
 */
export async function createExecutor(options: ExecutorOptions): Promise<Executor> {
  checkSystem(Deno.build.os);
  if (!isObject(options)) {
    throw new AdapterError("invalid_arguments", "Invalid options: they must be an object");
  }
  const { executable: _, acceptNativeVersion: __, log: ___, env: ____, ...own } = options;
  checkTurnOptions(own);
  // Loading the MCP SDK takes 130 ms where the runtime takes 20 (measured), so only who lends tools does.
  const { HostExecutor } = await import("./host_executor.ts");
  return new HostExecutor(own, options);
}

/** @throws {AdapterError} `invalid_configuration` on a system without POSIX processes. */
export function checkSystem(os: string): void {
  if (SYSTEMS.includes(os)) return;
  throw new AdapterError(
    "invalid_configuration",
    `Turns run on ${
      SYSTEMS.join(" and ")
    } only, and this is ${os}: elsewhere nobody could make sure that nothing of them is left`,
  );
}
