/**
 * Looks at one run, and remembers what it saw. The supervisor, the adapter after its death, and the sweep at an
 * adapter's start all see through these.
 *
 * @module
 */
import { identities, ownership } from "../supervision/ownership.ts";
import type { Ownership } from "../supervision/ownership.ts";
import type { Clock } from "../supervision/ports.ts";
import type { Identity, Look, LookKind } from "../supervision/process_row.ts";

/** What every look at processes needs from the outside, and every signal to them. */
export interface ProcessPorts {
  readonly clock: Clock;
  /** Takes a look. Throws when it did not work. Default: a full one. */
  look(kind?: LookKind): Promise<Look>;
  /** Sends a signal to a process, or to a group with a negative id. Never throws. */
  kill(target: number, signal: "SIGTERM" | "SIGKILL"): void;
}

/** Which run to look at. */
export interface EyesOptions {
  readonly ports: Pick<ProcessPorts, "look">;
  readonly token: string;
  /** The supervisor, which is also the id of the native group; 0 when it is not known. */
  readonly supervisor: number;
  /** Whether it lives, at the moment of a look. */
  readonly supervisorAlive: () => boolean;
  /** Never owned, whatever the signs say; asked at every look. */
  readonly excluded: (look: Look) => readonly number[];
}

/** Eyes on a run. */
export interface RunEyes {
  /**
   * A look and what it says about the run. Throws when the look did not work. After a quick one everything found counts
   * as owned, so it says whether something is there and not who may be signalled.
   */
  look(kind?: LookKind): Promise<{ readonly look: Look; readonly found: Ownership }>;
  /** Takes processes for the run's although no sign will show it any more. */
  adopt(processes: readonly Identity[]): void;
}

/** Opens eyes on a run. */
export function openEyes(options: EyesOptions): RunEyes {
  let seen: readonly Identity[] = [];
  let group = options.supervisor;
  return {
    async look(kind) {
      const look = await options.ports.look(kind);
      const supervisorAlive = options.supervisorAlive();
      const found = ownership({
        look,
        supervisor: group,
        supervisorAlive,
        token: options.token,
        seen,
        excluded: options.excluded(look),
      });
      seen = identities(found);
      // A number is bound to its group while a member is there, a zombie too. After that anybody can get it.
      const isHeld = look.rows.some((row) => row.pgid === group || row.sid === group);
      if (!supervisorAlive && !isHeld) group = 0;
      return { look, found };
    },
    adopt: (processes) => void (seen = [...seen, ...processes]),
  };
}
