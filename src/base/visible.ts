/**
 * Foreign text in messages: what cannot be seen is written as an escape.
 *
 * @module
 */

/** Controls, line and paragraph separators, direction overrides, the byte order mark, lone surrogates. */
const INVISIBLE =
  // deno-lint-ignore no-control-regex
  /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]|\p{Surrogate}/gu;

/**
 * `text` on one line, with everything invisible written as `\xNN` or `\uNNNN`. Text that is visible already stays
 * as it is, so doing it twice changes nothing.
 *
 * @example
 * ```ts
 * import { visible } from "./visible.ts";
 *
 * console.assert(visible("red \u001b[31m\n") === "red \\x1b[31m\\x0a");
 * ```
 */
export function visible(text: string): string {
  return text.replace(INVISIBLE, escapeUnit);
}

/** As {@linkcode visible}, but every run of white space, line ends included, is one space: for sentences. */
export function visibleSentence(text: string): string {
  return visible(text.replace(/\s+/g, " ").trim());
}

/** As {@linkcode visible}, but line feeds and tabs stay: for text of several lines. */
export function visibleLines(text: string): string {
  return text.replaceAll("\r\n", "\n").replace(
    INVISIBLE,
    (unit) => unit === "\n" || unit === "\t" ? unit : escapeUnit(unit),
  );
}

function escapeUnit(unit: string): string {
  const code = unit.charCodeAt(0);
  return code < 0x100
    ? `\\x${code.toString(16).padStart(2, "0")}`
    : `\\u${code.toString(16).padStart(4, "0")}`;
}
