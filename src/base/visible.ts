/**
 * Foreign text in messages: what cannot be seen is written as an escape.
 *
 * @module
 */

/**
 * What cannot be seen, or moves what is seen: controls, line and paragraph separators, direction marks and overrides,
 * fillers, invisible operators, tags, annotations.
 */
const HIDDEN = String
  .raw`\u0000-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}`;
/** What joiners stand between: emoji, and letters of scripts that need them. In ASCII they only hide something. */
const JOINED = String.raw`[[\p{L}\p{M}\p{S}]--[\u0000-\u007f${HIDDEN}]]`;
const JOINER = String.raw`[\u200c\u200d]`;
/** All of these, joiners in a wrong place, and lone surrogates. */
const INVISIBLE = new RegExp(
  String.raw`[${HIDDEN}]|(?<!${JOINED})${JOINER}|${JOINER}(?!${JOINED})|\p{Surrogate}`,
  "gv",
);

/**
 * `text` on one line, with everything invisible written as `\xNN`, `\uNNNN` or `\u{NNNNN}`. Text that is visible already stays
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
  const code = unit.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  if (code < 0x100) return `\\x${hex.padStart(2, "0")}`;
  return code < 0x10000 ? `\\u${hex.padStart(4, "0")}` : `\\u{${hex}}`;
}
