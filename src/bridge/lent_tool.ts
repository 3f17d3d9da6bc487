/**
 * A tool that a program lends to the model, and what it may answer. Types, and one helper that loses none of them.
 *
 * @module
 */
import type { JsonObject } from "../base/json.ts";

/** What a handler is told besides its input. */
export interface ToolCallContext {
  /** Aborts when the model's side gives the call up, at its deadline, and at the end of the turn. */
  readonly signal: AbortSignal;
  /** The id of the call, as in the `tool_call` event; `null` when the caller named none. */
  readonly callId: string | null;
}

/** Text for the model. */
export interface ToolText {
  /** Which kind of content it is. */
  readonly type: "text";
  /** The text. */
  readonly text: string;
}

/** A PNG, JPEG, GIF or WebP for the model. */
export interface ToolImage {
  /** Which kind of content it is. */
  readonly type: "image";
  /** The file's bytes, or the same as base64 with its padding. */
  readonly data: Uint8Array | string;
  /**
   * What it is said to be. Anything that the model cannot see is handled as `unsupportedResultMediaPolicy` says.
   *
   * @default what its first bytes say
   */
  readonly mediaType?: string;
}

/** Anything else, such as audio or a PDF: the model cannot get it; see `unsupportedResultMediaPolicy`. */
export interface ToolMedia {
  /** Which kind of content it is. */
  readonly type: "media";
  /** Such as `audio/wav`. */
  readonly mediaType: string;
  /** For the description: what it is called. */
  readonly name?: string;
  /** For the description: how large it is. */
  readonly bytes?: number;
}

/** One part of an answer. */
export type ToolContent = ToolText | ToolImage | ToolMedia;

/** What a handler answers: text, parts in order, or nothing. To fail, it throws: the message goes to the model. */
export type ToolOutput = string | ToolContent | readonly ToolContent[] | null | undefined | void;

/** A zod 4 schema, as far as its type matters here: what it makes of its input. */
export interface ZodSchema<Output = unknown> {
  /** How zod marks its schemas. */
  readonly _zod: { readonly output: Output };
}

/** A tool to lend. */
export interface LentTool {
  /**
   * What the caller calls it; unique. A name that cannot go to the API as it is (other characters than letters, digits,
   * `_` and `-`, or too long) gets another spelling there; events and errors have this one.
   */
  readonly name: string;
  /** What it does and when to use it, for the model. */
  readonly description: string;
  /**
   * What it takes: a JSON Schema (draft 7, or a later draft's words that mean the same) or a zod schema, either of an
   * object. Input is checked before the handler runs; of a zod schema the handler gets the parsed value.
   */
  readonly inputSchema: JsonObject | ZodSchema;
  /**
   * How long one call may take, in milliseconds.
   *
   * @default the executor's `toolTimeoutMs`
   */
  readonly timeoutMs?: number;
  /**
   * Whether calls may run beside those of other such tools. Else the CLI starts a call when the one before has ended
   * (measured).
   *
   * @default {false}
   */
  readonly parallel?: boolean;
  /** Does the work. `input` has passed `inputSchema`. */
  handler(input: unknown, call: ToolCallContext): ToolOutput | Promise<ToolOutput>;
}

/** A {@linkcode LentTool} whose handler's input has the type that its zod schema says. */
export interface TypedTool<Output> extends Omit<LentTool, "handler"> {
  /** What it takes. */
  readonly inputSchema: ZodSchema<Output>;
  /** Does the work. */
  handler(input: Output, call: ToolCallContext): ToolOutput | Promise<ToolOutput>;
}

/**
 * The tool as it is; only its types are checked: the handler's input is what the zod schema says.
 *
 * @example
 * ```ts
 * import { z } from "zod";
 * import { lentTool } from "./lent_tool.ts";
 *
 * const tool = lentTool({
 *   name: "add",
 *   description: "Adds two numbers",
 *   inputSchema: z.object({ a: z.number(), b: z.number() }),
 *   handler: ({ a, b }) => String(a + b),
 * });
 * console.assert(tool.name === "add");
 * ```
 */
export function lentTool<Output>(tool: TypedTool<Output>): LentTool {
  return tool as unknown as LentTool;
}
