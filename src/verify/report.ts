/**
 * What a verification says, as data and as text.
 *
 * @module
 */
import type { VerifiedExecutable } from "../contract/verification.ts";
import type { CheckHead, Finding } from "./check.ts";

/** One check's outcome. */
export interface CheckReport extends CheckHead {
  readonly passed: boolean;
  /** Why it failed; `null` when it passed. */
  readonly finding: Finding;
  /** What its experiments took; several checks share one. */
  readonly seconds: number;
}

/** A whole verification. */
export interface VerifyReport {
  readonly format_version: 1;
  readonly contract_sha256: string;
  readonly adapter_version: string;
  readonly executable: VerifiedExecutable;
  /** Everything that it prints for `--version`, without white space at the ends; empty when it prints nothing usable. */
  readonly version_text: string;
  readonly checks: readonly CheckReport[];
  readonly passed: boolean;
  /** When it was over, ISO 8601. */
  readonly at: string;
  readonly seconds: number;
  /** Where the receipt is; `null` when none was written, and then `no_receipt` says why. */
  readonly receipt: string | null;
  readonly no_receipt: string | null;
}

/** Column of the ids. */
const ID_WIDTH = 30;

/** One line, and below it what is wrong and what breaks. */
export function checkLines({ id, title, relies, passed, finding, seconds }: CheckReport): string {
  const time = `${seconds.toFixed(1)} s`.padStart(7);
  const line = `${passed ? "ok    " : "FAILED"} ${time}  ${id.padEnd(ID_WIDTH)} ${title}\n`;
  return passed ? line : `${line}         changed: ${finding}\n         breaks:  ${relies}\n`;
}

/** The last lines. */
export function summaryLines(report: VerifyReport): string {
  const { checks, passed, seconds, receipt, no_receipt, executable, version_text } = report;
  const failed = checks.filter((check) => !check.passed);
  const name = version_text === "" ? executable.path : version_text;
  const verdict = passed
    ? `${name} keeps the contract: all ${checks.length} checks passed`
    : `${name} does not keep the contract: ${failed.length} of ${checks.length} checks failed (${
      failed.map(({ id }) => id).join(", ")
    })`;
  const written = receipt === null
    ? `No receipt was written: ${no_receipt}.`
    : passed
    ? `Runs admit this file from now on. Receipt: ${receipt}`
    : `Runs do not admit this file. Receipt: ${receipt}`;
  return `\n${verdict}, in ${seconds.toFixed(1)} s.\n${written}\n`;
}
