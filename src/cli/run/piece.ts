/**
 * What the transcript of a run is made of, before anybody knows how wide it is. Types, and how a line is laid out. Pure.
 *
 * @module
 */
import { cutToWidth, widthOf } from "./columns.ts";

/** What a line is about; each kind has a mark and a colour. */
export type LineKind =
  | "ok"
  | "failed"
  | "refused"
  | "unfinished"
  | "agent"
  | "retry"
  | "withdrawn"
  | "note"
  | "warning";

/** The answer's own text. It is harmless already and may go on in the next piece. */
export interface TextPiece {
  readonly kind: "text";
  readonly text: string;
}

/** One line of its own. It begins at the start of a row, and nothing of it has a control or a line end. */
export interface LinePiece {
  readonly kind: "line";
  readonly line: LineKind;
  /** How deep inside of sub-agents, from 0. */
  readonly depth: number;
  /** What is always shown, such as a tool's name. */
  readonly head: string;
  /** What is cut when there is no room, such as a command; may be empty. */
  readonly detail: string;
  /** What is always shown behind it, such as an outcome with its time; may be empty. */
  readonly tail: string;
  /** Why; cut first. May be empty. */
  readonly reason: string;
}

/** A piece of a transcript. */
export type Piece = TextPiece | LinePiece;

/** A line with only what is always shown. */
export function plainLine(line: LineKind, head: string): LinePiece {
  return { kind: "line", line, depth: 0, head, detail: "", tail: "", reason: "" };
}

/** The mark at the start of a line; one column each. */
export const MARKS: { readonly [kind in LineKind]: string } = {
  ok: "✓",
  failed: "✗",
  refused: "⊘",
  unfinished: "…",
  agent: "▸",
  retry: "↻",
  withdrawn: "↶",
  note: "·",
  warning: "!",
};

/** The parts of a line, as they fit. */
export interface LaidOutLine {
  readonly indent: string;
  readonly mark: string;
  readonly head: string;
  /** With its brackets. */
  readonly detail: string;
  /** With the space before it, and the reason behind it. */
  readonly tail: string;
}

/** Deeper sub-agents are shown as deep as this. */
const MAX_DEPTH = 8;
/** Columns that a reason takes away from a detail at most. */
const MAX_REASON_SHARE = 0.4;

/** Whether a line is nothing but its head: that is never cut, and may take several rows. */
export function isSentence({ detail, tail, reason }: LinePiece): boolean {
  return detail === "" && tail === "" && reason === "";
}

/** Lays a line out in at most `columns`, unless it is a sentence. What is always shown is cut only where the terminal is narrower than it. */
export function layOut(piece: LinePiece, columns: number): LaidOutLine {
  const mark = MARKS[piece.line];
  const indent = " ".repeat(Math.min(2 * Math.min(piece.depth, MAX_DEPTH), columns >> 2));
  if (isSentence(piece)) return { indent, mark, head: piece.head, detail: "", tail: "" };
  const head = cutToWidth(piece.head, columns - indent.length - 2);
  let room = columns - indent.length - 2 - widthOf(head);
  const tail = piece.tail === "" ? "" : cutToWidth(`  ${piece.tail}`, room);
  room -= widthOf(tail);
  const reasonWidth = piece.reason === "" ? 0 : widthOf(piece.reason) + 2;
  const detailRoom = room - Math.min(reasonWidth, Math.floor(room * MAX_REASON_SHARE));
  // Two brackets and at least a few letters, or it says nothing.
  const inner = detailRoom < 6 ? "" : cutToWidth(piece.detail, detailRoom - 2);
  const detail = inner === "" ? "" : `(${inner})`;
  room -= widthOf(detail);
  const reason = reasonWidth === 0 || room < 8 ? "" : `: ${cutToWidth(piece.reason, room - 2)}`;
  return { indent, mark, head, detail, tail: `${tail}${reason}` };
}
