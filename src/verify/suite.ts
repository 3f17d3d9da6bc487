/**
 * Every check, in the order of the report. Whoever adds, removes or changes the meaning of one raises `VERIFY_SUITE`.
 *
 * @module
 */
import type { Check, CheckHead, Finding } from "./check.ts";
import { BACKGROUND_CHECKS } from "./checks/background.ts";
import { BRIDGE_CHECKS } from "./checks/bridging.ts";
import { MODE_CHECKS } from "./checks/modes.ts";
import { OPTION_CHECKS } from "./checks/options.ts";
import { OUTCOME_CHECKS } from "./checks/outcomes.ts";
import { PRINT_CHECKS } from "./checks/printing.ts";
import { SESSION_CHECKS } from "./checks/sessions.ts";
import { STOP_CHECKS } from "./checks/stopping.ts";
import { STREAM_CHECKS } from "./checks/stream.ts";
import { VERSION_CHECK } from "./checks/version.ts";
import { shown } from "./finding.ts";
import type { NativeRecord } from "./native_record.ts";

/** Checks that look at experiments. The first one decides whether the others are tried at all. */
export const SUITE: readonly Check[] = [
  VERSION_CHECK,
  ...OPTION_CHECKS,
  ...MODE_CHECKS,
  ...SESSION_CHECKS,
  ...STREAM_CHECKS,
  ...PRINT_CHECKS,
  ...OUTCOME_CHECKS,
  ...BACKGROUND_CHECKS,
  ...STOP_CHECKS,
  ...BRIDGE_CHECKS,
];

/** What all experiments together showed. */
export interface Afterwards {
  readonly records: readonly NativeRecord[];
  /** What the native processes asked their proxy for. */
  readonly asked: readonly string[];
}

/** A check of everything that happened. */
export interface LastCheck extends CheckHead {
  readonly judge: (seen: Afterwards) => Finding;
}

/** Checks that come last. */
export const LAST_CHECKS: readonly LastCheck[] = [
  {
    id: "network.loopback",
    title: "with nonessential traffic off, no other host than the model's is asked",
    relies: "runs talk to hosts that nobody chose",
    judge: ({ asked }) => asked.length === 0 ? null : `other hosts were asked for: ${shown(asked)}`,
  },
  {
    id: "clean_up.confirmed",
    title: "nothing is left of any process that was started",
    relies: "runs leave processes behind",
    judge({ records }) {
      const names = records.flatMap(({ cleanup }) =>
        cleanup.confirmed ? [] : cleanup.survivors.map(({ name, pid }) => `${name} (${pid})`)
      );
      return records.every(({ cleanup }) => cleanup.confirmed)
        ? null
        : `clean-up could not be confirmed; left: ${names.join(", ") || "nobody could look"}`;
    },
  },
];

/** The ids of all checks. */
export function checkIds(): readonly string[] {
  return [...SUITE, ...LAST_CHECKS].map(({ id }) => id);
}
