/**
 * Which file a path leads to, and what is in it.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { stat } from "node:fs/promises";
import { AdapterError } from "../base/errors.ts";
import type { FileIdentity } from "../contract/verification.ts";

const CHUNK_BYTES = 1024 * 1024;

/**
 * The file that `path` leads to.
 *
 * Throws `AdapterError` `dependency_unavailable` when there is none, or it is no file.
 */
export async function identify(path: string): Promise<FileIdentity> {
  return await reading(path, async () => {
    const real = await Deno.realPath(path);
    // Deno's own stat gives the time of change in whole seconds (measured), in which a file can be exchanged.
    const info = await stat(real, { bigint: true });
    if (!info.isFile()) throw new Error("it is not a file");
    return {
      path: real,
      size: Number(info.size),
      mtime_ms: milliseconds(info.mtimeNs),
      ctime_ms: milliseconds(info.ctimeNs),
      inode: Number(info.ino),
      device: Number(info.dev),
    };
  });
}

/** With a fraction, as fine as a number can be: about a quarter of a microsecond. */
function milliseconds(nanoseconds: bigint): number {
  return Number(nanoseconds) / 1e6;
}

/** Whether two identities are of the same, unchanged file. */
export function isSameFile(one: FileIdentity, other: FileIdentity): boolean {
  return one.path === other.path && one.size === other.size && one.mtime_ms === other.mtime_ms &&
    one.ctime_ms === other.ctime_ms && one.inode === other.inode && one.device === other.device;
}

/**
 * The SHA-256 of a file's content in lower-case hexadecimal, in constant memory (measured: 0.7 s for the 400 MB of
 * the CLI).
 *
 * Throws `AdapterError` `dependency_unavailable` when it cannot be read.
 */
export async function sha256File(path: string): Promise<string> {
  return await reading(path, async () => {
    using file = await Deno.open(path);
    const hash = createHash("sha256");
    const chunk = new Uint8Array(CHUNK_BYTES);
    for (;;) {
      const count = await file.read(chunk);
      if (count === null) return hash.digest("hex");
      hash.update(chunk.subarray(0, count));
    }
  });
}

async function reading<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (caught) {
    const detail = caught instanceof Error ? caught.message : String(caught);
    throw new AdapterError("dependency_unavailable", `Cannot read '${path}': ${detail}`);
  }
}
