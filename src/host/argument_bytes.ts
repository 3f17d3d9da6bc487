/**
 * Whether the arguments of this program are what was typed.
 *
 * @module
 */
import { askShell } from "./shell_answer.ts";
import { systemPath } from "./system_path.ts";

const REPLACEMENT = "\ufffd";

/**
 * Whether an argument had bytes that are no UTF-8. Deno puts U+FFFD in their place without a word (measured), so only
 * arguments with U+FFFD in them are suspect, and for those the system is asked what was typed, through a shell since Deno
 * wants --allow-all for /proc. Where there is no /proc they are taken as they are. Never rejects. Needs --allow-run.
 */
export async function hasBrokenArguments(args: readonly string[]): Promise<boolean> {
  if (!args.some((arg) => arg.includes(REPLACEMENT))) return false;
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
