/**
 * Who this program runs as.
 *
 * @module
 */
import { systemPath } from "./system_path.ts";

let known: Promise<number | null> | null = null;

/**
 * The user id of this process, or `null` when it cannot be told. Asked of `id`, once: Deno wants --allow-sys for its
 * own answer and --allow-all for /proc (measured), and neither is needed for anything else.
 */
export function ownUid(): Promise<number | null> {
  known ??= askId();
  return known;
}

async function askId(): Promise<number | null> {
  try {
    if (Deno.permissions.querySync({ name: "sys", kind: "uid" }).state === "granted") {
      return Deno.uid();
    }
    const { success, stdout } = await new Deno.Command("id", {
      args: ["-u"],
      clearEnv: true,
      env: { PATH: systemPath(undefined) },
      stdin: "null",
      stderr: "null",
    }).output();
    const text = new TextDecoder().decode(stdout).trim();
    return success && /^\d+$/.test(text) ? Number(text) : null;
  } catch {
    return null;
  }
}
