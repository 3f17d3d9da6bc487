/**
 * From what a handler answers to what the model gets. Pure.
 *
 * @module
 */
import { AdapterError, messageOf } from "../base/errors.ts";
import { cutText } from "../base/json.ts";
import { MAX_TOOL_IMAGE_CHARS, MAX_TOOL_RESULT_BLOCKS } from "../base/limits.ts";
import { visible, visibleSentence } from "../base/visible.ts";
import type { ToolContent, ToolImage, ToolOutput } from "./lent_tool.ts";
import type { CallToolResult } from "./sdk.ts";

/** What is done with what the model cannot see: the turn fails, or the model is told what it is. */
export type MediaPolicy = "throw" | "describe";

/** How results are made. */
export interface ResultOptions {
  /** For media that the model cannot see, and pictures past the API's bound. */
  readonly media: MediaPolicy;
  /** Characters of text, all blocks together; what is longer is cut, with a note. */
  readonly maxChars: number;
}

const MAX_FAILURE_BYTES = 4_000;

/** The kinds of picture that the API takes, by their first bytes. */
const PICTURES: readonly { readonly mediaType: string; readonly starts: RegExp }[] = [
  // deno-lint-ignore no-control-regex
  { mediaType: "image/png", starts: /^\x89PNG\r\n\x1a\n/ },
  { mediaType: "image/jpeg", starts: /^\xff\xd8\xff/ },
  { mediaType: "image/gif", starts: /^GIF8[79]a/ },
  { mediaType: "image/webp", starts: /^RIFF[\s\S]{4}WEBP/ },
];

/**
 * The result of a call.
 *
 * @throws {AdapterError} `unsupported_media` under the policy `throw`; `invalid_arguments` when the handler answered
 * something else than it may.
 */
export function toolResult(output: ToolOutput, options: ResultOptions): CallToolResult {
  const parts = output === undefined || output === null
    ? []
    : typeof output === "string"
    ? [{ type: "text" as const, text: output }]
    : Array.isArray(output)
    ? output as readonly ToolContent[]
    : [output as ToolContent];
  if (parts.length > MAX_TOOL_RESULT_BLOCKS) {
    wrong(`${parts.length} parts, and the bound is ${MAX_TOOL_RESULT_BLOCKS}`);
  }
  const content = parts.map((part, index) => block(part, { index, options }));
  return { content: bounded(content, options.maxChars) };
}

/** What the model is told when a call fails: one line of what happened, never a stack. */
export function failedResult(caught: unknown): CallToolResult {
  const text = cutText(saidBy(caught).toWellFormed(), MAX_FAILURE_BYTES);
  return { isError: true, content: [{ type: "text", text: text.trim() || "The tool failed" }] };
}

/** A message of several lines stays as it is; of other values one line is made. */
function saidBy(caught: unknown): string {
  try {
    if (caught instanceof Error) return messageOf(caught) || String(caught.name);
  } catch {
    // A value with traps of its own.
  }
  return visibleSentence(messageOf(caught));
}

type Block = CallToolResult["content"][number];

interface Place {
  readonly index: number;
  readonly options: ResultOptions;
}

function block(part: ToolContent, { index, options }: Place): Block {
  switch (part?.type) {
    case "text":
      if (typeof part.text !== "string") wrong(`part ${index}, whose 'text' is none`);
      return { type: "text", text: part.text.toWellFormed() };
    case "image":
      return picture(part, { index, options });
    case "media": {
      const { mediaType, name, bytes } = part;
      return unseen({ mediaType: String(mediaType), name, bytes }, options);
    }
    default:
      return wrong(`part ${index}, whose 'type' is not text, image or media`);
  }
}

function picture({ data, mediaType }: ToolImage, { index, options }: Place): Block {
  if (typeof data !== "string" && !(data instanceof Uint8Array)) {
    wrong(`part ${index}, a picture without bytes or base64 text as 'data'`);
  }
  const start = typeof data === "string" ? decodedStart(data) : binary(data.subarray(0, 16));
  if (start === null) wrong(`part ${index}, a picture that is no base64 text with its padding`);
  const kind = PICTURES.find(({ starts }) => starts.test(start!))?.mediaType ?? null;
  const bytes = typeof data === "string"
    ? Math.floor(data.replace(/=+$/, "").length * 3 / 4)
    : data.length;
  if (kind === null) {
    return unseen({ mediaType: mediaType ?? "a picture of an unknown kind", bytes }, options);
  }
  const chars = typeof data === "string" ? data.length : 4 * Math.ceil(data.length / 3);
  if (chars > MAX_TOOL_IMAGE_CHARS) {
    return unseen({ mediaType: `${kind}, too large to be shown`, bytes }, options);
  }
  const base64 = typeof data === "string" ? data : data.toBase64();
  return { type: "image", data: base64, mimeType: kind };
}

interface Unseen {
  readonly mediaType: string;
  readonly name?: string | undefined;
  readonly bytes?: number | undefined;
}

function unseen({ mediaType, name, bytes }: Unseen, { media }: ResultOptions): Block {
  const about = [visible(mediaType.slice(0, 200))];
  if (name !== undefined) about.push(`'${visible(String(name).slice(0, 200))}'`);
  if (bytes !== undefined) about.push(`${bytes} bytes`);
  const what = about.join(", ");
  if (media === "describe") return { type: "text", text: `[Not shown: ${what}]` };
  throw new AdapterError(
    "unsupported_media",
    `A lent tool answered with media that the model cannot see (${what}); answer with text or a PNG, JPEG, GIF or WebP of at most ${MAX_TOOL_IMAGE_CHARS} base64 characters, or set 'unsupportedResultMediaPolicy' to describe`,
  );
}

/** Text past the bound is cut where it is reached; pictures stay. */
function bounded(content: readonly Block[], maxChars: number): Block[] {
  let total = 0;
  for (const part of content) total += part.type === "text" ? part.text.length : 0;
  if (total <= maxChars) return [...content];
  let left = maxChars;
  const kept: Block[] = [];
  for (const part of content) {
    if (part.type !== "text") kept.push(part);
    else if (left > 0) {
      // Half of a surrogate pair at the cut becomes U+FFFD.
      kept.push({ type: "text", text: part.text.slice(0, left).toWellFormed() });
      left -= part.text.length;
    }
  }
  const note =
    `[Cut: the result has ${total} characters, and the first ${maxChars} are shown. Ask for less, or for a part.]`;
  return [...kept, { type: "text", text: note }];
}

function decodedStart(base64: string): string | null {
  if (base64 === "" || base64.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(base64)) {
    return null;
  }
  return atob(base64.slice(0, 24));
}

function binary(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}

function wrong(what: string): never {
  throw new AdapterError(
    "invalid_arguments",
    `The tool's handler answered with ${what}; it may answer text, parts or nothing`,
  );
}
