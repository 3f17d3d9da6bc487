/**
 * A small terminal: what is on the screen and above it after a program has written its bytes.
 *
 * It knows what `run` writes and little more, and throws at anything else, so that an escape of a model that gets through
 * is found. Rows that go on in the next one are known, so a resize wraps them anew, as most terminals do.
 *
 * @module
 */
import { clustersOf, clusterWidth } from "../../src/cli/run/columns.ts";

/** One place on the screen; the second one of a wide character is empty. */
export interface Cell {
  readonly text: string;
  /** Attributes in force, such as `2` or `1;32`; empty for none. */
  readonly style: string;
}

interface Row {
  cells: Cell[];
  /** The text goes on in the next row. */
  wraps: boolean;
}

const BLANK: Cell = { text: " ", style: "" };
/** What a program may write besides text: controls of one byte, and escape sequences. */
// deno-lint-ignore no-control-regex
const TOKEN = /\r|\n|\x1b\[(\??[0-9;]*)([A-Za-z])|\x1b([78D])|[^\x00-\x1f\x7f-\x9f]+/y;

/** The terminal. */
export class VirtualTerminal {
  /** Everything, from the oldest row that scrolled off to the lowest one. */
  rows: Row[] = [];
  columns: number;
  height: number;
  #row = 0;
  #column = 0;
  /** The cursor stands behind the last column. */
  #pending = false;
  #style = "";
  #saved = { row: 0, column: 0, style: "" };

  /** An empty screen. */
  constructor(columns: number, height: number) {
    this.columns = columns;
    this.height = height;
    this.rows = [newRow()];
  }

  /** Takes what a program wrote: whole sequences. Throws at a byte that it does not know. */
  write(bytes: string): void {
    TOKEN.lastIndex = 0;
    while (TOKEN.lastIndex < bytes.length) {
      const at = TOKEN.lastIndex;
      const match = TOKEN.exec(bytes);
      if (match === null) {
        throw new Error(`cannot show ${JSON.stringify(bytes.slice(at, at + 20))}`);
      }
      const [all, numbers = "", final, single] = match;
      if (all === "\r") this.#move(this.#row, 0);
      else if (all === "\n") this.#lineFeed();
      else if (final !== undefined) this.#sequence(numbers, final);
      else if (single !== undefined) this.#single(single);
      else this.#print(all);
    }
  }

  /** Another size; rows are wrapped anew and the cursor stays in its text. */
  resize(columns: number, height: number): void {
    const old = this.rows;
    const cursor = { row: this.#row, column: this.#column };
    this.rows = [];
    this.columns = columns;
    this.height = height;
    for (let at = 0; at < old.length;) {
      const line: Cell[] = [];
      let here: number | null = null;
      for (let more = true; more; at++) {
        const { cells, wraps } = old[at]!;
        if (at === cursor.row) here = line.length + cursor.column;
        line.push(...cells);
        more = wraps && at + 1 < old.length;
      }
      const first = this.rows.length;
      for (let from = 0; from === 0 || from < line.length; from += columns) {
        this.rows.push({
          cells: line.slice(from, from + columns),
          wraps: from + columns < line.length,
        });
      }
      if (here === null) continue;
      this.#row = first + Math.floor(here / columns);
      this.#column = here % columns;
      if (this.#row < this.rows.length) continue;
      this.rows.at(-1)!.wraps = true; // behind a full row: the text goes on in the next one
      this.rows.push(newRow());
    }
    this.#pending = false;
  }

  /** Every line as text, rows that go on joined, spaces at the ends left out. */
  lines(): string[] {
    const lines: string[] = [];
    let line = "";
    for (const { cells, wraps } of this.rows) {
      const text = cells.map((cell) => cell.text).join("");
      line += wraps ? text : text.trimEnd();
      if (wraps) continue;
      lines.push(line.trimEnd());
      line = "";
    }
    return lines;
  }

  /** What is on the screen, row by row, spaces at the ends left out. */
  screen(): string[] {
    return this.cells().map((row) => row.map((cell) => cell.text).join("").trimEnd());
  }

  /** The cells on the screen. */
  cells(): readonly (readonly Cell[])[] {
    return this.rows.slice(-this.height).map(({ cells }) => cells);
  }

  /** Where the cursor is: the row counted from the oldest one. */
  get cursor(): { readonly row: number; readonly column: number } {
    return { row: this.#row, column: this.#column };
  }

  get #top(): number {
    return Math.max(0, this.rows.length - this.height);
  }

  #move(row: number, column: number): void {
    this.#row = Math.max(this.#top, row);
    this.#column = Math.min(this.columns - 1, Math.max(0, column));
    this.#pending = false;
  }

  #lineFeed(): void {
    this.#row += 1;
    if (this.#row === this.rows.length) this.rows.push(newRow());
    this.#pending = false;
  }

  #single(final: string): void {
    if (final === "D") return this.#lineFeed();
    if (final === "7") {
      // A real terminal remembers the place on the screen, not in the text.
      const row = this.#row - this.#top;
      this.#saved = { row, column: this.#column, style: this.#style };
      return;
    }
    this.#move(this.#top + this.#saved.row, this.#saved.column);
    this.#style = this.#saved.style;
  }

  #sequence(numbers: string, final: string): void {
    if (numbers === "?2026" && (final === "h" || final === "l")) return;
    if (final === "m") {
      this.#style = numbers === "0"
        ? ""
        : this.#style === ""
        ? numbers
        : `${this.#style};${numbers}`;
    } else if (final === "A" && numbers === "") this.#move(this.#row - 1, this.#column);
    else if (final === "K" && numbers === "") this.#erase(this.#row);
    else if (final === "J" && numbers === "") {
      this.#erase(this.#row);
      for (let row = this.#row + 1; row < this.rows.length; row++) this.rows[row] = newRow();
    } else throw new Error(`cannot do ${JSON.stringify(`ESC [ ${numbers} ${final}`)}`);
  }

  #erase(row: number): void {
    const erased = this.rows[row]!;
    erased.cells = erased.cells.slice(0, this.#column);
    erased.wraps = false;
  }

  #print(text: string): void {
    for (const cluster of clustersOf(text)) {
      const width = Math.min(clusterWidth(cluster), this.columns);
      if (width === 0) {
        this.#combine(cluster);
        continue;
      }
      if (this.#pending || this.#column + width > this.columns) {
        this.rows[this.#row]!.wraps = true;
        this.#lineFeed();
        this.#column = 0;
      }
      const { cells } = this.rows[this.#row]!;
      while (cells.length < this.#column) cells.push(BLANK);
      for (let i = 0; i < width; i++) {
        cells[this.#column + i] = { text: i === 0 ? cluster : "", style: this.#style };
      }
      this.#column += width;
      this.#pending = this.#column >= this.columns;
      if (this.#pending) this.#column = this.columns - 1;
    }
  }

  #combine(mark: string): void {
    const { cells } = this.rows[this.#row]!;
    let at = this.#pending ? this.#column : this.#column - 1;
    while (at > 0 && cells[at]?.text === "") at -= 1;
    const before = cells[at];
    if (before !== undefined) cells[at] = { ...before, text: before.text + mark };
  }
}

function newRow(): Row {
  return { cells: [], wraps: false };
}
