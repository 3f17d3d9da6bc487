/**
 * The one line that a round writes to the CLI's standard input.
 *
 * @module
 */
import { AdapterError } from "../base/errors.ts";
import { type JsonObject, utf8Length } from "../base/json.ts";
import { imageKind, type ImageMediaType } from "./image_kind.ts";
import { asPlainText, type PlainTextOptions } from "./plain_text.ts";

/**
 * UTF-8 bytes of the line, JSON and newline included. The CLI's own bound for piped input is 10 MB. Lines of more pass
 * with stream-json (measured: 12.4 MB of pictures), but the bound is ours for every message, so that it never depends on
 * what is in it. Text has a closer one that only the CLI knows: what its model cannot hold ends in "Prompt is too long"
 * (measured: between 2 and 3.5 MB for a model of a million tokens).
 */
export const MAX_USER_LINE_BYTES = 10 * 1024 * 1024;
/** Content blocks of one message. */
export const MAX_CONTENT_BLOCKS = 100;

/** Text of a message. */
export interface TextContent {
  /** Which kind of block it is. */
  readonly type: "text";
  /** The text. */
  readonly text: string;
}

/** A PNG or JPEG. */
export interface ImageContent {
  /** Which kind of block it is. */
  readonly type: "image";
  /** The file's bytes, or the same as base64 with its padding. */
  readonly data: Uint8Array | string;
  /**
   * What it is said to be.
   *
   * @default what its first bytes say
   */
  readonly mediaType?: ImageMediaType;
}

/** What a user says: text, or text and pictures in order. */
export type UserMessage = string | readonly (TextContent | ImageContent)[];

/** Options of {@linkcode encodeUserMessage}. */
export interface UserMessageOptions extends PlainTextOptions {
  /** Text that goes before the message in a block of its own; see `transcript.ts`. */
  readonly before?: string;
}

/**
 * Encodes a message as one line of JSON, newline included.
 *
 * A message without a picture must have text that is not only white space: the CLI would send it and pay for it
 * (measured). Empty text blocks beside others are left out. NUL stays (measured: it passes). Half a surrogate pair
 * becomes U+FFFD, as in every UTF-8 encoder. What the CLI would take for a command of its own or for the name of a file is
 * made plain text; see `plain_text.ts`.
 *
 * @throws {AdapterError} `invalid_arguments`, naming the block, what is wrong and the bound.
 *
 * @example
 * ```ts
 * import { encodeUserMessage } from "./user_message.ts";
 *
 * const line = encodeUserMessage("Hello");
 * console.assert(JSON.parse(line).message.content[0].text === "Hello" && line.endsWith("}\n"));
 * ```
 */
export function encodeUserMessage(
  message: UserMessage,
  { before, ...plain }: UserMessageOptions = {},
): string {
  const content = typeof message === "string"
    ? [textBlock(message, 0)]
    : Array.isArray(message)
    ? checkedBlocks(message)
    : refuse("it must be text, or a list of content blocks");
  const spoken = content.filter((block) => block.type !== "text" || !isBlank(block.text));
  if (spoken.length === 0) refuse("it is empty; say what Claude is to answer");
  if (before !== undefined && !isBlank(before)) spoken.unshift(textBlock(before, 0));
  const inert = asPlainText(spoken, plain);
  const line = JSON.stringify({ type: "user", message: { role: "user", content: inert } }) + "\n";
  checkSize(utf8Length(line));
  return line;
}

function checkedBlocks(blocks: readonly unknown[]): JsonObject[] {
  if (blocks.length > MAX_CONTENT_BLOCKS) {
    refuse(`it has ${blocks.length} content blocks, and the bound is ${MAX_CONTENT_BLOCKS}`);
  }
  let size = 0;
  return blocks.map((value, index) => {
    const block = (value ?? {}) as Partial<Record<string, unknown>>;
    const made = block.type === "text"
      ? textBlock(block.text, index)
      : block.type === "image"
      ? imageBlock(block as unknown as ImageContent, index)
      : refuse(`content block ${index} must have the type text or image`);
    // Before anything large is put together; with its JSON the line is only longer.
    const payload = block.type === "text" ? made.text : (made.source as JsonObject).data;
    size += String(payload).length;
    checkSize(size);
    return made;
  });
}

function textBlock(text: unknown, index: number): JsonObject {
  if (typeof text !== "string") return refuse(`content block ${index} has no 'text'`);
  checkSize(text.length);
  return { type: "text", text: text.toWellFormed() };
}

function imageBlock({ data, mediaType }: ImageContent, index: number): JsonObject {
  const where = `the picture in content block ${index}`;
  if (typeof data !== "string" && !(data instanceof Uint8Array)) {
    return refuse(`${where} must have its bytes, or their base64 text, as 'data'`);
  }
  checkSize(Math.floor(data.length * (typeof data === "string" ? 1 : 4 / 3)));
  if (typeof data === "string" && !isBase64(data)) {
    return refuse(`${where} is no base64 text with its padding`);
  }
  const start = typeof data === "string" ? decodeStart(data) : data;
  const kind = imageKind(start);
  if (kind !== "image/png" && kind !== "image/jpeg") {
    return refuse(
      `${where} is ${
        kind ?? "of a kind that is not known here"
      }; only PNG and JPEG go to the model, so convert it`,
    );
  }
  if (mediaType !== undefined && mediaType !== kind) {
    return refuse(`${where} is said to be something else than ${kind}, which its bytes are`);
  }
  const text = typeof data === "string" ? data : encodeBase64(data);
  return { type: "image", source: { type: "base64", media_type: kind, data: text } };
}

function isBase64(text: string): boolean {
  return text.length > 0 && text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
}

function decodeStart(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64.slice(0, 16)), (unit) => unit.charCodeAt(0));
}

function encodeBase64(bytes: Uint8Array): string {
  const parts: string[] = [];
  const step = 24_576; // a multiple of 3, and few enough for arguments of a call
  for (let i = 0; i < bytes.length; i += step) {
    parts.push(btoa(String.fromCharCode(...bytes.subarray(i, i + step))));
  }
  return parts.join("");
}

function isBlank(text: unknown): boolean {
  return typeof text !== "string" || text.trim() === "";
}

function checkSize(bytes: number): void {
  if (bytes <= MAX_USER_LINE_BYTES) return;
  refuse(
    `it has at least ${bytes} bytes as the line of JSON that goes to the CLI, and the bound is ${MAX_USER_LINE_BYTES}; shorten it, or put the content into a file`,
  );
}

function refuse(reason: string): never {
  throw new AdapterError("invalid_arguments", `Invalid message: ${reason}`);
}
