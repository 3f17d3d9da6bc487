/** Changes of a file that its identity does not show, as they happen within one second. */
import { identify } from "../../src/host/file_identity.ts";

/**
 * Calls `write` and then `rewrite` until the identity of `path` is the same after both: the same size, the time of the
 * content put back, and a time of change that is known in whole seconds only. `between` is done after `write`.
 */
export async function withinOneSecond<T>(
  path: string,
  steps: {
    readonly write: () => Promise<void>;
    readonly between: () => Promise<T>;
    /** Of the same size, into the same file. */
    readonly rewrite: () => Promise<void>;
  },
): Promise<T> {
  for (let tries = 0; tries < 50; tries++) {
    await steps.write();
    const { mtime } = await Deno.stat(path);
    const before = await identify(path);
    const value = await steps.between();
    await steps.rewrite();
    await Deno.utime(path, mtime!, mtime!);
    if (JSON.stringify(await identify(path)) === JSON.stringify(before)) return value;
  }
  throw new Error("no two changes came within one second");
}
