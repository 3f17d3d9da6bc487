/**
 * How this program starts itself in the supervisor's role.
 *
 * @module
 */
import { SUPERVISE_ROLE } from "./supervisor_role.ts";
import { systemPath } from "./system_path.ts";

/** A program with its arguments and its whole environment. */
export interface SupervisorCommand {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: { readonly [name: string]: string };
}

/**
 * What a Deno needs to start; nothing of a person's environment that a shell or a runtime would act upon
 * (BASH_ENV, shell functions, NODE_OPTIONS, DENO_V8_FLAGS). The native process gets its own, exact environment.
 */
const KEPT = ["HOME", "DENO_DIR", "XDG_CACHE_HOME", "TMPDIR", "LANG", "LC_ALL", "TZ"];

/**
 * The command for this process: the same binary when compiled, else the same Deno with the small entry, which is beside
 * this file. In a bundle that is a part (src/cli/entry.ts is the main one); files are `.js` there, as this one is then.
 */
export function supervisorCommand(env: { readonly [name: string]: string }): SupervisorCommand {
  const kept: { [name: string]: string } = {
    PATH: systemPath(env["PATH"]),
    NO_COLOR: "1",
    DENO_NO_UPDATE_CHECK: "1",
  };
  for (const name of KEPT) if (env[name] !== undefined) kept[name] = env[name];
  const program = Deno.execPath();
  if (Deno.build.standalone) return { program, args: [SUPERVISE_ROLE], env: kept };
  const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
  const entry = new URL(`supervise_entry.${extension}`, import.meta.url).href;
  return {
    program,
    args: [
      "run",
      "--quiet",
      "--no-prompt",
      "--no-config",
      "--no-lock",
      "--no-npm",
      // From a registry the entry comes out of the cache that this program itself was loaded into.
      entry.startsWith("file:") ? "--no-remote" : "--cached-only",
      "--allow-run",
      entry,
    ],
    env: kept,
  };
}
