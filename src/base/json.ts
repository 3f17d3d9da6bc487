/**
 * JSON values, and the few things every layer does with them.
 *
 * @module
 */

/** Any JSON value. */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

/** A JSON object whose members are not known yet. */
export type JsonObject = { readonly [key: string]: JsonValue };

/** Whether `value` is a JSON object: neither null nor an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The member `key` when it is a string, else `null`. */
export function stringMember(value: unknown, key: string): string | null {
  const member = isObject(value) ? value[key] : undefined;
  return typeof member === "string" ? member : null;
}

/** The member `key` when it is a finite number, else `null`. */
export function numberMember(value: unknown, key: string): number | null {
  const member = isObject(value) ? value[key] : undefined;
  return typeof member === "number" && Number.isFinite(member) ? member : null;
}

/** The member `key` when it is an object, else `null`. */
export function objectMember(value: unknown, key: string): JsonObject | null {
  const member = isObject(value) ? value[key] : undefined;
  return isObject(member) ? member : null;
}

/** The member `key` when it is an array, else an empty one. */
export function arrayMember(value: unknown, key: string): readonly JsonValue[] {
  const member = isObject(value) ? value[key] : undefined;
  return Array.isArray(member) ? member : [];
}

/**
 * A copy with what JSON has room for, as it will be sent; what is done to the value later changes nothing.
 *
 * @throws {TypeError} for what cannot be said in JSON: circles, big integers.
 */
export function jsonCopy(value: JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(value));
}

const encoder = new TextEncoder();

/** The length of `text` in UTF-8 bytes. */
export function utf8Length(text: string): number {
  let bytes = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) bytes += 1;
    else if (unit < 0x800) bytes += 2;
    else if (unit >= 0xd800 && unit < 0xdc00 && isLowSurrogate(text, i + 1)) {
      bytes += 4;
      i += 1;
    } else bytes += 3; // also a lone surrogate, which is encoded as U+FFFD
  }
  return bytes;
}

function isLowSurrogate(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  return unit >= 0xdc00 && unit < 0xe000;
}

/** The size of `value` as compact JSON in UTF-8 bytes. */
export function jsonBytes(value: unknown): number {
  return utf8Length(jsonText(value));
}

/**
 * `value` as compact JSON, however deeply it is nested; the empty text for `undefined`.
 *
 * `JSON.stringify` is iterative only while every object on its way is of the plainest kind. A member whose name is a
 * number, or a member among thousands, makes it recurse (measured: it throws at 4,000 levels of `{"1":…}`), while a
 * native frame of 1 MiB can be nested half a million deep. So native values are written by this function only. They
 * come from `JSON.parse`: no cycles, no `toJSON` that is a function.
 */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "";
  } catch (caught) {
    if (!(caught instanceof RangeError)) throw caught; // the stack's end is a RangeError
    return deepText(value);
  }
}

type Piece = { readonly text: string } | { readonly value: unknown };

/** What `JSON.stringify` does, on a stack of its own. */
function deepText(root: unknown): string {
  let text = "";
  const todo: Piece[] = [{ value: root }];
  for (let piece = todo.pop(); piece !== undefined; piece = todo.pop()) {
    if ("text" in piece) {
      text += piece.text;
      continue;
    }
    const { value } = piece;
    if (typeof value !== "object" || value === null) text += JSON.stringify(value) ?? "null";
    else {
      const pieces = Array.isArray(value) ? arrayPieces(value) : objectPieces(value);
      for (const next of pieces.reverse()) todo.push(next); // not spread: arguments are bounded too
    }
  }
  return text;
}

function arrayPieces(values: readonly unknown[]): Piece[] {
  const pieces: Piece[] = values.flatMap((value, i): Piece[] => [
    { text: i === 0 ? "[" : "," },
    { value },
  ]);
  return values.length === 0 ? [{ text: "[]" }] : [...pieces, { text: "]" }];
}

function objectPieces(value: object): Piece[] {
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  const pieces: Piece[] = members.flatMap(([key, member], i): Piece[] => [
    { text: `${i === 0 ? "{" : ","}${JSON.stringify(key)}:` },
    { value: member },
  ]);
  return members.length === 0 ? [{ text: "{}" }] : [...pieces, { text: "}" }];
}

/** Encodes text as UTF-8. */
export function encodeUtf8(text: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(text);
}

/** The mark that ends a text which was cut. */
export const CUT_MARK = "… [cut]";

/**
 * At most `maxBytes` UTF-8 bytes of `text`, mark included; whole characters, and a cut is marked.
 *
 * @example
 * ```ts
 * import { cutText } from "./json.ts";
 *
 * console.assert(cutText("short", 100) === "short");
 * ```
 */
export function cutText(text: string, maxBytes: number): string {
  if (text.length * 3 <= maxBytes || utf8Length(text) <= maxBytes) return text;
  const room = Math.max(0, maxBytes - utf8Length(CUT_MARK));
  const target = new Uint8Array(room);
  const { read } = encoder.encodeInto(text, target);
  return text.slice(0, read) + CUT_MARK;
}
