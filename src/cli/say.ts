/**
 * Text for a person or a pipe, written whole and at once.
 *
 * @module
 */
import { encodeUtf8 } from "../base/json.ts";
import { PROGRAM_NAME } from "../base/version.ts";
import { USAGE_EXIT } from "./commands.ts";

/** Writes all of `text`; nobody reading it is no fault. */
export function say(file: { writeSync(bytes: Uint8Array): number }, text: string): void {
  const bytes = encodeUtf8(text);
  try {
    for (let at = 0; at < bytes.length;) at += file.writeSync(bytes.subarray(at));
  } catch {
    // Nobody reads it.
  }
}

/** Says on standard error what is wrong with a command line, and gives the exit code. */
export function sayUsage(command: string, message: string): number {
  say(Deno.stderr, `${message}; see '${PROGRAM_NAME} ${command} --help'\n`);
  return USAGE_EXIT;
}
