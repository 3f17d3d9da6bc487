/**
 * The model's words: of its Markdown only what makes code readable, fences and backticks. Everything else stays as it was
 * written, so that nothing can pretend to be part of the page, and no link can be followed by mistake.
 *
 * @module
 */
import { type Html, markup } from "./html.ts";

/** Beyond so many pieces of code the rest of a text stays as it is: each is an element of the page. */
const MAX_BLOCKS = 60;
const MAX_INLINE = 200;

const FENCE = /^ {0,3}(?:```|~~~)[^`\n]*$/;

/** Whether a text ends inside of fenced code. */
export function endsInCode(text: string): boolean {
  return text.split("\n").filter((line) => FENCE.test(line)).length % 2 === 1;
}

/** A text as paragraphs and code, lines of fences left out. @param isCode It begins inside of fenced code. */
export function prose(text: string, isCode: boolean = false): Html {
  const parts: Html[] = [];
  let lines: string[] = [];
  let code = isCode;
  let inline = MAX_INLINE;
  const flush = () => {
    const part = lines.join("\n");
    lines = [];
    if (part.trim() === "") return;
    // The parser drops a line feed that begins a pre, so one is added.
    if (code) parts.push(markup`<pre dir="auto">\n${part}</pre>`);
    else {
      const { words, used } = inlineCode(part.replace(/^\n+|\n+$/g, ""), inline);
      inline -= used;
      parts.push(markup`<div class="prose" dir="auto">${words}</div>`);
    }
  };
  for (const line of text.split("\n")) {
    if (parts.length < MAX_BLOCKS && FENCE.test(line)) {
      flush();
      code = !code;
    } else lines.push(line);
  }
  flush();
  return markup`${parts}`;
}

function inlineCode(text: string, most: number): { words: readonly Html[]; used: number } {
  const words: Html[] = [];
  let at = 0;
  let used = 0;
  for (const match of text.matchAll(/(?<!`)`([^`\n]+)`(?!`)/g)) {
    if (used >= most) break;
    used += 1;
    words.push(markup`${text.slice(at, match.index)}<code>${match[1] ?? ""}</code>`);
    at = match.index + match[0].length;
  }
  words.push(markup`${text.slice(at)}`);
  return { words, used };
}
