/**
 * How a host would start this very program.
 *
 * @module
 */
import { PROGRAM_NAME } from "../base/version.ts";
import type { HostCommand } from "./help.ts";

/**
 * Keeps the heap small while much streams through: the bench `memory` shows the difference. The runtime only takes it
 * on the command line.
 */
const SMALL_HEAP = "--v8-flags=--max-semi-space-size=8";

/** The command line for a host's configuration: the binary itself, or Deno with the permissions needed. */
export function hostCommand(): HostCommand {
  try {
    const program = Deno.execPath();
    if (Deno.build.standalone) return { command: program, args: ["serve"] };
    const main = Deno.mainModule;
    const entry = main.startsWith("file:") ? decodeURIComponent(new URL(main).pathname) : main;
    const permissions = ["--allow-run", "--allow-env", "--allow-read"];
    return { command: program, args: ["run", SMALL_HEAP, ...permissions, entry, "serve"] };
  } catch {
    return { command: PROGRAM_NAME, args: ["serve"] }; // not permitted to know where it is
  }
}
