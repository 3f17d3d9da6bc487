/**
 * Reads the prompt from where it is.
 *
 * @module
 */
import { AdapterError, messageOf } from "../../base/errors.ts";
import { visible } from "../../base/visible.ts";
import type { PromptPlace } from "./run_options.ts";

/** More than any prompt may have, in UTF-8: 131,072 characters. What is larger is not read to its end. */
const MAX_PROMPT_BYTES = 4 * 131_072;

/**
 * The prompt, as it is; line ends at its end are left out of a file and of standard input.
 *
 * Throws `AdapterError` `invalid_arguments`: there is none, it cannot be read, is too large, empty or not UTF-8.
 */
export async function readPrompt(place: PromptPlace): Promise<string> {
  switch (place.kind) {
    case "argument":
      return place.text;
    case "file": {
      const name = `the file '${visible(place.path)}'`;
      let file: Deno.FsFile;
      try {
        file = await Deno.open(place.path);
      } catch (caught) {
        throw refused(`${name} cannot be read: ${visible(messageOf(caught))}`);
      }
      return await readText(file.readable, name);
    }
    case "stdin":
      if (!place.isAsked && Deno.stdin.isTerminal()) {
        throw refused(
          "there is no prompt: give it as an argument, with --file FILE, or on standard input",
        );
      }
      return await readText(Deno.stdin.readable, "standard input");
  }
}

async function readText(stream: ReadableStream<Uint8Array>, name: string): Promise<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let bytes = 0;
  let text = "";
  try {
    for await (const chunk of stream) {
      bytes += chunk.length;
      if (bytes > MAX_PROMPT_BYTES) break;
      text += decoder.decode(chunk, { stream: true });
    }
    text += bytes > MAX_PROMPT_BYTES ? "" : decoder.decode();
  } catch (caught) {
    throw refused(
      caught instanceof TypeError
        ? `the prompt from ${name} is not UTF-8 text`
        : `${name} cannot be read: ${visible(messageOf(caught))}`,
    );
  }
  if (bytes > MAX_PROMPT_BYTES) {
    throw refused(`the prompt from ${name} has more than ${MAX_PROMPT_BYTES} bytes`);
  }
  const prompt = text.replace(/(?:\r?\n)+$/, "");
  if (prompt.trim() === "") throw refused(`there is no prompt: ${name} is empty`);
  return prompt;
}

function refused(message: string): AdapterError {
  return new AdapterError("invalid_arguments", message);
}
