/**
 * Permissions that a command does not need are given up before it starts, whatever the program was given. A binary has
 * one set of permissions for all of its roles, and people start programs with `-A`: a server still cannot write a file
 * or open a connection, and a supervisor can run programs and nothing else.
 *
 * @module
 */

/** What no run needs. */
const SPARE = ["write", "net", "ffi"] as const;
/** What a supervisor does not need beyond that. */
const SUPERVISOR_SPARE = [...SPARE, "env", "read"] as const;

/** A permission that can be given up. */
type Spare = (typeof SUPERVISOR_SPARE)[number];

/** What commands keep of {@linkcode SPARE}; every other command keeps nothing of it. */
const KEPT: { readonly [command: string]: readonly Spare[] } = {
  // Their files may be devices (`--events >(jq)`, `--out /dev/stdout`), which Deno opens only for who may do everything.
  run: SPARE,
  report: SPARE,
  verify: ["write", "net"], // a folder of its own, the scripted model, the receipt
  doctor: SPARE, // it says what there is
};

/** Every flag that some command needs: what a binary is given. The program itself gives up what a command does not. */
export const PROGRAM_PERMISSIONS: readonly string[] = [
  "--allow-run",
  "--allow-env",
  "--allow-read",
  "--allow-write",
  "--allow-net=127.0.0.1",
];

/** Gives up what a command does not need. There is no way back within this process. */
export function giveUpSpare(command: string): void {
  giveUp(SPARE.filter((name) => KEPT[command]?.includes(name) !== true));
}

/** Gives up everything but running programs. */
export function giveUpForSupervisor(): void {
  giveUp(SUPERVISOR_SPARE);
}

function giveUp(names: readonly Spare[]): void {
  for (const name of names) Deno.permissions.revokeSync({ name });
}
