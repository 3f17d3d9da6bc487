/**
 * Finds the top-level `type` of a JSON object in a stream of its bytes, in constant memory.
 *
 * @module
 */

/** Raw bytes of the longest spelling of the key: four characters, each written as `\uXXXX`. */
const MAX_KEY_BYTES = 24;
/** Raw bytes of the longest value that is kept; the known types have at most 20. */
const MAX_TYPE_BYTES = 64;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Where the scanner stands in the text. */
const enum At {
  /** Before the opening brace. */
  Start,
  /** Before a key of the outermost object, or its end. */
  Key,
  /** Inside such a key. */
  KeyText,
  /** Between such a key and its colon. */
  Colon,
  /** Before the value of the key `type`. */
  Type,
  /** Inside that value. */
  TypeText,
  /** Inside any other value, outside of strings. */
  Value,
  /** Inside a string of any other value. */
  ValueText,
  /** Found, or known not to be there. */
  Done,
}

const decoder = new TextDecoder();

/**
 * Reads a frame that is too large to keep, chunk by chunk, for the one thing worth knowing about it.
 *
 * The key need not be the first (measured: results start with other keys since 2.1.269), and the text
 * `"type":"result"` inside a nested object, an array or a string does not count. The first `type` wins.
 * Text that is not a JSON object has no type.
 *
 * @example
 * ```ts
 * import { TypeSniffer } from "./type_sniffer.ts";
 *
 * const sniffer = new TypeSniffer();
 * sniffer.push(new TextEncoder().encode('{"a":[{"type":"no"}],"type":"result"'));
 * console.assert(sniffer.type === "result");
 * ```
 */
export class TypeSniffer {
  #at: At = At.Start;
  #depth = 0;
  #escaped = false;
  #text = new Uint8Array(MAX_TYPE_BYTES);
  #length = 0;
  #type: string | null = null;

  /** The type, once found; `null` before that, or when there is none of at most 64 bytes. */
  get type(): string | null {
    return this.#type;
  }

  /** Whether further bytes can change nothing. */
  get done(): boolean {
    return this.#at === At.Done;
  }

  /** Reads the next bytes; a chunk may begin and end anywhere. */
  push(bytes: Uint8Array): void {
    for (let i = 0; i < bytes.length && this.#at !== At.Done; i++) {
      // Nearly all bytes of a large frame are inside one string.
      if (this.#at === At.ValueText && !this.#escaped) i = endOfPlainText(bytes, i);
      const byte = bytes[i];
      if (byte !== undefined) this.#step(byte);
    }
  }

  #step(byte: number): void {
    switch (this.#at) {
      case At.KeyText:
      case At.TypeText:
      case At.ValueText:
        return this.#inText(byte);
      case At.Value:
        return this.#inValue(byte);
      case At.Start:
        if (byte === OPEN_OBJECT) this.#at = At.Key;
        else if (!isSpace(byte) && !isByteOrderMark(byte)) this.#at = At.Done;
        return;
      case At.Key:
        if (byte === QUOTE) this.#open(At.KeyText);
        else if (!isSpace(byte) && byte !== COMMA) this.#at = At.Done;
        return;
      case At.Colon:
        if (byte === COLON) this.#at = this.#isTypeKey() ? At.Type : At.Value;
        else if (!isSpace(byte)) this.#at = At.Done;
        return;
      case At.Type:
        if (byte === QUOTE) this.#open(At.TypeText);
        else if (!isSpace(byte)) this.#at = At.Done; // a type that is not text is no type
        return;
    }
  }

  #open(at: At): void {
    this.#at = at;
    this.#length = 0;
  }

  #inText(byte: number): void {
    if (!this.#escaped && byte === QUOTE) return this.#closeText();
    this.#escaped = !this.#escaped && byte === BACKSLASH;
    if (this.#at === At.ValueText) return;
    if (this.#length < MAX_TYPE_BYTES) this.#text[this.#length] = byte;
    this.#length += 1;
  }

  #closeText(): void {
    if (this.#at === At.KeyText) this.#at = At.Colon;
    else if (this.#at === At.ValueText) this.#at = At.Value;
    else {
      this.#type = this.#length <= MAX_TYPE_BYTES ? this.#decoded() : null;
      this.#at = At.Done;
    }
  }

  #inValue(byte: number): void {
    if (byte === QUOTE) this.#at = At.ValueText;
    else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) this.#depth += 1;
    else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      if (this.#depth === 0) this.#at = At.Done; // the end of the outermost object
      else this.#depth -= 1;
    } else if (byte === COMMA && this.#depth === 0) this.#at = At.Key;
  }

  #isTypeKey(): boolean {
    return this.#length <= MAX_KEY_BYTES && this.#decoded() === "type";
  }

  #decoded(): string | null {
    try {
      return JSON.parse(`"${decoder.decode(this.#text.subarray(0, this.#length))}"`);
    } catch {
      return null; // an escape that JSON does not have
    }
  }
}

function endOfPlainText(bytes: Uint8Array, from: number): number {
  let i = from;
  while (i < bytes.length && bytes[i] !== QUOTE && bytes[i] !== BACKSLASH) i++;
  return i;
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0d;
}

function isByteOrderMark(byte: number): boolean {
  return byte === 0xef || byte === 0xbb || byte === 0xbf;
}
