/**
 * Where our own helpers (`sh`, `grep`, `ps`, `perl`) are searched.
 *
 * @module
 */

const SYSTEM = ["/usr/bin", "/bin", "/usr/sbin", "/sbin"];

/**
 * The system's folders first, then the absolute entries of the user's PATH, for systems that keep programs elsewhere.
 *
 * A shim called `grep` further up in a PATH must not decide what a look sees, and a relative or empty entry would run a
 * file of the project, before anybody was asked.
 */
export function systemPath(userPath: string | undefined): string {
  const own = (userPath ?? "").split(":").filter((entry) => entry.startsWith("/"));
  return [...new Set([...SYSTEM, ...own])].join(":");
}
