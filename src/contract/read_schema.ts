/**
 * Reads a schema in a tree: it has to keep to the subset of JSON Schema that trees may use.
 *
 * @module
 */
import { isObject, type JsonObject, type JsonValue } from "../base/json.ts";
import { checkValue, jsonEquals } from "./check_value.ts";
import { TREE_LIMITS, type ValueSchema, type ValueType } from "./cli_tree.ts";
import { quoteName } from "./argument_error.ts";
import { pointer } from "./pointer.ts";
import type { Place, TreeCode } from "./tree_diagnostic.ts";

const COMMON = ["type", "description", "enum", "const"];

interface TypeRule {
  readonly keywords: readonly string[];
  /** The keyword without which the type says too little. */
  readonly needs?: string;
}

const TYPES: Readonly<Record<ValueType, TypeRule>> = {
  string: { keywords: ["minLength", "maxLength"] },
  integer: { keywords: ["minimum", "maximum"] },
  number: { keywords: ["minimum", "maximum"] },
  boolean: { keywords: [] },
  null: { keywords: [] },
  array: { keywords: ["items", "minItems", "maxItems"], needs: "items" },
  object: { keywords: ["properties", "required", "additionalProperties"], needs: "properties" },
};

/** Where a schema is, and under which code its faults go. */
export interface SchemaPlace extends Place {
  readonly code: TreeCode;
}

/**
 * Reports everything about `schema` that is outside the subset, contradicts itself, or is nested too deeply.
 *
 * @returns The schema when nothing is wrong with it, else `null`.
 */
export function readSchema(schema: unknown, place: SchemaPlace): ValueSchema | null {
  const before = place.faults.errors;
  checkNode(schema, { ...place, depth: 1 });
  return place.faults.errors === before ? schema as ValueSchema : null;
}

interface Node extends SchemaPlace {
  /** 1 is the schema itself. */
  readonly depth: number;
}

function checkNode(schema: unknown, node: Node): void {
  const before = node.faults.errors;
  if (node.depth > TREE_LIMITS.schemaDepth) {
    return fault(node, [], `schemas nest at most ${TREE_LIMITS.schemaDepth} levels`);
  }
  if (!isObject(schema)) return fault(node, [], "must be a schema object");
  const { type } = schema;
  if (typeof type !== "string" || !Object.hasOwn(TYPES, type)) {
    return fault(node, ["type"], `must be one of ${Object.keys(TYPES).join(", ")}`);
  }
  const { keywords, needs } = TYPES[type as ValueType];
  const allowed = [...COMMON, ...keywords];
  const sound: { [keyword: string]: JsonValue } = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (allowed.includes(keyword)) sound[keyword] = value;
    else {
      const known = allowed.join(", ");
      fault(node, [keyword], `is no keyword of a schema of type ${type} here; use only ${known}`);
    }
  }
  if (needs !== undefined && sound[needs] === undefined) {
    fault(node, [], `a schema of type ${type} needs ${needs}`);
  }
  if (sound.description !== undefined && typeof sound.description !== "string") {
    fault(node, ["description"], "must be text");
  }
  checkBounds(sound, node);
  checkChildren(sound, node);
  // A choice can only be judged by a schema that is sound itself.
  if (node.faults.errors === before) checkChoices(schema as unknown as ValueSchema, node);
}

function checkBounds(schema: JsonObject, node: Node): void {
  const isSize = (bound: JsonValue) => Number.isSafeInteger(bound) && Number(bound) >= 0;
  const size = { fits: isSize, rule: "must be a whole number of at least 0" };
  const number = { fits: Number.isFinite, rule: "must be a number" };
  for (
    const [low, high, { fits, rule }] of [
      ["minLength", "maxLength", size],
      ["minItems", "maxItems", size],
      ["minimum", "maximum", number],
    ] as const
  ) {
    const [min, max] = [schema[low], schema[high]];
    const wrong = [low, high].filter((keyword) =>
      schema[keyword] !== undefined && !fits(schema[keyword])
    );
    for (const keyword of wrong) fault(node, [keyword], rule);
    if (wrong.length > 0 || min === undefined || max === undefined) continue;
    if (Number(min) > Number(max)) fault(node, [low], `must not be above ${high}`);
  }
}

function checkChildren(schema: JsonObject, node: Node): void {
  const { items, properties, required, additionalProperties } = schema;
  if (items !== undefined) checkNode(items, below(node, ["items"]));
  if (properties !== undefined) {
    if (!isObject(properties)) fault(node, ["properties"], "must be an object of schemas");
    else {
      for (const [name, child] of Object.entries(properties)) {
        checkNode(child, below(node, ["properties", name]));
      }
    }
  }
  if (additionalProperties !== undefined && typeof additionalProperties !== "boolean") {
    fault(node, ["additionalProperties"], "must be true or false");
  }
  if (required !== undefined) checkRequired(required, isObject(properties) ? properties : {}, node);
}

function checkRequired(required: JsonValue, properties: JsonObject, node: Node): void {
  if (!Array.isArray(required)) return fault(node, ["required"], "must be an array of names");
  const seen = new Set<JsonValue>();
  for (const [index, name] of required.entries()) {
    const path = ["required", index];
    if (typeof name !== "string") fault(node, path, "must be the name of a property");
    else if (!Object.hasOwn(properties, name)) {
      fault(node, path, `${quoteName(name)} is not among the properties`);
    } else if (seen.has(name)) warn(node, path, "is there twice");
    seen.add(name);
  }
}

function checkChoices(schema: ValueSchema, node: Node): void {
  const { enum: choices, ...withoutEnum } = schema;
  const { const: constant, ...withoutConst } = schema;
  if (choices !== undefined) {
    if (
      !Array.isArray(choices) || choices.length === 0 || choices.length > TREE_LIMITS.enumValues
    ) {
      return fault(node, ["enum"], `must be an array of 1 to ${TREE_LIMITS.enumValues} values`);
    }
    for (const [index, choice] of choices.entries()) {
      const problem = checkValue(withoutEnum, choice);
      if (problem !== null) fault(node, ["enum", index], problem.message);
      else if (choices.slice(0, index).some((earlier) => jsonEquals(earlier, choice))) {
        warn(node, ["enum", index], "is there twice");
      }
    }
  }
  if (constant === undefined) return;
  const problem = checkValue(withoutConst, constant);
  if (problem !== null) fault(node, ["const"], problem.message);
}

function below(node: Node, path: readonly string[]): Node {
  return { ...node, at: path.reduce(pointer, node.at), depth: node.depth + 1 };
}

function fault(node: Node, path: readonly (string | number)[], message: string): void {
  node.faults.error(node.code, path.reduce<string>(pointer, node.at), message);
}

function warn(node: Node, path: readonly (string | number)[], message: string): void {
  node.faults.warning(node.code, path.reduce<string>(pointer, node.at), message);
}
