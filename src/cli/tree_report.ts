/**
 * The report of `tree validate` and `tree check`.
 *
 * @module
 */
import type { TreeDiagnostic } from "../contract/tree_diagnostic.ts";
import type { TreeValidation } from "../contract/validate_tree.ts";
import type { CheckFaultKind } from "../host/executable_checks.ts";

/** What a report says; hosts' own validators print the same members, but for the last. */
export interface TreeReport {
  readonly format_version: 1;
  /** Whether no diagnostic is an error. */
  readonly valid: boolean;
  readonly diagnostics: readonly TreeDiagnostic[];
  /** There when the document is a sound tree. */
  readonly tree?: {
    readonly source: string;
    readonly executable_version: string;
    readonly coverage: "complete" | "partial";
    /** Groups included. */
    readonly command_count: number;
  };
  /** How many checks passed; 0 when none was run. */
  readonly executable_check_count: number;
  /** Whether every declared check was run and passed. */
  readonly checked_executable: boolean;
  /** How many diagnostics there are past the first 100. */
  readonly diagnostics_omitted: number;
}

/** What came of the checks. */
export interface CheckResult {
  readonly passed: number;
  /** `null` when all passed. `missing`: there are none. */
  readonly fault: {
    readonly kind: CheckFaultKind | "missing";
    readonly index: number | null;
    readonly message: string;
  } | null;
}

/** The report of a document, and of its checks where they were asked for. */
export function treeReport(
  { valid, tree, diagnostics, omitted }: TreeValidation,
  checks?: CheckResult,
): TreeReport {
  const failed = checks === undefined || checks.fault === null ? [] : [toDiagnostic(checks.fault)];
  return {
    format_version: 1,
    valid: valid && failed.length === 0,
    diagnostics: [...diagnostics, ...failed],
    ...(tree !== null && {
      tree: {
        source: tree.source,
        executable_version: tree.executable_version,
        coverage: tree.coverage,
        command_count: tree.commands.length,
      },
    }),
    executable_check_count: checks?.passed ?? 0,
    checked_executable: checks !== undefined && checks.fault === null,
    diagnostics_omitted: omitted,
  };
}

/** As one JSON text with a line end. */
export function reportText(report: TreeReport): string {
  return `${JSON.stringify(report, null, 2)}\n`;
}

function toDiagnostic({ kind, index, message }: NonNullable<CheckResult["fault"]>): TreeDiagnostic {
  return {
    code: `clitree.check.${kind}`,
    path: index === null ? "/executable_checks" : `/executable_checks/${index}`,
    severity: "error",
    message,
  };
}
