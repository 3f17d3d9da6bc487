/**
 * Where this program keeps what has to outlive it.
 *
 * @module
 */
import { PROGRAM_NAME } from "../base/version.ts";

/**
 * The folder of this program's state, which need not exist: `$XDG_STATE_HOME/claude-code-adapter`, else
 * `~/.local/state/claude-code-adapter`, on macOS `~/Library/Application Support/claude-code-adapter`.
 *
 * `null` when there is no home, or it is not absolute. A relative `XDG_STATE_HOME` is ignored, as its
 * specification demands.
 *
 * @param os `Deno.build.os`.
 */
export function stateFolder(
  env: { readonly [name: string]: string },
  os: string,
): string | null {
  const named = env["XDG_STATE_HOME"] ?? "";
  if (isAbsolute(named)) return `${trimmed(named)}/${PROGRAM_NAME}`;
  const home = env["HOME"] ?? "";
  if (!isAbsolute(home)) return null;
  const below = os === "darwin" ? "Library/Application Support" : ".local/state";
  return `${trimmed(home)}/${below}/${PROGRAM_NAME}`;
}

function isAbsolute(path: string): boolean {
  return path.startsWith("/") && !path.includes("\0");
}

function trimmed(path: string): string {
  return path.replace(/\/+$/, "");
}
