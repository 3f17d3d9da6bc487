/**
 * The lent tools of one turn, and the calls of them that run. Knows nothing of MCP's transport.
 *
 * @module
 */
import { AdapterError } from "../base/errors.ts";
import { jsonBytes, utf8Length } from "../base/json.ts";
import {
  DEFAULT_TOOL_RESULT_CHARS,
  DEFAULT_TOOL_TIMEOUT_MS,
  MAX_LENT_CALLS,
  MAX_LENT_TOOLS,
  MAX_TOOL_DESCRIPTION_BYTES,
  MAX_TOOL_LIST_BYTES,
  MAX_TOOL_RESULT_CHARS,
  MAX_TOOL_TIMEOUT_MS,
} from "../base/limits.ts";
import { visible } from "../base/visible.ts";
import type { Clock } from "../supervision/ports.ts";
import type { LentTool, ToolOutput } from "./lent_tool.ts";
import type { CallToolResult, Tool } from "./sdk.ts";
import { type ToolInput, toolInput } from "./tool_input.ts";
import { bridgeNames } from "./tool_names.ts";
import { failedResult, type MediaPolicy, type ResultOptions, toolResult } from "./tool_result.ts";

/** How calls are handled. */
export interface BenchOptions {
  readonly clock: Clock;
  /** Deadline of a call whose tool names none, in milliseconds. Default: 600,000. */
  readonly toolTimeoutMs?: number;
  /** Default: `throw`. */
  readonly media?: MediaPolicy;
  /** Characters of text in one result, up to 400,000. Default: 80,000. */
  readonly maxResultChars?: number;
  /** Told of what ends the turn: media that may not be described. */
  readonly onFault?: (error: AdapterError) => void;
}

/** One call. */
export interface CallRequest {
  /** The name on the bridge. */
  readonly name: string;
  /** What the model wrote. */
  readonly input: unknown;
  /** Aborts when the caller gives up. */
  readonly signal: AbortSignal;
  /** The model's id of the call. */
  readonly callId: string | null;
}

interface Lent extends ToolInput {
  readonly tool: LentTool;
  readonly listed: Tool;
}

/** Tools and calls of one turn. */
export class ToolBench {
  readonly #lent = new Map<string, Lent>();
  /** What the caller calls each tool, those that were withdrawn too. */
  readonly #given = new Map<string, string>();
  readonly #options: BenchOptions;
  readonly #results: ResultOptions;
  readonly #calls = new Set<AbortController>();
  #closed: AdapterError | null = null;
  #lastEnd = -Infinity;

  /**
   * Checks the tools and keeps them.
   *
   * @throws {AdapterError} `invalid_arguments`, naming the tool, the bound and what to do.
   */
  constructor(tools: readonly LentTool[], options: BenchOptions) {
    this.#options = options;
    const { media = "throw", maxResultChars = DEFAULT_TOOL_RESULT_CHARS } = options;
    if (
      !Number.isSafeInteger(maxResultChars) || maxResultChars < 1 ||
      maxResultChars > MAX_TOOL_RESULT_CHARS
    ) {
      refuse(`'maxResultChars' must be a whole number from 1 to ${MAX_TOOL_RESULT_CHARS}`);
    }
    this.#results = { media, maxChars: maxResultChars };
    if (!Array.isArray(tools)) refuse("they must be a list");
    if (tools.length > MAX_LENT_TOOLS) {
      refuse(`there are ${tools.length}, and the bound is ${MAX_LENT_TOOLS}`);
    }
    const names = bridgeNames(tools.map((tool) => tool?.name));
    let bytes = 0;
    for (const [index, tool] of tools.entries()) {
      const lent = this.#prepare(tool, names[index]!);
      bytes += jsonBytes(lent.listed);
      this.#lent.set(names[index]!, lent);
      this.#given.set(names[index]!, tool.name);
    }
    if (bytes > MAX_TOOL_LIST_BYTES) {
      refuse(`as a list they have ${bytes} bytes, and the bound is ${MAX_TOOL_LIST_BYTES}`);
    }
  }

  /** Names on the bridge, in order. */
  get names(): readonly string[] {
    return [...this.#lent.keys()];
  }

  /** What the caller calls a tool that is or was on the bridge under this name, else `null`. */
  givenName(name: string): string | null {
    return this.#given.get(name) ?? null;
  }

  /** Calls that run. */
  get active(): number {
    return this.#calls.size;
  }

  /** Milliseconds since a call ran: 0 while one does, `Infinity` before the first. */
  sinceCallMs(): number {
    return this.active > 0 ? 0 : this.#options.clock.monotonic() - this.#lastEnd;
  }

  /** The tools as MCP lists them. */
  list(): Tool[] {
    return [...this.#lent.values()].map(({ listed }) => listed);
  }

  /** Takes a tool away: what is called after this does not run, whatever was listed. Returns whether it was there. */
  withdraw(given: string): boolean {
    for (const [name, { tool }] of this.#lent) {
      if (tool.name === given) return this.#lent.delete(name);
    }
    return false;
  }

  /** Runs one call. Never rejects: what goes wrong is told to the model. */
  async call(request: CallRequest): Promise<CallToolResult> {
    const lent = this.#lent.get(request.name);
    if (this.#closed !== null) return failedResult(this.#closed);
    if (lent === undefined) {
      return failedResult(new Error(`There is no tool '${visible(request.name.slice(0, 200))}'`));
    }
    if (this.#calls.size >= MAX_LENT_CALLS) {
      return failedResult(
        new Error(`${MAX_LENT_CALLS} calls run already; wait for one of them to end`),
      );
    }
    const ending = new AbortController();
    this.#calls.add(ending);
    const disarm = this.#arm(lent.tool, request.signal, ending);
    try {
      // A check can wait for something, too: a refinement of zod may be asynchronous.
      const checked = await raced(lent.check(request.input), ending.signal);
      if (!checked.ok) {
        return failedResult(
          new Error(
            `The arguments do not fit the tool's schema, so it did not run: ${checked.message}`,
          ),
        );
      }
      return await this.#run(lent.tool, { ...request, input: checked.value }, ending.signal);
    } catch (caught) {
      if (caught instanceof AdapterError && caught.code === "unsupported_media") {
        this.#options.onFault?.(caught);
      }
      return failedResult(caught);
    } finally {
      disarm();
      this.#calls.delete(ending);
      this.#lastEnd = this.#options.clock.monotonic();
    }
  }

  /** Answers every call that runs as an error, and every later one too. */
  close(reason: string): void {
    this.#closed ??= new AdapterError("cancelled", reason);
    for (const call of this.#calls) call.abort(this.#closed);
  }

  #prepare(tool: LentTool, name: string): Lent {
    const what = `tool '${visible(tool.name)}'`;
    const { description, timeoutMs } = tool;
    if (typeof tool.handler !== "function") refuse(`${what} has no 'handler'`);
    if (typeof description !== "string" || description.trim() === "") {
      refuse(`${what} has no 'description'; say what it does and when to use it`);
    }
    if (utf8Length(description) > MAX_TOOL_DESCRIPTION_BYTES) {
      refuse(`the description of ${what} has more than ${MAX_TOOL_DESCRIPTION_BYTES} bytes`);
    }
    if (timeoutMs !== undefined) checkTimeout(timeoutMs, `'timeoutMs' of ${what}`);
    const input = toolInput(tool);
    const listed: Tool = {
      name,
      description: description.toWellFormed(),
      inputSchema: input.schema as Tool["inputSchema"],
      // Else the CLI puts what is longer than its own bound into a file, which this model cannot read (measured).
      _meta: { "anthropic/maxResultSizeChars": 500_000, "anthropic/alwaysLoad": true },
      // What the CLI goes by when it decides whether calls may overlap (measured).
      ...(tool.parallel === true && { annotations: { readOnlyHint: true } }),
    };
    return { ...input, tool, listed };
  }

  /** The call ends at its deadline, and when its caller gives it up; returns what takes that back. */
  #arm(tool: LentTool, caller: AbortSignal, ending: AbortController): () => void {
    const { clock, toolTimeoutMs = DEFAULT_TOOL_TIMEOUT_MS } = this.#options;
    const ms = tool.timeoutMs ?? toolTimeoutMs;
    const giveUp = () => ending.abort(new AdapterError("cancelled", "The call was given up"));
    if (caller.aborted) giveUp();
    caller.addEventListener("abort", giveUp, { once: true });
    const takeBack = clock.after(ms, () =>
      ending.abort(
        new AdapterError(
          "timeout",
          `The tool did not answer within ${ms / 1000} s; it was told to stop`,
        ),
      ));
    return () => {
      takeBack();
      caller.removeEventListener("abort", giveUp);
    };
  }

  async #run(
    tool: LentTool,
    { input, callId }: CallRequest,
    signal: AbortSignal,
  ): Promise<CallToolResult> {
    // In a promise of its own, so that what the handler throws at once is a rejection too.
    const work = Promise.resolve().then(() => {
      signal.throwIfAborted();
      return tool.handler(input, { signal, callId });
    });
    return toolResult(await raced<ToolOutput>(work, signal), this.#results);
  }
}

/** Checks a deadline in milliseconds. */
export function checkTimeout(ms: number, what: string): void {
  if (Number.isSafeInteger(ms) && ms >= 1 && ms <= MAX_TOOL_TIMEOUT_MS) return;
  refuse(`${what} must be a whole number of milliseconds from 1 to ${MAX_TOOL_TIMEOUT_MS}`);
}

/** The work's value, or the signal's reason when that is first; then the work's own end means nothing to anybody. */
function raced<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) return Promise.reject(signal.reason);
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}

function refuse(reason: string): never {
  throw new AdapterError("invalid_arguments", `Invalid argument 'tools': ${reason}`);
}
