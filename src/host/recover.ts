/**
 * The second line of defence: the adapter ends a run whose supervisor died.
 *
 * @module
 */
import { ownership } from "../supervision/ownership.ts";
import { identities } from "../supervision/ownership.ts";
import type { Identity } from "../supervision/process_row.ts";
import type { Log } from "../supervision/ports.ts";
import type { Cleanup } from "../supervision/receipts.ts";
import { systemClock, within } from "./clock.ts";
import type { ProcessTable } from "./process_table.ts";
import { retire } from "./retire.ts";
import { sendSignal } from "./signals.ts";

/** How long a supervisor that was told to die may take to be reaped. */
const REAP_MS = 1_000;

/** The run whose supervisor gave no receipt. */
export interface RecoverOptions {
  readonly table: ProcessTable;
  readonly log: Log;
  readonly token: string;
  /** The supervisor, perhaps hung; its pid is ours until it is reaped. */
  readonly child: Deno.ChildProcess;
  readonly ended: Promise<void>;
  /** The native pid, 0 when no receipt said it. */
  readonly native: () => number;
}

/** Looks for what is left by group and by marker and ends it. Never rejects; bounded by the ladder. */
export async function recoverRun(options: RecoverOptions): Promise<Cleanup> {
  const { table, log, token, child, ended } = options;
  let over = false;
  await within(systemClock, 0, ended.then(() => over = true));
  if (!over) {
    try {
      child.kill("SIGKILL");
    } catch {
      // It ended meanwhile.
    }
    await within(systemClock, REAP_MS, ended.then(() => over = true));
  }
  let seen: readonly Identity[] = [];
  const { cleanup, rung } = await retire({
    clock: systemClock,
    kill: sendSignal,
    async look() {
      const look = await table.look();
      const found = ownership({
        look,
        supervisor: child.pid,
        // One that cannot be reaped is still there and pins its group.
        supervisorAlive: !over,
        token,
        seen,
        excluded: [Deno.pid],
      });
      seen = identities(found);
      return { look, found };
    },
  }, { from: "term_group", group: child.pid, native: options.native(), leaders: [] });
  log.write(cleanup.confirmed ? "warn" : "error", "A supervisor died; its run was cleaned up", {
    rung,
    ...cleanup,
  });
  return cleanup;
}
