/** docs/PERFORMANCE.md: what is between its two marks is written by the bench, the rest by people. */

import { programFile } from "./programs.ts";

/** The document. */
export const DOCUMENT: string = programFile("../../docs/PERFORMANCE.md");

const BEGIN = "<!-- Written by deno task bench: begin -->";
const END = "<!-- Written by deno task bench: end -->";

/**
 * The text with another generated part.
 *
 * @throws {Error} When the marks are not there, once each and in order.
 */
export function withGenerated(text: string, generated: string): string {
  const [before, rest, ...more] = text.split(BEGIN);
  const [, after, ...others] = rest?.split(END) ?? [];
  if (before === undefined || after === undefined || more.length + others.length > 0) {
    throw new Error(`The document must have '${BEGIN}' and then '${END}', each once`);
  }
  return `${before}${BEGIN}\n\n${generated}\n\n${END}${after}`;
}

/** Writes the generated part, formatted as everything is. */
export async function writeDocument(generated: string): Promise<void> {
  const text = withGenerated(await Deno.readTextFile(DOCUMENT), generated);
  await Deno.writeTextFile(DOCUMENT, text);
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["fmt", "--quiet", DOCUMENT],
    cwd: programFile("../.."),
    stdin: "null",
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
}
