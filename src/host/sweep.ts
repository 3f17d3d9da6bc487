/**
 * The third line of defence: an adapter that starts ends what adapters that are gone have left.
 *
 * A run gets here only when its adapter and its supervisor were both ended with SIGKILL, or the supervisor hangs:
 * a supervisor alone cleans up by itself when its adapter goes.
 *
 * @module
 */
import { CLEANUP_DEADLINE_MS, RECEIPT_GRACE_MS } from "../base/limits.ts";
import { findOrphans, nativeOf, orphanOf } from "../supervision/orphans.ts";
import type { Orphan } from "../supervision/orphans.ts";
import type { Log } from "../supervision/ports.ts";
import type { Look } from "../supervision/process_row.ts";
import { pause, whenAborted } from "./clock.ts";
import type { Self } from "./process_table.ts";
import { retire } from "./retire.ts";
import { openEyes } from "./run_eyes.ts";
import type { ProcessPorts, RunEyes } from "./run_eyes.ts";

/** Runs that one sweep ends; more are left to the next start, which is said. An adapter has four at most. */
export const MAX_SWEPT_RUNS = 32;
/** Between looks at a run whose supervisor is still cleaning up. */
const WATCH_INTERVAL_MS = 250;
/** Processes that a log line names. */
const MAX_NAMED = 8;

/** What a sweep needs from the outside. */
export interface SweepPorts extends ProcessPorts {
  readonly log: Log;
  /** This process. Throws when it cannot see itself. */
  self(): Promise<Self>;
}

/** How to sweep. */
export interface SweepOptions {
  /** The tokens that this process carries itself; see `OrphansInput`. */
  readonly inside: readonly string[];
  /** Ends the sweep, at once but for a look that is under way. */
  readonly signal: AbortSignal;
}

/** Sweeps once. Runs are ended at the same time, each by the ladder, so it is over in 20 s. Never rejects. */
export async function sweep(ports: SweepPorts, options: SweepOptions): Promise<void> {
  try {
    const { identity, namespace, knowsNamespace } = await ports.self();
    if (!knowsNamespace) throw new Error("The pid namespace of this process cannot be told");
    const about = { self: identity, namespace, inside: options.inside };
    const first = findOrphans({ ...about, look: await ports.look() });
    if (first.length === 0 || options.signal.aborted) return;
    // A look is not a moment. Who is missing in one look, because it was only just born, is there in the next.
    const look = await ports.look();
    const lost = first.filter(({ token }) => orphanOf({ ...about, look }, token) !== null);
    if (lost.length > MAX_SWEPT_RUNS) {
      const bounds = { runs: lost.length, swept: MAX_SWEPT_RUNS };
      ports.log.write(
        "warn",
        "Too many runs are left for one sweep; the next start goes on",
        bounds,
      );
    }
    const swept = lost.slice(0, MAX_SWEPT_RUNS).map((orphan) => {
      const view = (look: Look) => orphanOf({ ...about, look }, orphan.token);
      return endRun({ ports, orphan, view, signal: options.signal });
    });
    await Promise.all(swept);
  } catch (caught) {
    const detail = caught instanceof Error ? caught.message : String(caught);
    const message = "Nobody could look for what earlier adapters may have left";
    ports.log.write("warn", message, { detail });
  }
}

interface Sweeping {
  readonly ports: SweepPorts;
  /** The run as the first look saw it. */
  readonly orphan: Orphan;
  /** The run in another look; `null` when its adapter is there after all. */
  readonly view: (look: Look) => Orphan | null;
  readonly signal: AbortSignal;
}

async function endRun(sweeping: Sweeping): Promise<void> {
  const { ports, orphan, signal } = sweeping;
  const { eyes, waitForSupervisor } = openSweepEyes(sweeping);
  const last = await waitForSupervisor();
  if (last === null || signal.aborted) return;
  // Hung, or it would have ended by now. The look that saw it was taken just before.
  for (const { pid } of last.orphan.supervisors) ports.kill(pid, "SIGKILL");
  const native = nativeOf(last.orphan, last.look);
  const { cleanup, rung } = await retire({ ...ports, look: eyes.look }, {
    from: native === null ? "term_strays" : "term_group",
    group: native?.group ?? 0,
    native: native?.pid ?? 0,
    leaders: [],
    signal,
  });
  if (signal.aborted && !cleanup.confirmed) {
    const message = "The end of this adapter interrupts a clean-up; the next start goes on";
    return ports.log.write("info", message, { run: orphan.runId });
  }
  const bySupervisor = orphan.supervisors.length > last.orphan.supervisors.length &&
    cleanup.confirmed && cleanup.retired === 0;
  const [level, what] = !cleanup.confirmed
    ? ["error", "A run of an adapter that is gone could not be cleaned up"] as const
    : bySupervisor
    ? ["info", "A run of an adapter that is gone was cleaned up by its supervisor"] as const
    : ["warn", "A run of an adapter that is gone was cleaned up"] as const;
  ports.log.write(level, what, {
    run: orphan.runId,
    adapter: orphan.adapter.pid,
    found: orphan.carriers.slice(0, MAX_NAMED).map(({ pid, name }) => ({ pid, name })),
    ...(bySupervisor ? {} : { rung, ...cleanup }),
  });
}

interface SweepEyes {
  readonly eyes: RunEyes;
  /** Waits, bounded, for a supervisor to end; tells the last look. `null` when nobody could look. */
  waitForSupervisor(): Promise<{ readonly orphan: Orphan; readonly look: Look } | null>;
}

function openSweepEyes({ ports, orphan, view, signal }: Sweeping): SweepEyes {
  let now: Orphan | null = orphan;
  const eyes = openEyes({
    ports: {
      async look() {
        const look = await ports.look();
        now = view(look);
        return look;
      },
    },
    token: orphan.token,
    supervisor: orphan.supervisors[0]?.pid ?? 0,
    supervisorAlive: () => (now?.supervisors.length ?? 0) > 0,
    // Everything, should the adapter be there after all.
    excluded: (look) =>
      now === null
        ? look.rows.map((row) => row.pid)
        : [...now.spared, ...now.supervisors.map((row) => row.pid)],
  });
  return {
    eyes,
    async waitForSupervisor() {
      const deadline = ports.clock.monotonic() + CLEANUP_DEADLINE_MS + RECEIPT_GRACE_MS;
      const aborted = whenAborted(signal);
      while (true) {
        // These looks keep in mind what the supervisor owned.
        const seen = await eyes.look().catch(() => null);
        const isLast = signal.aborted || ports.clock.monotonic() >= deadline;
        if (seen !== null && now === null) return null;
        if (seen !== null && now !== null && (isLast || now.supervisors.length === 0)) {
          return { orphan: now, look: seen.look };
        }
        if (isLast) return null;
        await pause(ports.clock, WATCH_INTERVAL_MS, aborted);
      }
    },
  };
}
