/**
 * The work snapshot: which runs this connection owns, for whom. Pure but for the revision it counts.
 *
 * @module
 */
import { AdapterError } from "../base/errors.ts";
import { MAX_WORK_ROWS } from "../base/limits.ts";

/** A row of the snapshot. */
export interface WorkEntry {
  /** The only kind there is. */
  readonly kind: "claude.run";
  /** The run's `run_id`. */
  readonly id: string;
  /** The host invocation that created the run: a lower-case UUID. */
  readonly acquired_by: string;
  /** `uncertain` when clean-up ended without confirmation. */
  readonly state: "active" | "uncertain";
}

/** A retained run as the ledger sees it. */
export interface OwnedRun {
  readonly id: string;
  /** The host invocation that created it, or `null`. */
  readonly acquiredBy: string | null;
  /** Clean-up ended without confirmation. */
  readonly uncertain: boolean;
}

/** Counts revisions: equal while the set of rows is equal, larger when it changed. */
export class WorkLedger {
  #revision = 0;
  #last = "";

  /**
   * The rows, sorted by id, and their revision.
   *
   * Throws `work_unavailable` while a run has no invocation; the revision is then left as it was.
   */
  snapshot(runs: readonly OwnedRun[]): { revision: number; resources: readonly WorkEntry[] } {
    const resources: WorkEntry[] = [];
    for (const run of runs) {
      if (run.acquiredBy === null) {
        throw new AdapterError(
          "work_unavailable",
          `Run '${run.id}' was started without a host invocation, so a complete snapshot cannot be given; release it first`,
        );
      }
      resources.push({
        kind: "claude.run",
        id: run.id,
        acquired_by: run.acquiredBy,
        state: run.uncertain ? "uncertain" : "active",
      });
    }
    if (resources.length > MAX_WORK_ROWS) {
      throw new AdapterError("work_unavailable", `More than ${MAX_WORK_ROWS} rows of work`);
    }
    resources.sort((a, b) => a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
    const text = JSON.stringify(resources);
    if (this.#revision === 0 || text !== this.#last) {
      this.#revision += 1;
      this.#last = text;
    }
    return { revision: this.#revision, resources };
  }
}
