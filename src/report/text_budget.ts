/**
 * How much foreign text a page holds.
 *
 * @module
 */
import {
  MAX_REPORT_EXCERPT_CHARS,
  MAX_REPORT_PAGE_CHARS,
  MAX_REPORT_TEXT_CHARS,
} from "../base/limits.ts";
import { escapedLength } from "./html.ts";
import { copyText } from "./names.ts";
import type { KeptText } from "./report.ts";

/** Gives out the room on one page. */
export class TextBudget {
  #left: number;
  #omitted = 0;

  /** @param room Characters of HTML that texts may fill; excerpts come on top. */
  constructor(room: number = MAX_REPORT_PAGE_CHARS) {
    this.#left = room;
  }

  /** UTF-16 units that were left out so far. */
  get omitted(): number {
    return this.#omitted;
  }

  /**
   * The beginning of `text`: at most `max` units while there is room, else an excerpt. Pairs of surrogates stay whole.
   * What it takes of the room is its length as HTML, since a control character is six.
   */
  keep(text: string, max: number = MAX_REPORT_TEXT_CHARS): KeptText {
    let kept = cut(text, max);
    // Escaped text is never shorter, so what cannot fit is not escaped to find out.
    let length = kept.length > this.#left ? Infinity : escapedLength(kept);
    if (length > this.#left) {
      kept = cut(kept, MAX_REPORT_EXCERPT_CHARS);
      length = escapedLength(kept);
    }
    this.#left = Math.max(0, this.#left - length);
    const omitted = text.length - kept.length;
    this.#omitted += omitted;
    return { text: omitted === 0 ? text : copyText(kept), omitted };
  }
}

function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  const unit = text.charCodeAt(max - 1);
  return text.slice(0, unit >= 0xd800 && unit < 0xdc00 ? max - 1 : max);
}
