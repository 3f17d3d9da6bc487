/**
 * Short questions to the system's shell, for what Deno cannot tell without more permissions.
 *
 * @module
 */

/** An answer that takes longer has failed. */
const ANSWER_MS = 4_000;

/** How the script ended. */
export interface ShellAnswer {
  readonly ok: boolean;
  readonly stdout: string;
}

/**
 * Runs `script` with `args` as `$1` and so on, with nothing but `path` in its environment, in a session of its own.
 * Whatever goes wrong is `ok: false`. Never rejects. Needs --allow-run.
 */
export async function askShell(
  script: string,
  { args = [], path }: { readonly args?: readonly string[]; readonly path: string },
): Promise<ShellAnswer> {
  try {
    const child = new Deno.Command("/bin/sh", {
      args: ["-c", script, "sh", ...args],
      clearEnv: true,
      env: { PATH: path, LC_ALL: "C" },
      cwd: "/",
      detached: true,
      stdin: "null",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    const timer = setTimeout(() => killQuietly(child), ANSWER_MS);
    try {
      const [stdout, { success }] = await Promise.all([
        new Response(child.stdout).text(),
        child.status,
      ]);
      return { ok: success, stdout };
    } finally {
      clearTimeout(timer);
    }
  } catch {
    return { ok: false, stdout: "" };
  }
}

function killQuietly(child: Deno.ChildProcess): void {
  try {
    child.kill("SIGKILL");
  } catch {
    // It has just ended.
  }
}
