/**
 * Bytes to lines, with a bound for each line: the job and command lines, and the receipts.
 *
 * @module
 */

const NEWLINE = 0x0a;

/** A line, or one that passed the bound and was dropped. */
export type SplitLine =
  | { readonly kind: "line"; readonly text: string }
  | { readonly kind: "overlong"; readonly bytes: number };

/** Cuts a byte stream at its newlines. */
export interface LineSplitter {
  /** The lines that these bytes complete. */
  push(bytes: Uint8Array): readonly SplitLine[];
  /** What is left without a newline at the end of the stream. */
  finish(): readonly SplitLine[];
}

/** Makes a splitter for lines of at most `maxBytes`, counted without the newline. Linear in its input. */
export function createLineSplitter(maxBytes: number): LineSplitter {
  let parts: Uint8Array[] = [];
  let bytes = 0;

  const take = (part: Uint8Array) => {
    bytes += part.length;
    if (bytes > maxBytes) parts = [];
    else if (part.length > 0) parts.push(part.slice());
  };
  const complete = (): SplitLine => {
    const line: SplitLine = bytes > maxBytes
      ? { kind: "overlong", bytes }
      : { kind: "line", text: new TextDecoder().decode(join(parts, bytes)) };
    parts = [];
    bytes = 0;
    return line;
  };

  return {
    push(chunk) {
      const lines: SplitLine[] = [];
      let from = 0;
      for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
        take(chunk.subarray(from, at));
        lines.push(complete());
        from = at + 1;
      }
      take(chunk.subarray(from));
      return lines;
    },
    finish() {
      return bytes === 0 ? [] : [complete()];
    },
  };
}

function join(parts: readonly Uint8Array[], bytes: number): Uint8Array {
  if (parts.length === 1) return parts[0]!;
  const whole = new Uint8Array(bytes);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
