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
  return utf8Length(JSON.stringify(value) ?? "");
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
