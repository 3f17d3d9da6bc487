/**
 * Why a file cannot be used, in words.
 *
 * @module
 */
import { messageOf } from "../base/errors.ts";

/** What the system or Deno threw, and what it says about the file. The first that fits decides. */
const FAULTS: readonly (readonly [new (message?: string) => Error, string])[] = [
  [Deno.errors.NotFound, "does not exist"],
  [Deno.errors.NotCapable, "may not be read: allow it with --allow-read"],
  [Deno.errors.PermissionDenied, "may not be read by this user"],
  [Deno.errors.FilesystemLoop, "is a symbolic link in a circle of links"],
  [Deno.errors.NotADirectory, "is below something that is not a folder"],
];

/** Why a look at a file failed: a clause about the file, such as `does not exist`. */
export function fileFault(caught: unknown): string {
  const known = FAULTS.find(([kind]) => caught instanceof kind);
  return known?.[1] ?? `cannot be read: ${systemWords(caught)}`;
}

/** The system's own words, without its number for them and without the path, which Deno puts behind it. */
export function systemWords(caught: unknown): string {
  return messageOf(caught).replace(/ \(os error \d+\).*$/s, "");
}
