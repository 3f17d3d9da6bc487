/**
 * The supervisor as a program of its own, for a Deno that runs from source: it loads nothing that the
 * supervisor does not need. A compiled binary takes the same role with its `supervise` argument.
 *
 * @module
 */
import { supervise } from "./supervise.ts";

/** Supervises one run and ends the process: a pending read of stdin would keep it alive. */
export async function superviseAndExit(): Promise<never> {
  await supervise().catch(() => {});
  Deno.exit(0);
}

if (import.meta.main) await superviseAndExit();
