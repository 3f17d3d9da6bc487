/**
 * Colours of a transcript: the sixteen of every terminal, so that they fit its background. Pure.
 *
 * @module
 */
import type { LaidOutLine, LineKind } from "./piece.ts";

const RESET = "\x1b[0m";
const BOLD = "\x1b[1m";
const DIM = "\x1b[2m";

const COLOURS: { readonly [kind in LineKind]: string } = {
  ok: "\x1b[32m",
  failed: "\x1b[31m",
  refused: "\x1b[33m",
  unfinished: "\x1b[33m",
  agent: "\x1b[36m",
  retry: "\x1b[33m",
  withdrawn: "\x1b[33m",
  note: "\x1b[34m",
  warning: "\x1b[33m",
};

/** A line as text, in colour where that is wanted. */
export function lineText(
  { indent, mark, head, detail, tail }: LaidOutLine,
  colour: LineKind | null,
): string {
  if (colour === null) return `${indent}${mark} ${head}${detail}${tail}`;
  const start = `${indent}${COLOURS[colour]}${mark}${RESET} `;
  if (detail === "" && tail === "") return `${start}${head}`;
  return `${start}${BOLD}${head}${RESET}${detail}${tail === "" ? "" : `${DIM}${tail}${RESET}`}`;
}

/** What is not to stand out. */
export function dimmed(text: string, isColoured: boolean): string {
  return isColoured && text !== "" ? `${DIM}${text}${RESET}` : text;
}
