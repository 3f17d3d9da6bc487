/**
 * What the model says, as it comes, and what of it no longer counts. Pure.
 *
 * What was shown cannot be taken back, so a correction is a line of its own.
 *
 * @module
 */
import type { MessageUpdate, TextAbandonedUpdate, TextUpdate } from "../../threads/updates.ts";
import { plural } from "./amounts.ts";
import { type Piece, plainLine } from "./piece.ts";
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
    if (shown !== null && shown <= kept.length) return []; // nothing of it was shown
    const what = `withdrawn: ${REASONS[reason]}; ${withdrawn(shown, kept.length)}`;
    return [...this.end(), plainLine("withdrawn", what)];
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

const REASONS: { readonly [reason in TextAbandonedUpdate["reason"]]: string } = {
  broken: "the connection broke",
  refused: "the model's safeguards stopped the message",
};

/** How much of the `shown` characters does not count; `null` when so much was shown that nobody counted. */
function withdrawn(shown: number | null, kept: number): string {
  if (shown === null) return "the end of the text above does not count";
  return kept === 0
    ? `the text above (${plural(shown, "character")}) does not count`
    : `of the text above only the first ${plural(kept, "character")} count`;
}

function said(text: string): Piece {
  return { kind: "text", text };
}
