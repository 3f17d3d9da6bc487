/**
 * An executor: Claude Code answers one turn at a time, with tools that the caller lends it and none of its own.
 *
 * @module
 */
import { AdapterError } from "../base/errors.ts";
import { DEFAULT_TOOL_TIMEOUT_MS } from "../base/limits.ts";
import { jsonSchemaCheck } from "../bridge/json_schema.ts";
import type { LentTool } from "../bridge/lent_tool.ts";
import { ToolBench } from "../bridge/tool_bench.ts";
import type { Message } from "../executor/messages.ts";
import { renderMessages } from "../executor/render_messages.ts";
import type { TurnEvent, TurnResult } from "../executor/turn_events.ts";
import { REMOVED_VARIABLES, turnArgv } from "../executor/turn_invocation.ts";
import { checkTurnOptions, type TurnOptions } from "../executor/turn_options.ts";
import { sweepPrivateFolders } from "../host/private_folder.ts";
import { encodeUserMessage } from "../threads/user_message.ts";
import { type HostPorts, type HostSettings, openHostPorts } from "./host_ports.ts";
import { Turn, type TurnPlan } from "./turn.ts";

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
   * What happens, for one reader. A reader that is slow slows the turn down; nobody has to read. The last event is a
   * `result`, also of a turn that failed.
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
   * @throws {AdapterError} `invalid_arguments` and such: then nothing was started.
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
 * ```ts ignore
 * import { createExecutor } from "@adapters/claude-code";
 *
 * await using executor = createExecutor({ model: "sonnet", apiKey: "…" });
 * const turn = executor.execute({
 *   prompt: "What is the weather in Oslo?",
 *   tools: [{
 *     name: "weather",
 *     description: "The weather of a city",
 *     inputSchema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
 *     handler: () => "Rain, 7 °C",
 *   }],
 * });
 * for await (const event of turn.events) if (event.type === "message_delta") console.log(event.text);
 * console.log((await turn.result).text);
 * ```
 */
export function createExecutor(options: ExecutorOptions): Executor {
  checkSystem(Deno.build.os);
  return new HostExecutor(options);
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

class HostExecutor implements Executor {
  readonly #options: TurnOptions;
  readonly #host: HostPorts;
  readonly #turns = new Set<Turn>();
  #sweep: Promise<unknown> | null = null;

  constructor({ executable, acceptNativeVersion, log, env, ...options }: ExecutorOptions) {
    checkTurnOptions(options);
    this.#options = options;
    const inherited = { ...(env ?? Deno.env.toObject()) };
    for (const name of REMOVED_VARIABLES) delete inherited[name];
    this.#host = openHostPorts({
      env: inherited,
      ...(executable !== undefined && { executable }),
      ...(acceptNativeVersion !== undefined && { acceptNativeVersion }),
      ...(log !== undefined && { log }),
    });
  }

  execute(request: ExecuteRequest): Execution {
    const plan = this.#plan(request, () => turn);
    const turn: Turn = new Turn(plan, {
      host: this.#host,
      executable: this.#host.launcher.locate(),
      onFolder: (path) => this.#sweepOnce(path),
    });
    this.#turns.add(turn);
    const result = turn.result.finally(() => this.#turns.delete(turn));
    result.catch(() => {});
    const cancel = () =>
      turn.stop(new AdapterError("cancelled", "The turn was cancelled by its caller"));
    return {
      events: turn.events,
      result,
      withdraw: (tool) => plan.bench.withdraw(tool),
      cancel,
      async [Symbol.asyncDispose]() {
        cancel();
        await result.catch(() => {});
      },
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ends = [...this.#turns].map((turn) => {
      turn.stop(new AdapterError("cancelled", "The executor was closed"));
      return turn.result.catch(() => {});
    });
    await Promise.all([...ends, this.#sweep]);
  }

  /** What programs that were killed have left lies beside what a turn makes. */
  #sweepOnce(path: string): void {
    this.#sweep ??= sweepPrivateFolders(path, this.#host);
  }

  #plan(request: ExecuteRequest, turn: () => Turn): TurnPlan {
    const { tools = [], signal } = request;
    const options = checkTurnOptions(merged(this.#options, request.overrides ?? {}));
    const { maxResultChars, toolTimeoutMs, jsonSchema } = options;
    const lent = Array.isArray(tools)
      ? tools.filter((tool) => !options.disallowedTools.includes(tool?.name))
      : tools;
    const bench = new ToolBench(lent, {
      clock: this.#host.clock,
      toolTimeoutMs,
      media: options.unsupportedResultMediaPolicy,
      maxResultChars,
      onFault: (error) => turn().stop(error),
    });
    const prompt = renderMessages(messagesOf(request), {
      images: options.images,
      media: options.unsupportedMediaPolicy,
      newKey: () => crypto.randomUUID().replaceAll("-", "").slice(0, 16),
    });
    // What cannot be encoded is said before anything is started.
    encodeUserMessage(prompt.content);
    turnArgv(options, { mcpConfigPath: null, systemPromptPath: null, allowedTools: bench.names });
    return {
      options,
      prompt,
      bench,
      longestToolMs: Math.max(
        DEFAULT_TOOL_TIMEOUT_MS,
        toolTimeoutMs,
        ...lent.map((tool) => tool.timeoutMs ?? 0),
      ),
      checkAnswer: jsonSchema === null ? null : jsonSchemaCheck(jsonSchema, "'jsonSchema'"),
      signal,
    };
  }
}

/** Options of one turn. Of the two ways to log in, the one that the turn names is meant. */
function merged(base: TurnOptions, overrides: Partial<TurnOptions>): TurnOptions {
  const { apiKey, authToken, ...others } = base;
  const namesOne = overrides.apiKey !== undefined || overrides.authToken !== undefined;
  const login = namesOne ? {} : {
    ...(apiKey !== undefined && { apiKey }),
    ...(authToken !== undefined && { authToken }),
  };
  return { ...others, ...login, ...overrides };
}

function messagesOf({ prompt, messages }: ExecuteRequest): readonly Message[] {
  if ((prompt === undefined) === (messages === undefined)) {
    throw new AdapterError(
      "invalid_arguments",
      "Invalid request: give exactly one of 'prompt' and 'messages'",
    );
  }
  return messages ?? [{ role: "user", content: prompt! }];
}
