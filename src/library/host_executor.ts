/**
 * Turns on this machine, with everything they need loaded.
 *
 * @module
 */
import { AdapterError } from "../base/errors.ts";
import { isObject } from "../base/json.ts";
import { DEFAULT_TOOL_TIMEOUT_MS } from "../base/limits.ts";
import { visible } from "../base/visible.ts";
import { jsonSchemaCheck } from "../bridge/json_schema.ts";
import { ToolBench } from "../bridge/tool_bench.ts";
import { isAmbient } from "../executor/ambient_env.ts";
import type { Message } from "../executor/messages.ts";
import { renderMessages } from "../executor/render_messages.ts";
import { turnArgv } from "../executor/turn_invocation.ts";
import { checkTurnOptions, type TurnOptions } from "../executor/turn_options.ts";
import { sweepPrivateFolders } from "../host/private_folder.ts";
import { encodeUserMessage } from "../threads/user_message.ts";
import type { ExecuteRequest, Execution, Executor } from "./executor.ts";
import { type HostPorts, type HostSettings, inheritedEnv, openHostPorts } from "./host_ports.ts";
import { Turn, type TurnPlan } from "./turn.ts";

/** The executor of this machine; see {@linkcode Executor}. */
export class HostExecutor implements Executor {
  readonly #options: TurnOptions;
  readonly #host: HostPorts;
  readonly #turns = new Set<Turn>();
  #sweep: Promise<unknown> | null = null;
  #isClosed = false;

  /** Takes checked options, and settings of which only the host's are looked at. */
  constructor(options: TurnOptions, settings: HostSettings) {
    this.#options = options;
    const inherited = Object.entries(inheritedEnv(settings));
    const env = Object.fromEntries(inherited.filter(([name]) => !isAmbient(name)));
    const { executable, acceptNativeVersion, log } = settings;
    this.#host = openHostPorts({
      env,
      ...(executable !== undefined && { executable }),
      ...(acceptNativeVersion !== undefined && { acceptNativeVersion }),
      ...(log !== undefined && { log }),
    });
  }

  /** See {@linkcode Executor}. */
  execute(request: ExecuteRequest): Execution {
    if (this.#isClosed) throw closed();
    checkRequest(request);
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

  /** See {@linkcode Executor}. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    const ends = [...this.#turns].map((turn) => {
      turn.stop(closed());
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
    const stdin = encodeUserMessage(prompt.content);
    turnArgv(options, { mcpConfigPath: null, systemPromptPath: null, allowedTools: bench.names });
    return {
      options,
      system: prompt.system,
      stdin,
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

function closed(): AdapterError {
  return new AdapterError("cancelled", "The executor is closed; make another one for more turns");
}

const MEMBERS = ["prompt", "messages", "tools", "signal", "overrides"];

/** What a program that is not type-checked can get wrong, such as `tool` for `tools`, must not run without being said. */
function checkRequest(request: unknown): void {
  if (!isObject(request)) refuse("it must be an object");
  const { signal, overrides }: { readonly signal?: unknown; readonly overrides?: unknown } =
    request;
  const unknown = Object.keys(request).find((name) => !MEMBERS.includes(name));
  if (unknown !== undefined) {
    refuse(`it has no member '${visible(unknown.slice(0, 100))}', only ${MEMBERS.join(", ")}`);
  }
  if (signal !== undefined && !(signal instanceof AbortSignal)) {
    refuse("'signal' must be an AbortSignal");
  }
  if (overrides !== undefined && !isObject(overrides)) refuse("'overrides' must be an object");
}

function refuse(reason: string): never {
  throw new AdapterError("invalid_arguments", `Invalid request: ${reason}`);
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
    refuse("give exactly one of 'prompt' and 'messages'");
  }
  return messages ?? [{ role: "user", content: prompt! }];
}
