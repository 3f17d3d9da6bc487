/**
 * Judges a document: is it a command tree that hosts take, and if not, everything that is wrong with it.
 *
 * @module
 */
import { type JsonValue, utf8Length } from "../base/json.ts";
import { checkCommand, type CommandNames } from "./check_command.ts";
import { checkDeclaredChecks } from "./check_declared_checks.ts";
import { type CliTree, TREE_LIMITS } from "./cli_tree.ts";
import { deepFreeze } from "./deep_freeze.ts";
import { isTooDeep } from "./nesting.ts";
import { pointer } from "./pointer.ts";
import { createFaults, type Faults, type TreeDiagnostic } from "./tree_diagnostic.ts";
import { readShape, TREE_SHAPE } from "./tree_shape.ts";

/** What else is asked of a tree. */
export interface ValidateOptions {
  /** The `executable_version` that the tree must have, exactly. Default: any. */
  readonly expectedVersion?: string;
}

/** What a document is. */
export interface TreeValidation {
  /** Whether there is no error; warnings are none. */
  readonly valid: boolean;
  /**
   * A frozen copy of the document when it is a sound tree, which it is with a version mismatch too; else `null`.
   */
  readonly tree: CliTree | null;
  /** At most 100: errors first, each kind in the order of the document. */
  readonly diagnostics: readonly TreeDiagnostic[];
  /** How many more there are. */
  readonly omitted: number;
}

/**
 * Checks every rule of format version 1 and reports all that is wrong. Never throws.
 *
 * @param document A parsed JSON document.
 *
 * @example
 * ```ts
 * import { validateTree } from "./validate_tree.ts";
 *
 * const { valid, diagnostics } = validateTree({ format_version: 1 });
 * console.assert(!valid);
 * console.assert(diagnostics[0]?.code === "clitree.document.missing_field");
 * console.assert(diagnostics[0]?.path === "/source");
 * ```
 */
export function validateTree(document: unknown, options: ValidateOptions = {}): TreeValidation {
  return judgeTree(document, createFaults(), options);
}

/** As {@linkcode validateTree}, for a document about which something is known already. */
export function judgeTree(
  document: unknown,
  faults: Faults,
  options: ValidateOptions = {},
): TreeValidation {
  const copy = plainCopy(document, faults);
  if (copy !== undefined) checkDocument(copy, faults);
  const tree = faults.errors === 0 ? deepFreeze(copy as unknown as CliTree) : null;
  if (copy !== undefined) checkVersion(copy, faults, options);
  return { valid: faults.errors === 0, tree, ...faults.list() };
}

/** The document as plain JSON, so that later changes to the original do not reach the tree. */
function plainCopy(document: unknown, faults: Faults): JsonValue | undefined {
  let text: string | undefined;
  try {
    if (isTooDeep(document, TREE_LIMITS.documentDepth)) {
      const message = `it is nested deeper than ${TREE_LIMITS.documentDepth} levels`;
      faults.error("clitree.document.encoding", "", message);
      return undefined;
    }
    text = JSON.stringify(document);
  } catch {
    // A BigInt, or a getter that throws: no JSON document.
  }
  if (text === undefined) {
    faults.error("clitree.document.type", "", "it is no JSON document");
    return undefined;
  }
  if (utf8Length(text) > TREE_LIMITS.documentBytes) {
    const message = `it is larger than ${TREE_LIMITS.documentBytes} bytes`;
    faults.error("clitree.document.too_large", "", message);
    return undefined;
  }
  return JSON.parse(text);
}

function checkDocument(document: JsonValue, faults: Faults): void {
  const version = member(document, "format_version");
  if (typeof version === "number" && version !== 1) {
    // Nobody knows the rules of another version.
    const message = `is ${version}, but only version 1 of the format is known here`;
    return faults.error("clitree.format.unsupported", "/format_version", message);
  }
  const members = readShape(TREE_SHAPE, document, { at: "", faults });
  if (members === null) return;
  const { source, executable_version, coverage, omissions, executable_checks, commands } = members;
  const invalid = (at: string, message: string) =>
    faults.error("clitree.document.invalid", at, message);
  if (source === "") invalid("/source", "must not be empty");
  if (executable_version === "") invalid("/executable_version", "must not be empty");
  if (coverage === "partial" && omissions?.length === 0) {
    invalid("/omissions", "a partial tree has to name what it leaves out");
  }
  if (coverage === "complete" && omissions !== undefined && omissions.length > 0) {
    invalid("/omissions", "a complete tree leaves nothing out: empty it, or say partial");
  }
  for (const [index, omission] of omissions?.entries() ?? []) {
    if (omission !== "") continue;
    faults.warning("clitree.document.invalid", pointer("/omissions", index), "says nothing");
  }
  if (executable_checks !== undefined) {
    checkDeclaredChecks(executable_checks, { at: "/executable_checks", faults });
  }
  if (commands !== undefined) checkCommands(commands, faults);
}

function checkCommands(commands: readonly unknown[], faults: Faults): void {
  if (commands.length === 0 || commands.length > TREE_LIMITS.nodes) {
    const message = `must be 1 to ${TREE_LIMITS.nodes} commands, but there are ${commands.length}`;
    faults.error("clitree.document.invalid", "/commands", message);
  }
  const seen: CommandNames[] = [];
  const taken = { id: new Set<string>(), path: new Set<string>() };
  for (const [index, value] of commands.slice(0, TREE_LIMITS.nodes).entries()) {
    const at = pointer("/commands", index);
    const names = checkCommand(value, { at, faults });
    for (const kind of ["id", "path"] as const) {
      const name = names[kind];
      if (name === undefined) continue;
      const key = JSON.stringify(name);
      if (taken[kind].has(key)) {
        const message = `another command has this ${kind}`;
        faults.error("clitree.command.duplicate", pointer(at, kind), message);
      }
      taken[kind].add(key);
    }
    seen.push(names);
  }
  // Where a path could not be read, it may be the missing one.
  if (seen.length < commands.length || seen.some(({ path }) => path === undefined)) return;
  for (const [index, { path = [] }] of seen.entries()) {
    if (path.length < 2 || taken.path.has(JSON.stringify(path.slice(0, -1)))) continue;
    const message = "the group that it is in is not in the tree; add a command with that path";
    faults.error("clitree.command.missing_parent", `/commands/${index}/path`, message);
  }
}

function checkVersion(document: JsonValue, faults: Faults, options: ValidateOptions): void {
  const version = member(document, "executable_version");
  const { expectedVersion } = options;
  if (expectedVersion !== undefined && typeof version === "string" && version !== expectedVersion) {
    const message = "the tree is for another version than the expected one";
    faults.error("clitree.version.mismatch", "/executable_version", message);
  }
  const checks = member(document, "executable_checks");
  const isTree = member(document, "format_version") === 1;
  if (!isTree || (checks !== undefined && !(Array.isArray(checks) && checks.length === 0))) return;
  faults.warning(
    "clitree.check.undeclared",
    "/executable_checks",
    "no check is declared, so nothing proves that an executable is the one described",
  );
}

function member(document: JsonValue, name: string): JsonValue | undefined {
  if (typeof document !== "object" || document === null || Array.isArray(document)) {
    return undefined;
  }
  return Object.hasOwn(document, name) ? (document as Record<string, JsonValue>)[name] : undefined;
}
