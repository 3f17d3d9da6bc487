/**
 * The rules of one command or group of a tree.
 *
 * @module
 */
import { checkMapping } from "./check_argv.ts";
import { type StdinMapping, TREE_LIMITS } from "./cli_tree.ts";
import { pointer } from "./pointer.ts";
import { ID_RULE, isId, readParameters } from "./read_parameters.ts";
import { readSchema } from "./read_schema.ts";
import type { Place } from "./tree_diagnostic.ts";
import { COMMAND_SHAPE, readShape } from "./tree_shape.ts";

/** What the whole tree has to know about a command; what could not be read is not there. */
export interface CommandNames {
  readonly id?: string;
  readonly path?: readonly string[];
}

type Members = NonNullable<ReturnType<typeof readShape<typeof COMMAND_SHAPE>>>;

/** Members that only a command that can be run has something in. */
const OF_COMMANDS = ["parameters", "argv", "stdin", "output_schema", "dry_run_parameter"] as const;

/** Reports everything that is wrong with the command at `place`, alone. */
export function checkCommand(value: unknown, place: Place): CommandNames {
  const members = readShape(COMMAND_SHAPE, value, place);
  if (members === null) return {};
  const { id, path, stdin } = members;
  checkIdentity(members, place);
  const parameters = readParameters(members.parameters, place);
  if (members.executable === false) checkGroup(members, place);
  else if (members.argv !== undefined) {
    const isWhole = stdin !== undefined || !Object.hasOwn(value as object, "stdin");
    const mapping = { argv: members.argv, stdin: stdin as StdinMapping, parameters, isWhole };
    const flags = checkMapping(mapping, place);
    const dryRun = members.dry_run_parameter;
    if (dryRun !== undefined && flags?.has(dryRun) === false) {
      error(place, ["dry_run_parameter"], "must name a parameter that is mapped to a flag");
    }
  }
  checkOutput(members, place);
  return { ...(id !== undefined && { id }), ...(path !== undefined && { path }) };
}

function checkIdentity({ id, path = [], description, help_argv }: Members, place: Place): void {
  if (id !== undefined && !isId(id)) error(place, ["id"], ID_RULE);
  if (description === "") error(place, ["description"], "must not be empty");
  if (path.length > TREE_LIMITS.pathWords) {
    error(place, ["path"], `has at most ${TREE_LIMITS.pathWords} words`);
  }
  for (const [index, word] of path.slice(0, TREE_LIMITS.pathWords).entries()) {
    if (/^[^-\0][^\0]*$/u.test(word)) continue;
    error(place, ["path", index], "must not be empty, start with a hyphen or contain NUL");
  }
  if (help_argv === undefined) return;
  if (help_argv.length === 0) error(place, ["help_argv"], "must not be empty");
  for (const [index, argument] of help_argv.entries()) {
    if (argument.includes("\0")) error(place, ["help_argv", index], "must not contain NUL");
  }
}

function checkGroup(members: Members, place: Place): void {
  for (const name of OF_COMMANDS) {
    const value = members[name];
    if (value === undefined || (Array.isArray(value) && value.length === 0)) continue;
    error(place, [name], "a group, which is a command that is not executable, has none");
  }
}

function checkOutput(members: Members, place: Place): void {
  if (!Object.hasOwn(members, "output_schema") || members.executable === false) return;
  const at = pointer(place.at, "output_schema");
  if (members.stdout !== undefined && members.stdout !== "json") {
    error(place, ["output_schema"], "belongs to stdout json only");
  }
  readSchema(members.output_schema, { at, faults: place.faults, code: "clitree.command.invalid" });
}

function error(place: Place, path: readonly (string | number)[], message: string): void {
  place.faults.error("clitree.command.invalid", path.reduce<string>(pointer, place.at), message);
}
