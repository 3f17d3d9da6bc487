/**
 * What a check is.
 *
 * @module
 */
import type { Experiment } from "./experiment.ts";

/** What is wrong, as a sentence without a full stop that names the flag or the event; `null` when nothing is. */
export type Finding = string | null;

/** What a check works with. */
export interface CheckContext {
  /** What an experiment showed; each is done once, however many checks ask. Rejects when it could not be done. */
  observe<T>(experiment: Experiment<T>): Promise<T>;
}

/** One thing that the CLI has to do. */
export interface Check {
  /** Stable and unique, such as `effort.low`. */
  readonly id: string;
  /** What holds when it passes. */
  readonly title: string;
  /** What breaks for people when it does not hold, as a clause. */
  readonly relies: string;
  /** The experiments it looks at; for its time. */
  readonly experiments: readonly Experiment<unknown>[];
  /** Looks. Rejects when an experiment could not be done. */
  run(context: CheckContext): Promise<Finding>;
}

/** What is said about a check. */
export type CheckHead = Pick<Check, "id" | "title" | "relies">;

/** A check that judges one experiment. */
export function checkOf<T>(
  head: CheckHead,
  experiment: Experiment<T>,
  judge: (seen: T) => Finding,
): Check {
  return {
    ...head,
    experiments: [experiment],
    run: async (context) => judge(await context.observe(experiment)),
  };
}
