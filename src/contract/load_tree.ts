/**
 * Turns a parsed document into a tree that everything else can trust.
 *
 * @module
 */
import { type JsonValue, utf8Length } from "../base/json.ts";
import { checkValue } from "./check_value.ts";
import { type CliCommand, type CliParameter, type CliTree, TREE_LIMITS } from "./cli_tree.ts";
import { checkArgv } from "./load_argv.ts";
import { checkSchema, countNode, type NodeCounter } from "./load_schema.ts";
import { pointer, treeFault } from "./tree_fault.ts";
import { checkTreeShape } from "./tree_shape.ts";

/** Hosts give this name a meaning of their own. */
const RESERVED_PARAMETER = "workspace_id";

/**
 * Checks every rule of the format and returns a frozen copy.
 *
 * @param document A parsed JSON document.
 * @throws {AdapterError} `invalid_configuration`, naming the JSON pointer of the first fault.
 *
 * @example
 * ```ts
 * import { loadTree } from "./load_tree.ts";
 *
 * const tree = loadTree({
 *   format_version: 1,
 *   source: "example",
 *   executable_version: "1.0.0",
 *   coverage: "complete",
 *   commands: [],
 * });
 * console.assert(tree.commands.length === 0);
 * ```
 */
export function loadTree(document: unknown): CliTree {
  const copy = plainCopy(document);
  checkTreeShape(copy);
  const tree = copy as unknown as CliTree;
  if (tree.coverage === "partial" && !tree.omissions?.length) {
    treeFault("/omissions", "a partial tree has to name what it leaves out");
  }
  const counter: NodeCounter = { nodes: 0 };
  const ids = new Set<string>();
  for (const [index, command] of tree.commands.entries()) {
    const at = pointer("/commands", index);
    countNode(counter, at);
    if (ids.has(command.id)) treeFault(pointer(at, "id"), "another command has this id");
    ids.add(command.id);
    checkCommand(command, at, counter);
  }
  return deepFreeze(tree);
}

/** The document as plain JSON, so that later changes to the original do not reach the tree. */
function plainCopy(document: unknown): JsonValue {
  let text: string | undefined;
  try {
    text = JSON.stringify(document);
  } catch {
    // A cycle, a BigInt, or nesting that overflows the stack: none of them is a JSON document.
  }
  if (text === undefined) treeFault("", "it is not a JSON document");
  if (utf8Length(text) > TREE_LIMITS.documentBytes) {
    treeFault("", `it is larger than ${TREE_LIMITS.documentBytes} bytes`);
  }
  return JSON.parse(text);
}

function checkCommand(command: CliCommand, at: string, counter: NodeCounter): void {
  const { parameters } = command;
  if (!command.executable && (parameters.length > 0 || command.argv.length > 0 || command.stdin)) {
    treeFault(at, "a command that is not executable has no parameters, argv or stdin");
  }
  const place = pointer(at, "parameters");
  if (parameters.length > TREE_LIMITS.parameters) {
    treeFault(place, `a command has at most ${TREE_LIMITS.parameters} parameters`);
  }
  const names = new Map<string, CliParameter>();
  for (const [index, parameter] of parameters.entries()) {
    const where = pointer(place, index);
    checkParameter(parameter, where, counter);
    if (names.has(parameter.name)) {
      treeFault(pointer(where, "name"), "another parameter has this name");
    }
    names.set(parameter.name, parameter);
  }
  for (const [index, parameter] of parameters.entries()) {
    checkRelationships(parameter, names, pointer(place, index));
  }
  checkArgv(command, at);
  if (command.output_schema !== undefined) {
    const where = pointer(at, "output_schema");
    if (command.stdout !== "json") treeFault(where, "belongs to stdout json only");
    checkSchema(command.output_schema, where, counter);
  }
  const dryRun = command.dry_run_parameter;
  if (dryRun !== undefined && names.get(dryRun)?.schema.type !== "boolean") {
    treeFault(pointer(at, "dry_run_parameter"), "must name a boolean parameter of this command");
  }
}

function checkParameter(parameter: CliParameter, at: string, counter: NodeCounter): void {
  if (parameter.name === RESERVED_PARAMETER) {
    treeFault(pointer(at, "name"), `${RESERVED_PARAMETER} is reserved for hosts`);
  }
  checkSchema(parameter.schema, pointer(at, "schema"), counter);
  if (parameter.default === undefined) return;
  const where = pointer(at, "default");
  if (parameter.required) treeFault(where, "a required parameter cannot have a default");
  const problem = checkValue(parameter.schema, parameter.default);
  if (problem !== null) treeFault(where, problem.message);
}

function checkRelationships(
  parameter: CliParameter,
  names: ReadonlyMap<string, CliParameter>,
  at: string,
): void {
  for (const kind of ["conflicts", "requires"] as const) {
    const others = parameter[kind] ?? [];
    for (const [index, other] of others.entries()) {
      const where = pointer(pointer(at, kind), index);
      if (other === parameter.name) treeFault(where, "a parameter cannot name itself");
      if (!names.has(other)) treeFault(where, `there is no parameter ${JSON.stringify(other)}`);
      if (others.indexOf(other) !== index) treeFault(where, "is there twice");
    }
  }
  for (const [index, other] of (parameter.conflicts ?? []).entries()) {
    const where = pointer(pointer(at, "conflicts"), index);
    if (parameter.requires?.includes(other)) treeFault(where, "is also in requires");
    if (parameter.required && names.get(other)?.required) {
      treeFault(where, "both parameters are required, so no call could satisfy this");
    }
  }
}

function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null) {
    for (const member of Object.values(value)) deepFreeze(member);
    Object.freeze(value);
  }
  return value;
}
