/**
 * Keeps what a user says from being acted upon before the model has seen it.
 *
 * Measured: the CLI looks at the last block of text of a message. When it begins with `/` and the name of a command of
 * its own, that command runs and nobody is asked (`/cost`, `/clear`, `/compact`); after a line feed it is text. When a
 * word of it begins with `@` and names a file, the file goes to the model, from outside of the directory too, under
 * `dontAsk` and with `disallowedTools: ["Read"]`; only a rule such as `Read(//**)` stops it. A name that goes on in
 * another block is none. So the text stays as it is: an invisible character in it would come back in what the model
 * writes, as in `@types/node`.
 *
 * @module
 */
import type { JsonObject } from "../base/json.ts";

/** What the CLI may do with a message by itself. */
export interface PlainTextOptions {
  /**
   * Let the CLI read a message as its own prompt: one that begins with `/` runs its command, such as `/compact`, and the
   * files that it names with `@` are put in, whatever the rules for tools say. Not for messages of strangers.
   *
   * @default {false}
   */
  readonly nativeSyntax?: boolean;
}

/** The blocks of a message, with the last block of text so that the CLI takes nothing in it for its own. */
export function asPlainText(
  blocks: readonly JsonObject[],
  { nativeSyntax = false }: PlainTextOptions,
): readonly JsonObject[] {
  const at = nativeSyntax ? -1 : blocks.findLastIndex(({ type }) => type === "text");
  const said = blocks[at]?.text;
  if (typeof said !== "string") return blocks;
  const text = said.startsWith("/") ? `\n${said}` : said;
  const end = nameOfLastMention(text);
  const parts = [text.slice(0, end), text.slice(end)].filter((part) => part !== "");
  return blocks.toSpliced(at, 1, ...parts.map((part) => ({ type: "text", text: part })));
}

/**
 * Where the name of the last mention begins, or 0. An address such as `ann@example.com` is no mention. Slashes stay with
 * the `@`: at the beginning of the last block they would be looked at as a command.
 */
function nameOfLastMention(text: string): number {
  for (let at = text.length; at > 0;) {
    at = text.lastIndexOf("@", at - 1);
    if (at === -1) return 0;
    if (/\w/.test(text.charAt(at - 1))) continue;
    let name = at + 1;
    while (text[name] === "/") name += 1;
    if (/\S/.test(text.charAt(name))) return name;
  }
  return 0;
}
