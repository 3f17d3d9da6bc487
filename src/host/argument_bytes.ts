/**
 * Whether the arguments of this program are what was typed.
 *
 * @module
 */
import { askShell } from "./shell_answer.ts";
import { systemPath } from "./system_path.ts";

/** What Deno puts in the place of bytes that are no UTF-8, without a word (measured). */
export const REPLACEMENT = "\ufffd";

/**
 * Whether an argument of this process has bytes that are no UTF-8; to be asked when one has {@linkcode REPLACEMENT} in
 * it, which may have been meant. The system is asked what was typed, through a shell, since Deno wants --allow-all for
 * /proc. Without a /proc or --allow-run the arguments are taken as they are. Never rejects.
 */
export async function hasBrokenArguments(): Promise<boolean> {
  if (Deno.permissions.querySync({ name: "run" }).state !== "granted") return false;
  const { ok, stdout } = await askShell('od -An -v -tx1 "/proc/$PPID/cmdline"', {
    path: systemPath(undefined),
  });
  if (!ok) return false;
  const bytes = Uint8Array.fromHex(stdout.replace(/\s+/g, ""));
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return false;
  } catch {
    return true;
  }
}
