/**
 * Streamed text of a model, made harmless for a terminal. Pure.
 *
 * @module
 */
import { visibleLines } from "../../base/visible.ts";

/** They join letters and pictures. A piece may end before or behind one, so what they stand between is not looked at. */
const JOINERS = /([\u200c\u200d])/;

/** Text of several lines with every control but line feed and tab as an escape; pictures stay whole. */
export function safeText(text: string): string {
  return text.split(JOINERS).map((part) => JOINERS.test(part) ? part : visibleLines(part)).join("");
}

/** Makes text harmless that comes in pieces: a piece may end inside a character or a line end. */
export class SafeStream {
  #held = "";

  /** What of the text so far can be shown. */
  push(piece: string): string {
    const text = this.#held + piece;
    const isOpen = /[\r\ud800-\udbff]$/.test(text);
    this.#held = isOpen ? text.slice(-1) : "";
    return safeText(isOpen ? text.slice(0, -1) : text);
  }

  /** The text is over: what was held back. */
  end(): string {
    const text = this.#held;
    this.#held = "";
    return safeText(text);
  }
}
