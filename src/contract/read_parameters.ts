/**
 * Reads the parameters of a command.
 *
 * @module
 */
import { type JsonValue, utf8Length } from "../base/json.ts";
import { quoteName } from "./argument_error.ts";
import { checkValue } from "./check_value.ts";
import { TREE_LIMITS, type ValueSchema } from "./cli_tree.ts";
import { pointer } from "./pointer.ts";
import { readSchema } from "./read_schema.ts";
import type { Place } from "./tree_diagnostic.ts";
import { PARAMETER_SHAPE, readShape } from "./tree_shape.ts";

/** Hosts give this name a meaning of their own. */
const RESERVED_NAME = "workspace_id";

const ID = /^[A-Za-z0-9_-]{1,64}$/;

/** What ids and names are made of. */
export const ID_RULE = "must be 1 to 64 of A-Z a-z 0-9 _ -";

/** Whether `text` can be an id or a name. */
export function isId(text: string): boolean {
  return utf8Length(text) <= 64 && ID.test(text);
}

/** What is known about a parameter. */
export interface KnownParameter {
  /** JSON Pointer. */
  readonly at: string;
  /** `null` when something is wrong with it. */
  readonly schema: ValueSchema | null;
  readonly required: boolean;
}

/** The parameters of one command. */
export interface Parameters {
  readonly byName: ReadonlyMap<string, KnownParameter>;
  /** Whether each of them is there; if not, a name that is not may be one of theirs. */
  readonly complete: boolean;
}

/**
 * Reports everything that is wrong with the parameters of the command at `place`.
 *
 * @param list `undefined` when there is no list that could be read.
 */
export function readParameters(list: readonly unknown[] | undefined, place: Place): Parameters {
  if (list === undefined) return { byName: new Map(), complete: false };
  const { faults } = place;
  const above = pointer(place.at, "parameters");
  if (list.length > TREE_LIMITS.parameters) {
    faults.error(
      "clitree.command.invalid",
      above,
      `a command has at most ${TREE_LIMITS.parameters} parameters, but there are ${list.length}`,
    );
  }
  const byName = new Map<string, KnownParameter>();
  let complete = list.length <= TREE_LIMITS.parameters;
  const relationships: (() => void)[] = [];
  for (const [index, value] of list.slice(0, TREE_LIMITS.parameters).entries()) {
    const at = pointer(above, index);
    const members = readShape(PARAMETER_SHAPE, value, { at, faults });
    if (members === null) {
      complete = false;
      continue;
    }
    const { name, required = false, secret = false, conflicts = [], requires = [] } = members;
    const schema = Object.hasOwn(members, "schema")
      ? readSchema(members.schema, {
        at: pointer(at, "schema"),
        faults,
        code: "clitree.parameter.invalid",
      })
      : null;
    const known: KnownParameter = { at, schema, required };
    if (Object.hasOwn(members, "default")) {
      checkDefault(members.default as JsonValue, { ...known, faults, secret });
    }
    if (name === undefined || !checkName(name, { at: pointer(at, "name"), faults }, byName)) {
      complete = false;
      continue;
    }
    byName.set(name, known);
    relationships.push(() =>
      checkRelationships({ name, conflicts, requires, required }, { at, faults }, {
        byName,
        complete,
      })
    );
  }
  for (const check of relationships) check();
  return { byName, complete };
}

function checkName(
  name: string,
  { at, faults }: Place,
  taken: ReadonlyMap<string, KnownParameter>,
): boolean {
  const rule = !isId(name)
    ? ID_RULE
    : name === RESERVED_NAME
    ? `${RESERVED_NAME} is reserved for hosts; choose another name`
    : taken.has(name)
    ? "another parameter has this name"
    : null;
  if (rule !== null) faults.error("clitree.command.invalid", at, rule);
  return rule === null;
}

function checkDefault(
  value: JsonValue,
  parameter: KnownParameter & Place & { readonly secret: boolean },
): void {
  const { at, schema, required, secret, faults } = parameter;
  const where = pointer(at, "default");
  const error = (message: string) => faults.error("clitree.parameter.invalid", where, message);
  if (required) error("a required parameter cannot have a default");
  if (secret) error("a secret parameter cannot have a default: the tree is public");
  const problem = schema === null ? null : checkValue(schema, value);
  if (problem !== null) {
    faults.error("clitree.parameter.invalid", `${where}${problem.at}`, problem.message);
  }
}

interface Relationships {
  readonly name: string;
  readonly conflicts: readonly string[];
  readonly requires: readonly string[];
  readonly required: boolean;
}

function checkRelationships(
  { name, conflicts, requires, required }: Relationships,
  { at, faults }: Place,
  { byName, complete }: Parameters,
): void {
  const needed = new Set(requires);
  for (const [kind, others] of Object.entries({ conflicts, requires })) {
    const seen = new Set<string>();
    for (const [index, other] of others.entries()) {
      const where = pointer(pointer(at, kind), index);
      const error = (message: string) => faults.error("clitree.parameter.invalid", where, message);
      const warn = (message: string) => faults.warning("clitree.parameter.invalid", where, message);
      if (other === name) error("a parameter cannot name itself");
      else if (!byName.has(other)) {
        if (complete) error(`there is no parameter ${quoteName(other)}`);
      } else if (kind === "conflicts" && needed.has(other)) error("is also in requires");
      else if (kind === "conflicts" && required && byName.get(other)?.required) {
        warn("both parameters are required, so that no call can satisfy this");
      } else if (seen.has(other)) warn("is there twice");
      seen.add(other);
    }
  }
}
