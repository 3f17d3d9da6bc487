/**
 * Whether Deno was given what running the CLI needs.
 *
 * @module
 */
import { PROGRAM_NAME } from "../base/version.ts";

/** What is wrong with the permissions. */
export interface PermissionFault {
  /** The command cannot work; otherwise runs may fail, and the person is warned. */
  readonly fatal: boolean;
  /** One sentence that names the flags. */
  readonly message: string;
}

/**
 * Checks the permissions without asking for any; `null` when all is well. Without this, a missing one shows only as a
 * run that cannot find its executable.
 *
 * `run` and `env` have to be whole: a supervisor is this very runtime, `ps` and the CLI are programs too, and the CLI
 * gets the whole environment. Reading may be limited, since the executable's place may be all that is needed; Deno
 * does not tell a limited permission from none, so `executable`, or else the places in `PATH`, are asked about.
 *
 * @param doing The command, for the sentence.
 */
export function checkPermissions(
  executable: string | null,
  doing: string = "serve",
): PermissionFault | null {
  const missing = (["run", "env"] as const)
    .filter((name) => !isWhole(Deno.permissions.querySync({ name })))
    .map((name) => `--allow-${name}`);
  const read = Deno.permissions.querySync({ name: "read" });
  const isLimited = !isWhole(read) &&
    (read.state === "granted" || mayReadSome(executable, !missing.includes("--allow-env")));
  if (!isWhole(read) && !isLimited) missing.push("--allow-read");
  if (missing.length > 0) {
    return {
      fatal: true,
      message: `${PROGRAM_NAME} cannot ${doing} without ${
        missing.join(" ")
      }; start it with 'deno run --allow-run --allow-env --allow-read', each without a list`,
    };
  }
  return !isLimited ? null : {
    fatal: false,
    message: "--allow-read is limited: a run fails when its executable cannot be read",
  };
}

function isWhole({ state, partial }: Deno.PermissionStatus): boolean {
  return state === "granted" && !partial;
}

function mayReadSome(executable: string | null, mayReadEnv: boolean): boolean {
  const named = executable ?? (mayReadEnv ? Deno.env.get("CLAUDE_CODE_EXECUTABLE") : undefined);
  const places = named !== undefined
    ? [named]
    : mayReadEnv
    ? (Deno.env.get("PATH") ?? "").split(":")
    : [];
  return places.some((path) =>
    path !== "" && Deno.permissions.querySync({ name: "read", path }).state === "granted"
  );
}
