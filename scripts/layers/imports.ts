/**
 * What a TypeScript file imports.
 *
 * @module
 */
import { lineAt } from "./mask.ts";

/** One import, re-export or dynamic import. */
export interface Import {
  /** As written, such as `../base/json.ts` or `node:fs`. */
  readonly specifier: string;
  /** Only types are imported, so nothing is left of it at run time. */
  readonly typeOnly: boolean;
  /** The 1-based line of the specifier. */
  readonly line: number;
}

const FROM = /\b(?:import|export)\b([^;"'`=]*?)\bfrom\s*["']/g;
const BARE = /\bimport\s*\(?\s*["']/g;

/** The imports of a file, in order, from its text and the same text masked. */
export function findImports(text: string, code: string): Import[] {
  const found: (Import & { readonly at: number })[] = [];
  const add = (match: RegExpExecArray, clause: string): void => {
    const at = match.index + match[0].length;
    const specifier = text.slice(at, code.slice(at).search(/["']/) + at);
    found.push({ specifier, typeOnly: isTypeOnly(clause), line: lineAt(text, at), at });
  };
  for (const match of code.matchAll(FROM)) add(match, match[1] ?? "");
  for (const match of code.matchAll(BARE)) add(match, "");
  return found.sort((a, b) => a.at - b.at).map(({ specifier, typeOnly, line }) => ({
    specifier,
    typeOnly,
    line,
  }));
}

function isTypeOnly(clause: string): boolean {
  const words = clause.trim();
  if (/^type\b/.test(words)) return true;
  const names = /^\{([^}]*)\}$/.exec(words)?.[1]?.split(",").map((name) => name.trim());
  return names?.filter((name) => name !== "").every((name) => name.startsWith("type ")) ?? false;
}
