/**
 * The second line of defence: the adapter ends a run whose supervisor died, or could not end it.
 *
 * @module
 */

import type { Log } from "../supervision/ports.ts";
import type { Identity } from "../supervision/process_row.ts";
import type { Cleanup, Survivor } from "../supervision/receipts.ts";
import { within } from "./clock.ts";
import { retire } from "./retire.ts";
import { openEyes } from "./run_eyes.ts";
import type { ProcessPorts } from "./run_eyes.ts";

/** How long a supervisor that was told to die may take to be reaped. */
const REAP_MS = 1_000;

/** The run to recover. */
export interface RecoveryOptions {
  readonly ports: ProcessPorts;
  readonly log: Log;
  /** For the log; the token may have been made before the run was known. */
  readonly runId: string;
  readonly token: string;
  /** This process, which is never a part of its runs. */
  readonly self: number;
  /** The supervisor's pid, which is also the id of the native group. */
  readonly supervisor: number;
  /** Ends the supervisor, perhaps hung. It is this process's child, so its pid is its own until it is reaped. */
  readonly endSupervisor: () => void;
  /** Resolves when the supervisor is reaped. Never rejects. */
  readonly ended: Promise<void>;
  /** The native pid, 0 when no receipt said it. */
  readonly native: () => number;
}

/** Looks after one run in the supervisor's place. */
export interface Recovery {
  /**
   * Ends the supervisor if it is still there, looks for what is left of the run and ends that. May be called
   * again; calls at the same time are one. Never rejects; bounded by the ladder.
   */
  recover(): Promise<Cleanup>;
  /**
   * Takes note of what the supervisor saw and could not end. It may show no sign of the run any more (`sudo`
   * resets the environment), and a later look must not take it for gone.
   */
  survived(survivors: readonly Survivor[]): void;
  /** Takes note of what the supervisor last saw of the run that shows no marker. */
  saw(unmarked: readonly Identity[]): void;
}

/** Makes the recovery of one run; it does nothing by itself. */
export function createRecovery(options: RecoveryOptions): Recovery {
  const { ports, token, ended } = options;
  let reaped = false;
  void ended.then(() => reaped = true);
  const eyes = openEyes({
    ports,
    token,
    supervisor: options.supervisor,
    // One that cannot be reaped is still there and pins its group.
    supervisorAlive: () => !reaped,
    excluded: () => [options.self],
  });
  let lastSeen: readonly Identity[] = [];
  let known: Promise<boolean> = Promise.resolve(true);
  let running: Promise<Cleanup> | null = null;

  const recover = async (): Promise<Cleanup> => {
    await within(ports.clock, 0, ended);
    if (!reaped) {
      options.endSupervisor();
      await within(ports.clock, REAP_MS, ended);
    }
    const isKnown = await known;
    eyes.adopt(lastSeen);
    lastSeen = [];
    const { cleanup, rung } = await retire({ ...ports, look: eyes.look }, {
      from: "term_group",
      group: options.supervisor,
      native: options.native(),
      leaders: [],
    });
    const outcome = { ...cleanup, confirmed: cleanup.confirmed && isKnown };
    const [level, what] = outcome.confirmed
      ? ["warn", "A run was"] as const
      : ["error", "A run could not be"] as const;
    const message = `${what} cleaned up in the place of its supervisor`;
    options.log.write(level, message, { run: options.runId, rung, ...outcome });
    return outcome;
  };
  return {
    saw: (unmarked) => void (lastSeen = unmarked),
    recover: () => running ??= recover().finally(() => running = null),
    survived(survivors) {
      known = identify(ports, survivors).then((found) => {
        if (found !== null) eyes.adopt(found);
        return found !== null;
      });
    },
  };
}

/** Who the survivors are, start times included; `null` when nobody could look. */
async function identify(
  ports: ProcessPorts,
  survivors: readonly Survivor[],
): Promise<readonly Identity[] | null> {
  const look = await ports.look().catch(() => null);
  if (look === null) return null;
  return survivors.flatMap(({ pid, name }) =>
    look.rows.filter((row) => row.pid === pid && row.name === name && row.alive && row.start >= 0)
  );
}
