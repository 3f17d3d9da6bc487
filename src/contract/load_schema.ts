/**
 * Checks that a schema in a tree keeps to the subset of JSON Schema that trees may use.
 *
 * @module
 */
import { isObject, type JsonObject } from "../base/json.ts";
import { checkValue, jsonEquals } from "./check_value.ts";
import { TREE_LIMITS, type ValueSchema, type ValueType } from "./cli_tree.ts";
import { pointer, treeFault } from "./tree_fault.ts";

/** Counts the nodes of one document against its bound. */
export interface NodeCounter {
  nodes: number;
}

/** Counts one more node; throws `invalid_configuration` past the bound. */
export function countNode(counter: NodeCounter, at: string): void {
  counter.nodes += 1;
  if (counter.nodes > TREE_LIMITS.nodes) {
    treeFault(at, `the tree has more than ${TREE_LIMITS.nodes} commands and schema nodes`);
  }
}

const COMMON = ["type", "description", "enum", "const"];
const KEYWORDS: Record<ValueType, readonly string[]> = {
  string: ["minLength", "maxLength"],
  integer: ["minimum", "maximum"],
  number: ["minimum", "maximum"],
  boolean: [],
  null: [],
  array: ["items", "minItems", "maxItems"],
  object: ["properties", "required", "additionalProperties"],
};

/**
 * Throws `invalid_configuration` naming the place when `schema` is outside the subset, contradicts itself, or is
 * nested too deeply.
 *
 * @param at JSON pointer of the schema in its document.
 * @param counter Counts this schema's nodes.
 */
export function checkSchema(schema: unknown, at: string, counter: NodeCounter): void {
  checkNode(schema, { at, counter, depth: 1 });
}

interface Place {
  readonly at: string;
  readonly counter: NodeCounter;
  readonly depth: number;
}

function checkNode(schema: unknown, place: Place): void {
  const { at, counter, depth } = place;
  countNode(counter, at);
  if (depth > TREE_LIMITS.schemaDepth) {
    treeFault(at, `schemas nest at most ${TREE_LIMITS.schemaDepth} levels`);
  }
  if (!isObject(schema)) treeFault(at, "must be a schema object");
  const { type } = schema;
  if (typeof type !== "string" || !Object.hasOwn(KEYWORDS, type)) {
    treeFault(pointer(at, "type"), `must be one of ${Object.keys(KEYWORDS).join(", ")}`);
  }
  const allowed = [...COMMON, ...KEYWORDS[type as ValueType]];
  for (const keyword of Object.keys(schema)) {
    if (!allowed.includes(keyword)) {
      treeFault(pointer(at, keyword), `is no keyword of a ${type} here: use ${allowed.join(", ")}`);
    }
  }
  if (schema.description !== undefined && typeof schema.description !== "string") {
    treeFault(pointer(at, "description"), "must be text");
  }
  checkBounds(schema, at);
  checkChildren(schema, place);
  checkChoices(schema as unknown as ValueSchema, at);
}

function checkBounds(schema: JsonObject, at: string): void {
  for (const [low, high] of [["minLength", "maxLength"], ["minItems", "maxItems"]] as const) {
    for (const keyword of [low, high]) {
      const bound = schema[keyword];
      if (bound === undefined || (Number.isSafeInteger(bound) && Number(bound) >= 0)) continue;
      treeFault(pointer(at, keyword), "must be a whole number of at least 0");
    }
    checkOrder(schema, at, [low, high]);
  }
  for (const keyword of ["minimum", "maximum"]) {
    if (schema[keyword] === undefined || Number.isFinite(schema[keyword])) continue;
    treeFault(pointer(at, keyword), "must be a number");
  }
  checkOrder(schema, at, ["minimum", "maximum"]);
}

function checkOrder(schema: JsonObject, at: string, [low, high]: readonly [string, string]): void {
  const min = schema[low];
  const max = schema[high];
  if (min === undefined || max === undefined || Number(min) <= Number(max)) return;
  treeFault(pointer(at, low), `must not be above ${high}`);
}

function checkChildren(schema: JsonObject, { at, counter, depth }: Place): void {
  if (schema.items !== undefined) {
    checkNode(schema.items, { at: pointer(at, "items"), counter, depth: depth + 1 });
  }
  const { properties, required, additionalProperties } = schema;
  if (properties !== undefined) {
    const place = pointer(at, "properties");
    if (!isObject(properties)) treeFault(place, "must be an object of schemas");
    for (const [name, child] of Object.entries(properties)) {
      checkNode(child, { at: pointer(place, name), counter, depth: depth + 1 });
    }
  }
  if (additionalProperties !== undefined && typeof additionalProperties !== "boolean") {
    treeFault(pointer(at, "additionalProperties"), "must be true or false");
  }
  if (required === undefined) return;
  const place = pointer(at, "required");
  if (!isNameList(required)) treeFault(place, "must be an array of different names");
  const known = isObject(properties) ? properties : {};
  const unknown = required.find((name) => !Object.hasOwn(known, name));
  if (unknown !== undefined && additionalProperties === false) {
    treeFault(place, `${JSON.stringify(unknown)} is not among the properties`);
  }
}

function isNameList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((name) => typeof name === "string") &&
    new Set(value).size === value.length;
}

/** Runs last, when bounds and children are known to be well formed. */
function checkChoices(schema: ValueSchema, at: string): void {
  const { enum: choices, const: constant, ...plain } = schema;
  if (choices !== undefined) {
    const place = pointer(at, "enum");
    if (!Array.isArray(choices) || choices.length === 0) {
      treeFault(place, "must be a nonempty array");
    }
    for (const [index, choice] of choices.entries()) {
      const problem = checkValue(plain, choice);
      if (problem !== null) treeFault(pointer(place, index), problem.message);
      if (choices.slice(0, index).some((earlier) => jsonEquals(earlier, choice))) {
        treeFault(pointer(place, index), "is there twice");
      }
    }
  }
  if (constant === undefined) return;
  const problem = checkValue(choices === undefined ? plain : { ...plain, enum: choices }, constant);
  if (problem !== null) treeFault(pointer(at, "const"), problem.message);
}
