/**
 * How what is wrong with a tree is reported: all of it at once, by code and place.
 *
 * @module
 */
import { cutText } from "../base/json.ts";
import { TREE_LIMITS } from "./cli_tree.ts";

/**
 * Every code of a {@linkcode TreeDiagnostic}; they are the ones hosts report for the same fault, and none is renamed or
 * reused.
 */
export type TreeCode =
  /** The file is missing, is no regular file, cannot be read, or is larger than 4 MiB. */
  | "clitree.document.unreadable"
  /** The document is larger than 4 MiB. */
  | "clitree.document.too_large"
  /** The text is no JSON, begins with a byte order mark, or a word is not one of those that can stand in its place. */
  | "clitree.document.encoding"
  /** A member that the format does not have. */
  | "clitree.document.unknown_field"
  /** A member that is not there. */
  | "clitree.document.missing_field"
  /** A member of another JSON type. */
  | "clitree.document.type"
  /** The document as a whole breaks a rule: its source, version, coverage, size, nesting, members given twice. */
  | "clitree.document.invalid"
  /** Another `format_version`; nothing else is looked at then. */
  | "clitree.format.unsupported"
  /** Two commands with one id or one path. */
  | "clitree.command.duplicate"
  /** A nested command whose group is not in the tree. */
  | "clitree.command.missing_parent"
  /** A command's id, path, names, sizes, standard input, output or completeness of its mapping. */
  | "clitree.command.invalid"
  /** A parameter's schema, default or relationships. */
  | "clitree.parameter.invalid"
  /** One step of the mapping to arguments. */
  | "clitree.argv.invalid"
  /** A declared check of the executable is malformed. */
  | "clitree.check.invalid"
  /** A warning: no check is declared, so nothing proves that an executable is the one described. */
  | "clitree.check.undeclared"
  /** Checks were to be run, but none is declared. */
  | "clitree.check.missing"
  /** A check ended otherwise, or printed something else, than the tree says. */
  | "clitree.check.mismatch"
  /** The checks took longer than their budget. */
  | "clitree.check.timeout"
  /** The executable's file changed while it was checked. */
  | "clitree.check.identity_changed"
  /** The executable is missing, no regular file, not executable, or could not be started. */
  | "clitree.check.unavailable"
  /** The checks were interrupted. */
  | "clitree.check.cancelled"
  /** The tree is for another version than the expected one. */
  | "clitree.version.mismatch";

/** One thing that is wrong. */
export interface TreeDiagnostic {
  readonly code: TreeCode;
  /** JSON Pointer to the place, as exact as it is known; empty for the whole document. */
  readonly path: string;
  /** A tree with a `warning` is valid all the same. */
  readonly severity: "error" | "warning";
  /** For people. Says the rule; never repeats a default or what an executable printed. */
  readonly message: string;
}

/** Collects what is wrong. */
export interface Faults {
  /** Adds an error. */
  error(code: TreeCode, at: string, message: string): void;
  /** Adds a warning. */
  warning(code: TreeCode, at: string, message: string): void;
  /** How many errors there are, those that are not listed included. */
  readonly errors: number;
  /** Errors first, each kind in the order of the document; `omitted` counts what is past the bound. */
  list(): { readonly diagnostics: readonly TreeDiagnostic[]; readonly omitted: number };
}

/** Where a check looks, and what it reports to. */
export interface Place {
  /** JSON Pointer. */
  readonly at: string;
  readonly faults: Faults;
}

/** The longest pointer in a diagnostic: names in a document are as long as the document lets them. */
const MAX_PATH_CHARS = 1_024;
const MAX_MESSAGE_BYTES = 1_024;

/** Makes an empty collection. */
export function createFaults(): Faults {
  const errors: TreeDiagnostic[] = [];
  const warnings: TreeDiagnostic[] = [];
  let errorCount = 0;
  let warningCount = 0;

  const add = (list: TreeDiagnostic[], diagnostic: TreeDiagnostic) => {
    if (list.length >= TREE_LIMITS.diagnostics) return;
    const { path, message } = diagnostic;
    list.push({
      ...diagnostic,
      path: shortPath(path),
      message: cutText(message, MAX_MESSAGE_BYTES),
    });
  };
  return {
    error(code, path, message) {
      errorCount += 1;
      add(errors, { code, path, severity: "error", message });
    },
    warning(code, path, message) {
      warningCount += 1;
      add(warnings, { code, path, severity: "warning", message });
    },
    get errors() {
      return errorCount;
    },
    list() {
      const diagnostics = [...errors, ...warnings].slice(0, TREE_LIMITS.diagnostics);
      return { diagnostics, omitted: errorCount + warningCount - diagnostics.length };
    },
  };
}

/** The pointer, or that of the nearest place around it that can be shown. */
function shortPath(path: string): string {
  if (path.length <= MAX_PATH_CHARS) return path;
  return path.slice(0, path.lastIndexOf("/", MAX_PATH_CHARS));
}
