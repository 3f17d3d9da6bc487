/**
 * Reads a file that somebody named.
 *
 * @module
 */
import { fileFault } from "./file_fault.ts";

/** The content, or why there is none: a clause such as `it does not exist`. */
export type BoundedFile =
  | { readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly problem: string };

/** Reads a regular file of at most `maxBytes`, and never more than one byte past that. Never rejects. */
export async function readBoundedFile(path: string, maxBytes: number): Promise<BoundedFile> {
  try {
    // Before it is opened: opening a pipe waits for somebody to write.
    const info = await Deno.stat(path);
    if (!info.isFile) return { problem: "it is no regular file" };
    if (info.size > maxBytes) return tooLarge(maxBytes);
    using file = await Deno.open(path);
    const bytes = new Uint8Array(Math.min(maxBytes, info.size) + 1);
    let used = 0;
    for (;;) {
      const count = await file.read(bytes.subarray(used));
      if (count === null || count === 0) break;
      used += count;
    }
    if (used > maxBytes) return tooLarge(maxBytes);
    return used > info.size
      ? { problem: "it grew while it was read" }
      : { bytes: bytes.slice(0, used) };
  } catch (caught) {
    return { problem: `it ${fileFault(caught)}` };
  }
}

function tooLarge(maxBytes: number): BoundedFile {
  return { problem: `it is larger than ${maxBytes} bytes` };
}
