/**
 * What the parts of a page share.
 *
 * @module
 */
import { type Html, markup } from "./html.ts";
import { endsInCode, prose } from "./prose.ts";
import type { KeptText } from "./report.ts";
import { sizeText } from "./wording.ts";

/** Texts from so many characters or lines on are folded. */
const FOLD_CHARS = 2_400;
const FOLD_LINES = 40;
/** What is shown of a folded text. */
const LEAD_CHARS = 800;
const LEAD_LINES = 14;

/** Kinds of text: prose wraps like a letter, `pre` is what a machine wrote. */
export type TextKind = "prose" | "pre";

/** A text; a long one shows its beginning, and the rest when it is unfolded. */
export function textBlock(kept: KeptText, kind: TextKind): Html {
  const { text } = kept;
  const cutNote = kept.omitted === 0
    ? null
    : markup`<p class="cut">${sizeText(kept.omitted)} of text more are not on this page.</p>`;
  const end = leadEnd(text);
  if (end === text.length) return markup`${element(text, kind)}${cutNote}`;
  const rest = text.slice(end).replace(/^\n/, "");
  const inCode = kind === "prose" && endsInCode(text.slice(0, end));
  const fold = markup`<details class="more"><summary>Show ${
    sizeText(text.length - end)
  } more</summary>${element(rest, kind, inCode)}${cutNote}</details>`;
  return markup`${element(text.slice(0, end), kind)}${fold}`;
}

function element(text: string, kind: TextKind, inCode: boolean = false): Html {
  if (kind === "prose") return prose(text, inCode);
  // The parser drops a line feed that begins a pre, so one is added.
  return markup`<pre dir="auto">\n${text}</pre>`;
}

/** Where the beginning of a text ends that is too long to show; the text's length when it is not. */
function leadEnd(text: string): number {
  let lines = 1;
  let lead = -1;
  for (let at = text.indexOf("\n"); at !== -1 && lines <= FOLD_LINES; lines++) {
    if (lines === LEAD_LINES) lead = at;
    at = text.indexOf("\n", at + 1);
  }
  if (text.length <= FOLD_CHARS && lines <= FOLD_LINES) return text.length;
  if (lead !== -1 && lead <= LEAD_CHARS) return lead;
  const space = text.lastIndexOf(" ", LEAD_CHARS);
  const end = space > LEAD_CHARS / 2 ? space : LEAD_CHARS;
  const unit = text.charCodeAt(end - 1);
  return unit >= 0xd800 && unit < 0xdc00 ? end - 1 : end;
}

/** Facts as a list; those that are `null` are left out. */
export function factList(facts: readonly (readonly [string, Html | string | null])[]): Html {
  const rows = facts.filter(([, value]) => value !== null).map(([name, value]) =>
    markup`<dt>${name}</dt><dd><bdi>${value}</bdi></dd>`
  );
  return markup`<dl class="facts">${rows}</dl>`;
}
