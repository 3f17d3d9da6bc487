/**
 * A transcript as plain lines, for pipes, files and terminals that can do nothing. Pure.
 *
 * @module
 */
import { layOut, type Piece } from "./piece.ts";
import { lineText } from "./style.ts";

/** A line about a tool is cut here. */
const MAX_COLUMNS = 300;
/** A line of text that does not end is given out from here on. */
const MAX_OPEN_CHARS = 64 * 1024;

/** Collects whole lines. */
export class PlainPage {
  #body = "";
  #open = "";

  /** Takes the next piece. */
  add(piece: Piece): void {
    if (piece.kind === "line") {
      this.#body += `${lineText(layOut(piece, MAX_COLUMNS), null)}\n`;
      return;
    }
    const text = this.#open + piece.text;
    const end = text.length > MAX_OPEN_CHARS ? text.length : text.lastIndexOf("\n") + 1;
    this.#body += text.slice(0, end);
    this.#open = text.slice(end);
  }

  /** The whole lines since the last call. */
  frame(): string {
    const body = this.#body;
    this.#body = "";
    return body;
  }

  /** What is left, with a line end. */
  close(): string {
    if (this.#open !== "") this.#body += `${this.#open}\n`;
    this.#open = "";
    return this.frame();
  }
}
