/**
 * Text in columns that fit a terminal.
 *
 * @module
 */
import { visibleSentence } from "../base/visible.ts";

/** One column. */
export interface Column {
  /** It is as wide as its longest cell, but not wider than so many characters. Default: all that is left. */
  readonly max?: number;
}

/** Between two columns. */
const GAP = "  ";

/**
 * Rows as lines of at most `width` characters; a cell that is too long goes on in the next line of its own column.
 * Foreign text is made visible.
 */
export function renderRows(
  rows: readonly (readonly string[])[],
  { columns, width }: { readonly columns: readonly Column[]; readonly width: number },
): readonly string[] {
  const widths: number[] = [];
  let left = width;
  for (const [index, { max = left }] of columns.entries()) {
    const longest = Math.max(1, ...rows.map((row) => visibleSentence(row[index] ?? "").length));
    const own = Math.max(1, Math.min(max, longest, left));
    widths.push(own);
    left -= own + GAP.length;
  }
  return rows.flatMap((row) => {
    const cells = widths.map((size, index) => wrapped(row[index] ?? "", size));
    const height = Math.max(...cells.map((lines) => lines.length));
    return Array.from(
      { length: height },
      (_, line) =>
        cells.map((lines, index) => (lines[line] ?? "").padEnd(widths[index]!)).join(GAP).trimEnd(),
    );
  });
}

/** `text` in lines of at most `width` characters, indent included; words that are longer are cut into pieces. */
export function wrapped(text: string, width: number, indent: string = ""): readonly string[] {
  const room = Math.max(1, width - indent.length);
  const lines: string[] = [];
  let line = "";
  for (const word of visibleSentence(text).split(" ")) {
    if (line !== "" && line.length + 1 + word.length <= room) {
      line += ` ${word}`;
      continue;
    }
    if (line !== "") lines.push(line);
    line = word;
    while (line.length > room) {
      const end = endOfPiece(line, room);
      lines.push(line.slice(0, end));
      line = line.slice(end);
    }
  }
  lines.push(line);
  return lines.map((one) => `${indent}${one}`);
}

/** Not between the two halves of a character. */
function endOfPiece(text: string, room: number): number {
  const splits = room > 1 && (text.codePointAt(room - 1) ?? 0) > 0xffff;
  return splits ? room - 1 : room;
}
