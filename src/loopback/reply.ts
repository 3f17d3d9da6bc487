/** What the loopback model answers, as data, with a builder for each part. */

/** One part of a streamed answer, in order. */
export type Step =
  | TextStep
  | ThinkingStep
  | ToolUseStep
  | { readonly kind: "ping" }
  | { readonly kind: "delay"; readonly ms: number }
  | { readonly kind: "hold"; readonly until: Promise<unknown> }
  | { readonly kind: "break" }
  | { readonly kind: "error"; readonly type: string; readonly message: string };

/** Text, streamed in pieces. */
export interface TextStep extends Pace {
  readonly kind: "text";
  readonly text: string;
}

/** Thinking, streamed in pieces; its signature follows when the block closes. */
export interface ThinkingStep extends Pace {
  readonly kind: "thinking";
  readonly text: string;
}

/** A tool call; its input goes out as JSON text in pieces. */
export interface ToolUseStep extends Pace {
  readonly kind: "tool_use";
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** @default {"toolu_loopback_0001" and so on} */
  readonly id?: string;
}

/** How a block is cut up. */
export interface Pace {
  /**
   * Characters per delta.
   *
   * @default {16}
   */
  readonly chunk?: number;
  /**
   * Milliseconds before each delta after the first.
   *
   * @default {0}
   */
  readonly pauseMs?: number;
}

/** Tokens, as the API counts them. */
export interface Usage {
  /** @default {10} */
  readonly input?: number;
  /** @default {5} */
  readonly output?: number;
}

/** A whole answer. */
export interface Answer extends AnswerOptions {
  readonly kind: "answer";
  readonly steps: readonly Step[];
}

/** What goes with the steps. */
export interface AnswerOptions {
  /** @default {"tool_use" when a tool is called, else "end_turn"} */
  readonly stopReason?: string;
  readonly usage?: Usage;
}

/** An HTTP failure with the API's error body. */
export interface Failure {
  readonly kind: "failure";
  readonly status: number;
  readonly type: string;
  readonly message: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** What one request gets. */
export type Reply = Answer | Failure;

/** Text in deltas; two text steps in a row continue one block, also across a delay or a hold. */
export function text(value: string, pace: Pace = {}): TextStep {
  return { kind: "text", text: value, ...pace };
}

/** Thinking in deltas; continues like text. */
export function thinking(value: string, pace: Pace = {}): ThinkingStep {
  return { kind: "thinking", text: value, ...pace };
}

/** A tool call; several in one answer are parallel calls. */
export function toolUse(
  name: string,
  input: Readonly<Record<string, unknown>>,
  pace: Pace & { readonly id?: string } = {},
): ToolUseStep {
  return { kind: "tool_use", name, input, ...pace };
}

/** A pause of so many milliseconds. */
export function delay(ms: number): Step {
  return { kind: "delay", ms };
}

/** A pause until the promise settles; a test releases it. Nothing is sent meanwhile, not even message_start when it is first. */
export function hold(until: Promise<unknown>): Step {
  return { kind: "hold", until };
}

/** Tears the connection down here, without an end of the message. */
export function breakConnection(): Step {
  return { kind: "break" };
}

/** An SSE `error` event here, then the end of the stream. */
export function streamError(type: string, message: string): Step {
  return { kind: "error", type, message };
}

/** An SSE `ping` event. */
export function ping(): Step {
  return { kind: "ping" };
}

/**
 * An answer of these steps.
 *
 * @param steps A text, or the steps in order.
 * @param options Stop reason and usage.
 */
export function answer(steps: string | readonly Step[], options: AnswerOptions = {}): Answer {
  return {
    kind: "answer",
    steps: typeof steps === "string" ? [text(steps)] : steps,
    ...options,
  };
}

/** The `type` the API puts in an error body, by status. */
const ERROR_TYPES: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  500: "api_error",
  529: "overloaded_error",
};

/**
 * An HTTP failure.
 *
 * @param status The HTTP status.
 * @param options Message (default "scripted <status>"), error type (default by status) and headers such as
 * `retry-after` or `x-should-retry`.
 */
export function failure(
  status: number,
  options: {
    readonly message?: string;
    readonly type?: string;
    readonly headers?: Readonly<Record<string, string>>;
  } = {},
): Failure {
  return {
    kind: "failure",
    status,
    type: options.type ?? ERROR_TYPES[status] ?? "api_error",
    message: options.message ?? `scripted ${status}`,
    headers: options.headers ?? {},
  };
}
