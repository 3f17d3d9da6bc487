/**
 * Text for a person or a pipe, written whole and at once.
 *
 * @module
 */
import { messageOf } from "../base/errors.ts";
import { encodeUtf8 } from "../base/json.ts";
import { PROGRAM_NAME } from "../base/version.ts";
import { OUTPUT_RETRY_MS } from "../host/stdio.ts";
import { USAGE_EXIT } from "./commands.ts";

/**
 * The exit code when the reader of an answer went away (`… | head -1`): what a shell says of a program that SIGPIPE
 * ended, which is how well-kept tools end then, without a word. Deno ignores SIGPIPE, so the code is ours to give. A
 * standard output that was closed from the start (`>&-`) cannot be told: the runtime puts `/dev/null` there (measured).
 */
export const NO_READER_EXIT = 141;
/** The exit code when an answer cannot be written for another reason, such as a full disk. */
const UNWRITTEN_EXIT = 1;

/** What the help of every command says about them. */
export const OUTPUT_EXITS_HELP = `  ${NO_READER_EXIT}  nobody reads standard output any more
  Standard output that cannot be written otherwise, as on a full disk, is said and gives 1.
`;

/** Something to write to. */
export interface TextFile {
  /** Returns how many bytes it took. */
  writeSync(bytes: Uint8Array): number;
}

/** Writes all of `text`, which is said beside the answer; nobody reading it is no fault. */
export function say(file: TextFile, text: string): void {
  try {
    writeWhole(file, text);
  } catch {
    // Nobody reads it.
  }
}

/**
 * Writes text that a command was called for. Returns the exit code that it leaves: `null` when all of it is written;
 * otherwise the command ends with it, since a verdict that nobody got is no success.
 */
export function answer(command: string, text: string, file: TextFile = Deno.stdout): number | null {
  try {
    writeWhole(file, text);
    return null;
  } catch (caught) {
    return unwritten(command, caught);
  }
}

/** Says why standard output was not written, unless its reader just left, and gives the exit code. */
export function unwritten(command: string, caught: unknown): number {
  if (isReaderGone(caught)) return NO_READER_EXIT;
  const name = command === "" ? PROGRAM_NAME : `${PROGRAM_NAME} ${command}`;
  say(Deno.stderr, `${name}: standard output cannot be written: ${messageOf(caught)}\n`);
  return UNWRITTEN_EXIT;
}

/** Says on standard error what is wrong with a command line, and gives the exit code. */
export function sayUsage(command: string, message: string): number {
  say(Deno.stderr, `${message}; see '${PROGRAM_NAME} ${command} --help'\n`);
  return USAGE_EXIT;
}

/** A pipe's reader has closed it, or a socket's other end is gone. */
function isReaderGone(caught: unknown): boolean {
  return caught instanceof Deno.errors.BrokenPipe || caught instanceof Deno.errors.ConnectionReset;
}

function writeWhole(file: TextFile, text: string): void {
  const bytes = encodeUtf8(text);
  for (let at = 0; at < bytes.length;) {
    try {
      at += file.writeSync(bytes.subarray(at));
    } catch (caught) {
      // Whoever made this pipe has made it one that does not wait (measured: EAGAIN); so it is waited here.
      if (!(caught instanceof Deno.errors.WouldBlock)) throw caught;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, OUTPUT_RETRY_MS);
    }
  }
}
