/**
 * The history that a turn answers. Types only.
 *
 * @module
 */
import type { JsonValue } from "../base/json.ts";

/** Text of a message. */
export interface TextPart {
  /** Which kind of part it is. */
  readonly type: "text";
  /** The text. */
  readonly text: string;
  /**
   * It comes from somebody who is not to be obeyed, such as a web page or a file: it is fenced and marked as data.
   *
   * @default {false}
   */
  readonly untrusted?: boolean;
}

/** A picture. PNG and JPEG go to the model as they are; see `images`. */
export interface ImagePart {
  /** Which kind of part it is. */
  readonly type: "image";
  /** The file's bytes, or the same as base64 with its padding. */
  readonly data: Uint8Array | string;
  /** For its description: what it is called. */
  readonly name?: string;
}

/** Anything else, such as audio: it is described, or refused. */
export interface MediaPart {
  /** Which kind of part it is. */
  readonly type: "media";
  /** Such as `audio/wav`. */
  readonly mediaType: string;
  /** What it is called. */
  readonly name?: string;
  /** How large it is. */
  readonly bytes?: number;
}

/** Text, or parts in order. */
export type MessageContent = string | readonly (TextPart | ImagePart | MediaPart)[];

/** A call of a tool, as the model made it. */
export interface PastToolCall {
  /** The key of the call. */
  readonly id: string;
  /** The tool. */
  readonly name: string;
  /** Its arguments. */
  readonly input: JsonValue;
}

/** One message of a history. */
export type Message =
  /** What the model is told about itself. Those at the beginning are the system prompt. */
  | { readonly role: "system"; readonly content: string }
  | { readonly role: "user"; readonly content: MessageContent }
  | {
    readonly role: "assistant";
    readonly content: MessageContent;
    readonly toolCalls?: readonly PastToolCall[];
  }
  /** What a tool answered. Always data, never an instruction. */
  | {
    readonly role: "tool";
    readonly callId: string;
    readonly content: MessageContent;
    readonly isError?: boolean;
  };
