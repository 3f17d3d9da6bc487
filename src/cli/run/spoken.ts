/**
 * What the model says, as it comes, and what of it no longer counts. Pure.
 *
 * What was shown cannot be taken back, so a correction is a line of its own.
 *
 * @module
 */
import type { MessageUpdate, TextAbandonedUpdate, TextUpdate } from "../../threads/updates.ts";
import { plural } from "./amounts.ts";
import { type LinePiece, type Piece, plainLine } from "./piece.ts";
import { SafeStream } from "./safe_text.ts";

/** A message is compared with what was shown of it up to this length. */
const MAX_COMPARED_CHARS = 1024 * 1024;

/** Follows the messages of the main conversation. */
export class Spoken {
  readonly #safe = new SafeStream();
  #message: string | null = null;
  /** What was shown of the message; `null` when that is too long to be remembered. */
  #shown: string | null = "";
  #anything = false;

  /** Whether a piece of this message would begin a message. */
  isNew(messageId: string): boolean {
    return messageId !== this.#message;
  }

  /** Whether anything was ever said. */
  get anything(): boolean {
    return this.#anything;
  }

  /** A piece of text. */
  text({ messageId, delta }: TextUpdate): readonly Piece[] {
    const before = this.#goTo(messageId);
    this.#anything = true;
    this.#shown = this.#shown === null || this.#shown.length + delta.length > MAX_COMPARED_CHARS
      ? null
      : this.#shown + delta;
    return [...before, said(this.#safe.push(delta))];
  }

  /** The whole text of a message: what was not shown yet of it. */
  whole({ messageId, text }: MessageUpdate): readonly Piece[] {
    if (messageId !== this.#message) return []; // shown long ago, or its blocks come as text
    const shown = this.#shown;
    if (shown === null || shown === text) return [];
    this.#shown = text;
    if (text.startsWith(shown)) return [said(this.#safe.push(text.slice(shown.length)))];
    return [
      ...this.end(),
      plainLine("withdrawn", "the text above came incomplete; it says:"),
      said(this.#safe.push(text)),
    ];
  }

  /** Text that was shown does not count. */
  abandoned({ messageId, kept, reason }: TextAbandonedUpdate): readonly Piece[] {
    if (messageId !== this.#message) return [];
    const shown = this.#shown?.length ?? null;
    this.#shown = kept;
    return [...this.end(), withdrawal({ shown, kept: kept.length, reason })];
  }

  /** Something else is shown now: what was held back of the text. */
  end(): readonly Piece[] {
    const rest = this.#safe.end();
    return rest === "" ? [] : [said(rest)];
  }

  #goTo(messageId: string): readonly Piece[] {
    if (messageId === this.#message) return [];
    const rest = this.end();
    this.#message = messageId;
    this.#shown = "";
    return rest;
  }
}

interface Withdrawn {
  readonly shown: number | null;
  readonly kept: number;
  readonly reason: TextAbandonedUpdate["reason"];
}

function withdrawal({ shown, kept, reason }: Withdrawn): LinePiece {
  const why = reason === "broken"
    ? "the connection broke"
    : "the model's safeguards stopped the message";
  const lost = shown === null
    ? "the end of the text above"
    : shown <= kept
    ? "nothing of the text above"
    : kept === 0
    ? `the text above (${plural(shown, "character")})`
    : `the last ${plural(shown - kept, "character")} of the text above`;
  const verb = shown !== null && shown <= kept ? "is lost" : "does not count";
  return plainLine(
    "withdrawn",
    `withdrawn: ${why}; ${lost} ${/characters of/.test(lost) ? "do not count" : verb}`,
  );
}

function said(text: string): Piece {
  return { kind: "text", text };
}
