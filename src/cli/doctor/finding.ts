/**
 * What `doctor` found, as data, and as lines for a person.
 *
 * @module
 */
import { visible } from "../../base/visible.ts";

/** How bad it is. A problem stops runs from working; a warning does not. */
export type FindingStatus = "ok" | "warning" | "problem";

/** One thing that was looked at. */
export interface Finding {
  /** What was looked at, in a word or two. */
  readonly check: string;
  readonly status: FindingStatus;
  /** What was found, in a sentence without its full stop. */
  readonly says: string;
  /** What to do about it; always there unless `status` is ok. */
  readonly fix?: string;
}

/** The whole report, as `--json` prints it. */
export interface DoctorReport {
  readonly format_version: 1;
  /** The worst of the findings. */
  readonly status: FindingStatus;
  readonly program: {
    readonly version: string;
    /** Deno's. */
    readonly runtime: string;
    readonly os: string;
    readonly arch: string;
    /** Compiled into one binary. */
    readonly standalone: boolean;
  };
  readonly findings: readonly Finding[];
}

const BY_WEIGHT: readonly FindingStatus[] = ["ok", "warning", "problem"];

/** All is well. */
export function ok(check: string, says: string): Finding {
  return { check, status: "ok", says };
}

/** Something that may hurt one day, and what to do about it. */
export function warning(check: string, says: string, fix: string): Finding {
  return { check, status: "warning", says, fix };
}

/** Something that has to be put right, and how. */
export function problem(check: string, says: string, fix: string): Finding {
  return { check, status: "problem", says, fix };
}

/** The worst status. */
export function worstOf(findings: readonly Finding[]): FindingStatus {
  return findings.reduce<FindingStatus>(
    (worst, { status }) => BY_WEIGHT.indexOf(status) > BY_WEIGHT.indexOf(worst) ? status : worst,
    "ok",
  );
}

/** Lines for a person: one for each finding, its fix below it, and a summary. */
export function findingLines({ findings, status }: DoctorReport): string {
  const width = Math.max(...findings.map(({ check }) => check.length));
  const lines = findings.map(({ check, status, says, fix }) => {
    const line = `${status.padEnd(8)} ${check.padEnd(width)}  ${visible(says)}\n`;
    return fix === undefined ? line : `${line}${" ".repeat(11 + width)}fix: ${visible(fix)}\n`;
  });
  const count = (of: FindingStatus) => findings.filter((finding) => finding.status === of).length;
  const [problems, warnings] = [count("problem"), count("warning")];
  const summary = status === "ok"
    ? "Everything is in place."
    : `${plural(problems, "problem")}, ${plural(warnings, "warning")}.`;
  return `${lines.join("")}\n${summary}\n`;
}

function plural(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
