/**
 * HTML that foreign text cannot get out of.
 *
 * @module
 */
import { visibleLines } from "../base/visible.ts";

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
  return visibleLines(text).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "");
}

/** The length of {@linkcode escapeHtml}'s answer. */
export function escapedLength(text: string): number {
  return escapeHtml(text).length;
}
