/**
 * A transcript on a terminal, with a status line below it. Pure: pieces in, bytes to write out.
 *
 * The cursor always rests where the text ends, and the status line is below it. So a resize needs no reckoning: the
 * terminal itself keeps the cursor at the end of the text, wraps the text anew, and everything behind the cursor is the
 * status line, which is erased and drawn again. The text is wrapped by the terminal, so copied text has no line ends of
 * ours. No mode of the terminal is changed for longer than one write: a program that is killed leaves nothing behind
 * but its status line, and the next prompt overwrites that.
 *
 * @module
 */
import { clustersOf, clusterWidth, cutToWidth } from "./columns.ts";
import { layOut, type Piece } from "./piece.ts";
import { dimmed, lineText } from "./style.ts";

/** A terminal's size in characters. */
export interface ScreenSize {
  readonly columns: number;
  readonly rows: number;
}

/** For a terminal that does not say how large it is. */
export const DEFAULT_SIZE: ScreenSize = { columns: 80, rows: 24 };
/** Smaller ones get no status line. */
const MIN_STATUS: ScreenSize = { columns: 16, rows: 3 };
const TAB = 8;

const ERASE_BELOW = "\x1b[J";
const ERASE_LINE = "\x1b[K";
/** One row down in the same column, scrolling where there is none, and up again: then there is a row below. */
const MAKE_ROOM = "\x1bD\x1b[A";
const SAVE = "\x1b7";
const RESTORE = "\x1b8";
/** The terminal shows what lies between at once; those that do not know it ignore it. */
const [BEGIN, END] = ["\x1b[?2026h", "\x1b[?2026l"];

/** Draws one run. */
export class Screen {
  readonly #isColoured: boolean;
  #size: ScreenSize;
  #body = "";
  /** Columns of the text since its last line end, over all rows that it takes. */
  #width = 0;
  /** The last character of a full row: shown with what follows, since a cursor behind it would be nowhere. */
  #held = "";
  #status: string | null = null;

  /** Starts at the start of a row. */
  constructor(size: ScreenSize, { isColoured }: { readonly isColoured: boolean }) {
    this.#size = size;
    this.#isColoured = isColoured;
  }

  /** Takes the next piece; {@linkcode frame} gives what it comes to. */
  add(piece: Piece): void {
    if (piece.kind === "text") return this.#text(piece.text);
    const laid = layOut(piece, Math.max(2, this.#size.columns - 1));
    this.#body += `${lineText(laid, this.#isColoured ? piece.line : null)}\r\n`;
  }

  /** The terminal has another size now. */
  resize(size: ScreenSize): void {
    this.#size = size;
    this.#status = this.#status === null ? null : ""; // wherever it is now, it has to be drawn anew
  }

  /** What to write so that everything so far is shown, with `status` below it; empty when nothing has changed. */
  frame(status: string | null): string {
    const { columns, rows } = this.#size;
    const hasRoom = columns >= MIN_STATUS.columns && rows >= MIN_STATUS.rows;
    const wanted = status === null || !hasRoom ? null : cutToWidth(status, columns - 1);
    const body = this.#body;
    if (body === "" && wanted === this.#status) return "";
    const isRewritten = body === "" && this.#status !== null && this.#status !== "";
    const erased = this.#status === null || (isRewritten && wanted !== null) ? "" : ERASE_BELOW;
    const drawn = wanted === null ? "" : this.#drawn(wanted);
    this.#body = "";
    this.#status = wanted;
    const out = `${erased}${body}${drawn}`;
    return erased === "" ? out : `${BEGIN}${out}${END}`;
  }

  /** The last frame: no status line, and the cursor at the start of a row. */
  close(): string {
    this.#body += this.#held;
    this.#held = "";
    if (this.#width > 0) this.#body += "\r\n";
    this.#width = 0;
    return this.frame(null);
  }

  #drawn(status: string): string {
    const text = `${dimmed(status, this.#isColoured)}${ERASE_LINE}`;
    if (this.#width === 0) return `\r${text}\r`;
    return `${MAKE_ROOM}${SAVE}\r\n${text}${RESTORE}`;
  }

  #text(text: string): void {
    const lines = text.split("\n");
    for (const [index, line] of lines.entries()) {
      if (index > 0) this.#endLine();
      for (const [part, words] of line.split("\t").entries()) {
        if (part > 0) this.#clusters(" ".repeat(TAB - this.#column % TAB));
        this.#clusters(words);
      }
    }
  }

  #clusters(text: string): void {
    for (const cluster of clustersOf(text)) {
      const width = clusterWidth(cluster);
      if (width === 0) {
        if (this.#held === "") this.#body += cluster;
        else this.#held += cluster;
        continue;
      }
      this.#body += this.#held;
      this.#held = "";
      const { columns } = this.#size;
      // A wide character does not fit into the last column: the terminal leaves that empty.
      if (this.#column + width > columns) this.#width += columns - this.#column;
      this.#width += width;
      if (this.#column === 0) this.#held = cluster;
      else this.#body += cluster;
    }
  }

  #endLine(): void {
    this.#body += `${this.#held}\r\n`;
    this.#held = "";
    this.#width = 0;
  }

  /** The column of the next character, from 0. */
  get #column(): number {
    return this.#width % this.#size.columns;
  }
}
