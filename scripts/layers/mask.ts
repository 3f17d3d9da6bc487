/**
 * TypeScript text with everything that is not code blanked out, so that simple patterns can be trusted.
 *
 * @module
 */

/** What a slash after one of these words begins is a regular expression, not a division. */
const BEFORE_REGEX =
  /(?:^|[=(,:[!&|?{};+\-*%<>~^]|\b(?:return|typeof|case|in|of|do|else|void|delete|await|yield))\s*$/;

/**
 * Blanks comments, the insides of strings and templates, and regular expressions.
 *
 * The result has the same length and the same line breaks, and keeps the quotes, so that positions in it
 * are positions in the text. Code inside `${…}` is kept.
 */
export function maskCode(text: string): string {
  const out = text.split(""); // UTF-16 units, as positions are counted in them
  const braces: number[] = []; // for each open `${`, the braces opened since
  let i = 0;

  const blank = (end: number): void => {
    for (; i < end && i < text.length; i++) if (text[i] !== "\n") out[i] = " ";
  };
  const blankTemplate = (): void => {
    while (i < text.length && text[i] !== "`") {
      if (text[i] === "$" && text[i + 1] === "{") {
        braces.push(0);
        i += 2;
        return;
      }
      blank(i + (text[i] === "\\" ? 2 : 1));
    }
    i += 1;
  };

  while (i < text.length) {
    const two = text.slice(i, i + 2);
    const one = text[i] ?? "";
    if (two === "//") blank(endOf(text, "\n", i));
    else if (two === "/*") blank(endOf(text, "*/", i + 2) + 2);
    else if (one === '"' || one === "'") {
      i += 1;
      blank(endOfString(text, i, one));
      i += 1;
    } else if (one === "`") {
      i += 1;
      blankTemplate();
    } else if (one === "/" && BEFORE_REGEX.test(out.slice(Math.max(0, i - 40), i).join(""))) {
      i += 1;
      blank(endOfRegex(text, i));
      i += 1;
    } else {
      const open = braces.length - 1;
      if (one === "{" && open >= 0) braces[open] = (braces[open] ?? 0) + 1;
      i += 1;
      if (one !== "}" || open < 0) continue;
      if (braces[open] === 0) {
        braces.pop();
        blankTemplate();
      } else braces[open] = (braces[open] ?? 0) - 1;
    }
  }
  return out.join("");
}

/** The 1-based line of a position. */
export function lineAt(text: string, position: number): number {
  let line = 1;
  for (let i = text.indexOf("\n"); i !== -1 && i < position; i = text.indexOf("\n", i + 1)) {
    line += 1;
  }
  return line;
}

function endOf(text: string, mark: string, from: number): number {
  const end = text.indexOf(mark, from);
  return end === -1 ? text.length : end;
}

function endOfString(text: string, from: number, quote: string): number {
  let i = from;
  while (i < text.length && text[i] !== quote && text[i] !== "\n") i += text[i] === "\\" ? 2 : 1;
  return i;
}

function endOfRegex(text: string, from: number): number {
  let inClass = false;
  let i = from;
  for (; i < text.length && text[i] !== "\n"; i++) {
    if (text[i] === "\\") i += 1;
    else if (text[i] === "[") inClass = true;
    else if (text[i] === "]") inClass = false;
    else if (text[i] === "/" && !inClass) break;
  }
  return i;
}
