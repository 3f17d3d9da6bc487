/**
 * Finds members that an object in a JSON text has more than once: a parser keeps one of them without a word, and not
 * every parser the same.
 *
 * @module
 */
import { pointer } from "./pointer.ts";

interface Open {
  /** The names so far; `null` for an array. */
  readonly names: Set<string> | null;
  /** The member or item that is being read. */
  key: string | number;
  /** In an object, whether a string would be a name. */
  atName: boolean;
}

/**
 * The JSON Pointer of each repetition, at most `max`.
 *
 * @param text JSON that a parser took; comments and trailing commas may be in it.
 */
export function repeatedMembers(text: string, max: number): readonly string[] {
  const found: string[] = [];
  // Own stack: a text of 4 MiB can be nested millions deep.
  const open: Open[] = [];
  for (let i = 0; i < text.length && found.length < max; i++) {
    const top = open.at(-1);
    switch (text[i]) {
      case "{":
        open.push({ names: new Set(), key: "", atName: true });
        break;
      case "[":
        open.push({ names: null, key: 0, atName: false });
        break;
      case "}":
      case "]":
        open.pop();
        break;
      case ",":
        if (typeof top?.key === "number") top.key += 1;
        else if (top !== undefined) top.atName = true;
        break;
      case "/":
        i = endOfComment(text, i);
        break;
      case '"': {
        const end = endOfString(text, i);
        if (top?.names && top.atName) {
          const name: string = JSON.parse(text.slice(i, end + 1));
          top.key = name;
          top.atName = false;
          if (top.names.has(name)) found.push(open.map(({ key }) => key).reduce(pointer, ""));
          top.names.add(name);
        }
        i = end;
      }
    }
  }
  return found;
}

function endOfString(text: string, start: number): number {
  let i = start + 1;
  while (i < text.length && text[i] !== '"') i += text[i] === "\\" ? 2 : 1;
  return i;
}

function endOfComment(text: string, start: number): number {
  if (text[start + 1] === "*") {
    const end = text.indexOf("*/", start + 2);
    return end < 0 ? text.length : end + 1;
  }
  let i = start;
  while (i < text.length && text[i] !== "\n" && text[i] !== "\r") i += 1;
  return i;
}
