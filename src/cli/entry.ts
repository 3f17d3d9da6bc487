/**
 * The program of a bundle and of a binary. `mod.ts` is the library too and loads what that needs; this takes the
 * supervisor's role before anything else is loaded, since one is started for every run.
 *
 * @module
 */
import { SUPERVISE_ROLE } from "../host/supervisor_role.ts";

if (import.meta.main) {
  if (Deno.args.length === 1 && Deno.args[0] === SUPERVISE_ROLE) {
    const { takeSupervisorRole } = await import("./supervisor_role.ts");
    await takeSupervisorRole();
  }
  const { main } = await import("./main.ts");
  Deno.exit(await main(Deno.args));
}
