/**
 * Finds the native executable.
 *
 * @module
 */
import { AdapterError, isMissingPermission } from "../base/errors.ts";
import { fileFault } from "./file_fault.ts";

/** The variable that names the executable. */
export const EXECUTABLE_VARIABLE = "CLAUDE_CODE_EXECUTABLE";
/** The name that is searched on PATH. */
const COMMAND = "claude";

/** Where to look. */
export interface LocateOptions {
  /** The configured path, such as the value of `--executable`. */
  readonly configured?: string;
  /** The adapter's environment. */
  readonly env: { readonly [name: string]: string };
}

/**
 * The configured path, else the variable, else the first `claude` on PATH that can be executed.
 *
 * Throws `AdapterError`: `invalid_configuration` when what was configured is not absolute, or this program
 * may not look for it, `dependency_unavailable` when it is missing or cannot be executed. Nothing configured is ever passed over for
 * something else.
 */
export function locateExecutable({ configured, env }: LocateOptions): string {
  if (configured !== undefined) return checkConfigured(configured, "the configuration");
  const named = env[EXECUTABLE_VARIABLE];
  if (named !== undefined && named !== "") return checkConfigured(named, EXECUTABLE_VARIABLE);
  let unseen: string | null = null;
  for (const folder of (env["PATH"] ?? "").split(":")) {
    // An empty or relative entry means the current folder, which is the work's own: not a place to run from.
    if (!folder.startsWith("/")) continue;
    const path = `${folder.replace(/\/+$/, "")}/${COMMAND}`;
    const problem = fault(path);
    if (problem === null) return path;
    if (problem.isHidden) unseen ??= folder;
  }
  if (unseen !== null) {
    throw new AdapterError(
      "invalid_configuration",
      `There is no '${COMMAND}' in those folders of PATH that this program may read, and '${unseen}' is not among them: allow it with --allow-read, or name the executable`,
    );
  }
  throw new AdapterError(
    "dependency_unavailable",
    `There is no '${COMMAND}' on PATH. Install Claude Code, or name its absolute path with --executable, the ` +
      `option 'executable' of the library, or ${EXECUTABLE_VARIABLE}`,
  );
}

function checkConfigured(path: string, source: string): string {
  if (typeof path !== "string" || !path.startsWith("/") || path.includes("\0")) {
    throw new AdapterError(
      "invalid_configuration",
      `${source} must be an absolute path, but is '${String(path).slice(0, 200)}'`,
    );
  }
  const problem = fault(path);
  if (problem === null) return path;
  throw new AdapterError(
    problem.isHidden ? "invalid_configuration" : "dependency_unavailable",
    `${source} names '${path.slice(0, 1_024)}', which ${problem.words}${
      problem.isHidden ? "" : ". Correct it, or install Claude Code there"
    }`,
  );
}

interface Fault {
  /** A clause about the file. */
  readonly words: string;
  /** This program was not given the permission to look. */
  readonly isHidden: boolean;
}

/** Why `path` cannot be executed, or `null`. The system has the last word when it is started. */
function fault(path: string): Fault | null {
  try {
    const info = Deno.statSync(path);
    if (!info.isFile) return { words: "is not a file", isHidden: false };
    return info.mode !== null && (info.mode & 0o111) === 0
      ? { words: "is not executable", isHidden: false }
      : null;
  } catch (caught) {
    return { words: fileFault(caught), isHidden: isMissingPermission(caught) };
  }
}
