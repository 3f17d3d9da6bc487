/**
 * Where the locks of threads are.
 *
 * @module
 */
import { PROGRAM_NAME } from "../base/version.ts";
import { absolutePath, refuse } from "./thread_checks.ts";

/**
 * The CLI's configuration folder, as every name of it leads to it, so that all of them lock the same file; as it was
 * named where it is not there yet.
 *
 * @throws {AdapterError} `invalid_arguments` when there is none that could be used.
 */
export async function configFolder(
  env: { readonly [name: string]: string },
  named?: string,
): Promise<string> {
  const { CLAUDE_CONFIG_DIR, HOME } = env;
  const home = HOME ? `${HOME}/.claude` : undefined;
  const otherwise = "; without it, HOME or CLAUDE_CONFIG_DIR has to be set";
  const given = named === undefined ? CLAUDE_CONFIG_DIR || home : named;
  const path = absolutePath("configDir", given, otherwise);
  try {
    const real = await Deno.realPath(path);
    if ((await Deno.stat(real)).isDirectory) return real;
  } catch (caught) {
    if (caught instanceof Deno.errors.NotFound) return path;
  }
  return refuse("configDir", `'${path.slice(0, 1_024)}' is no folder that can be used`);
}

/** The lock of the thread with this session in a configuration folder. */
export function lockPath(configDir: string, sessionId: string): string {
  return `${configDir}/${PROGRAM_NAME}/threads/${sessionId}.lock`;
}
