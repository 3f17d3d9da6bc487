/**
 * The supervisor's role of the whole program, as a binary takes it.
 *
 * @module
 */
import { superviseAndExit } from "../host/supervise_entry.ts";
import { giveUpForSupervisor } from "./spare_permissions.ts";

/** Supervises one run with the permissions of the small entry, and ends the process. */
export function takeSupervisorRole(): Promise<never> {
  giveUpForSupervisor();
  return superviseAndExit();
}
