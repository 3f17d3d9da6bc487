/** Renders an answer as the API's server-sent events, or as one JSON message. */

import type { Answer, Step, Usage } from "./reply.ts";

/** What the renderer needs from the server. */
export interface RenderContext {
  readonly model: string;
  readonly messageId: string;
  /** A new tool_use id. */
  nextToolId(): string;
  /** Ends waits: rejects when the server closes or the client went away. */
  readonly signal: AbortSignal;
}

/** The script asked for the connection to be torn down. */
export class BrokenConnection extends Error {
  override readonly name = "BrokenConnection";
}

type Open = { readonly kind: "text" | "thinking"; readonly index: number };
type Content = Extract<Step, { kind: "text" | "thinking" | "tool_use" }>;

/** A made-up signature, of the base64 form real ones have. */
const SIGNATURE = "bG9vcGJhY2stc2lnbmF0dXJl";

/**
 * The events of one streamed answer.
 *
 * @param answer What to say.
 * @param context Ids and the abort signal.
 * @yields One SSE event, ready to be written.
 * @throws {BrokenConnection} At a `break` step.
 */
export async function* streamEvents(
  answer: Answer,
  context: RenderContext,
): AsyncGenerator<string, void> {
  let started = false;
  let open: Open | undefined;
  let blocks = 0;
  for (const step of answer.steps) {
    if (await waited(step, context.signal)) continue;
    if (!started) {
      started = true;
      yield event("message_start", { message: messageStart(answer, context) });
      yield event("ping", {});
    }
    if (step.kind === "ping") {
      yield event("ping", {});
    } else if (step.kind === "break") {
      throw new BrokenConnection("the script broke the connection");
    } else if (step.kind === "error") {
      yield event("error", { error: { type: step.type, message: step.message } });
      return;
    } else if (isContent(step)) {
      if (open !== undefined && open.kind !== step.kind) {
        yield* closeBlock(open);
        open = undefined;
      }
      if (open === undefined) {
        yield event("content_block_start", {
          index: blocks,
          content_block: blockStart(step, context),
        });
      }
      const index: number = open?.index ?? blocks++;
      yield* deltas(step, index, context.signal);
      if (step.kind === "tool_use") yield event("content_block_stop", { index });
      else open = { kind: step.kind, index };
    }
  }
  if (!started) yield event("message_start", { message: messageStart(answer, context) });
  if (open !== undefined) yield* closeBlock(open);
  yield event("message_delta", {
    delta: { stop_reason: stopReason(answer), stop_sequence: null },
    usage: usage(answer.usage),
  });
  yield event("message_stop", {});
}

/**
 * The body of an answer that does not stream. It has no place for an `error` step.
 *
 * @param answer What to say.
 * @param context Ids and the abort signal.
 * @yields The whole message as JSON, once.
 * @throws {BrokenConnection} At a `break` step.
 */
export async function* wholeMessage(
  answer: Answer,
  context: RenderContext,
): AsyncGenerator<string, void> {
  const content: Record<string, unknown>[] = [];
  let last: Content["kind"] | undefined;
  for (const step of answer.steps) {
    if (await waited(step, context.signal)) continue;
    if (step.kind === "break") throw new BrokenConnection("the script broke the connection");
    if (!isContent(step)) continue;
    const previous = content.at(-1);
    if (step.kind === "tool_use") {
      content.push({ ...blockStart(step, context), input: step.input });
    } else if (previous !== undefined && last === step.kind) {
      previous[step.kind] += step.text;
    } else if (step.kind === "text") {
      content.push({ type: "text", text: step.text });
    } else {
      content.push({ type: "thinking", thinking: step.text, signature: SIGNATURE });
    }
    last = step.kind;
  }
  yield JSON.stringify({
    ...messageStart(answer, context),
    content,
    stop_reason: stopReason(answer),
    usage: usage(answer.usage),
  });
}

/** Carries out a pause, and says whether the step was one. */
async function waited(step: Step, signal: AbortSignal): Promise<boolean> {
  if (step.kind === "delay") await pause(step.ms, signal);
  else if (step.kind === "hold") await held(step.until, signal);
  else return false;
  return true;
}

function isContent(step: Step): step is Content {
  return step.kind === "text" || step.kind === "thinking" || step.kind === "tool_use";
}

async function* deltas(
  step: Content,
  index: number,
  signal: AbortSignal,
): AsyncGenerator<string, void> {
  const whole = step.kind === "tool_use" ? JSON.stringify(step.input) : step.text;
  for (const [position, piece] of pieces(whole, step.chunk ?? 16).entries()) {
    if (position > 0 && step.pauseMs !== undefined) await pause(step.pauseMs, signal);
    const delta = step.kind === "text"
      ? { type: "text_delta", text: piece }
      : step.kind === "thinking"
      ? { type: "thinking_delta", thinking: piece }
      : { type: "input_json_delta", partial_json: piece };
    yield event("content_block_delta", { index, delta });
  }
}

/** Cuts a text; a surrogate pair stays whole, since half of one is not UTF-8. */
function pieces(value: string, size: number): string[] {
  const cut: string[] = [];
  for (let from = 0; from < value.length;) {
    let to = from + Math.max(1, size);
    const code = value.charCodeAt(to - 1);
    if (code >= 0xd800 && code <= 0xdbff) to++;
    cut.push(value.slice(from, to));
    from = to;
  }
  return cut;
}

function* closeBlock(open: Open): Generator<string, void> {
  if (open.kind === "thinking") {
    const delta = { type: "signature_delta", signature: SIGNATURE };
    yield event("content_block_delta", { index: open.index, delta });
  }
  yield event("content_block_stop", { index: open.index });
}

function blockStart(step: Content, context: RenderContext): Record<string, unknown> {
  if (step.kind === "text") return { type: "text", text: "" };
  if (step.kind === "thinking") return { type: "thinking", thinking: "", signature: "" };
  const id = step.id ?? context.nextToolId();
  return { type: "tool_use", id, name: step.name, input: {} };
}

function messageStart(answer: Answer, context: RenderContext): Record<string, unknown> {
  return {
    id: context.messageId,
    type: "message",
    role: "assistant",
    model: context.model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { ...usage(answer.usage), output_tokens: 1 },
  };
}

function usage(given: Usage | undefined): Record<string, number> {
  return {
    input_tokens: given?.input ?? 10,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    output_tokens: given?.output ?? 5,
  };
}

function stopReason(answer: Answer): string {
  if (answer.stopReason !== undefined) return answer.stopReason;
  return answer.steps.some((step) => step.kind === "tool_use") ? "tool_use" : "end_turn";
}

function event(type: string, fields: Record<string, unknown>): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
}

/** Waits for a promise the script holds, or rejects with the signal's reason. */
async function held(until: Promise<unknown>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const stop = () => aborted.reject(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  try {
    await Promise.race([until, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  try {
    await held(promise, signal);
  } finally {
    clearTimeout(timer);
  }
}
