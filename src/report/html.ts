/**
 * HTML that foreign text cannot get out of.
 *
 * @module
 */

/** HTML that was written by this program. */
export class Html {
  /** The markup. */
  readonly text: string;

  /** Only {@linkcode markup} and {@linkcode raw} make one. */
  constructor(text: string) {
    this.text = text;
  }
}

/** What may stand in a template: HTML as it is, anything else escaped. `null` is nothing. */
export type Part = Html | string | number | null | readonly Html[];

/**
 * A template of HTML. Text is escaped for content and for quoted attributes alike, so there is one rule and no wrong
 * choice.
 *
 * @example
 * ```ts
 * import { markup } from "./html.ts";
 *
 * console.assert(markup`<b>${"<script>"}</b>`.text === "<b>&lt;script&gt;</b>");
 * ```
 */
export function markup(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  let text = strings[0] ?? "";
  for (const [i, part] of parts.entries()) text += written(part) + (strings[i + 1] ?? "");
  return new Html(text);
}

/** Markup of this program's own. */
export function raw(text: string): Html {
  return new Html(text);
}

function written(part: Part): string {
  if (part === null) return "";
  if (part instanceof Html) return part.text;
  if (typeof part === "number") return String(part);
  if (typeof part === "string") return escapeHtml(part);
  return part.map(({ text }) => text).join("");
}

/**
 * What cannot be seen, or moves what is seen: controls, direction marks and overrides, fillers, tags, annotations,
 * lone surrogates. Joiners stay between two characters beyond ASCII, where emoji and several scripts need them.
 */
const UNSEEN =
  // deno-lint-ignore no-control-regex
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]|(?<![^\u0000-\u007f\u200c\u200d])[\u200c\u200d]|[\u200c\u200d](?![^\u0000-\u007f\u200c\u200d])|\p{Surrogate}/gu;

const ENTITIES: { readonly [character: string]: string } = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/**
 * Foreign text as HTML, with everything unseen written as an escape such as `\x1b` or `\u202e`. Tabs and line feeds
 * stay.
 */
export function escapeHtml(text: string): string {
  return text.replaceAll("\r\n", "\n").replace(UNSEEN, escapeUnit)
    .replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "");
}

/** The length of {@linkcode escapeHtml}'s answer. */
export function escapedLength(text: string): number {
  return escapeHtml(text).length;
}

function escapeUnit(unit: string): string {
  const code = unit.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  if (code < 0x100) return `\\x${hex.padStart(2, "0")}`;
  return code < 0x10000 ? `\\u${hex.padStart(4, "0")}` : `\\u{${hex}}`;
}
