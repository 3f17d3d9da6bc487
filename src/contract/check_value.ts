/**
 * Checks a value against a tree's schema and says in one sentence what is wrong.
 *
 * Strings are named by their length and never quoted: a prompt is long and a parameter can be secret.
 *
 * @module
 */
import { isObject, type JsonValue } from "../base/json.ts";
import type { ValueSchema } from "./cli_tree.ts";
import { pointer } from "./pointer.ts";

/** Where a value breaks its schema, and how. */
export interface ValueProblem {
  /** JSON pointer inside the value; empty is the value itself. */
  readonly at: string;
  /** Such as `must be true or false, but is null`. */
  readonly message: string;
}

/** How a value is checked. */
export interface CheckValueOptions {
  /**
   * Refuse an integer beyond 2^53 - 1: its neighbours look the same, so that it might not be the one that was written.
   *
   * @default {false}
   */
  readonly exactIntegers?: boolean;
}

/** The first problem of `value` under `schema`, or `null`. */
export function checkValue(
  schema: ValueSchema,
  value: unknown,
  { exactIntegers = false }: CheckValueOptions = {},
): ValueProblem | null {
  return check(schema, value, { at: "", exactIntegers });
}

/** What a schema asks for, such as `a string of 1 to 256 characters`. */
export function expected(schema: ValueSchema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) {
    return `one of ${schema.enum.map((choice) => JSON.stringify(choice)).join(", ")}`;
  }
  switch (schema.type) {
    case "string":
      return `a string${counted(schema.minLength, schema.maxLength, "character")}`;
    case "array":
      return `an array${counted(schema.minItems, schema.maxItems, "item")}`;
    case "integer":
      return `an integer${ranged(schema)}`;
    case "number":
      return `a number${ranged(schema)}`;
    case "boolean":
      return "true or false";
    case "null":
      return "null";
    case "object":
      return "an object";
  }
}

/** What a value is, without its text: `a string of 5 characters`, `the number 0`, `null`. */
export function received(value: unknown): string {
  if (value === undefined) return "missing";
  if (value === null) return "null";
  if (typeof value === "string") {
    return `a string of ${plural(countCharacters(value), "character")}`;
  }
  if (typeof value === "number") return `the number ${value}`;
  if (typeof value === "boolean") return String(value);
  if (Array.isArray(value)) return `an array of ${plural(value.length, "item")}`;
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

/** The code points of `text`; a lone surrogate counts as one. */
export function countCharacters(text: string): number {
  let count = 0;
  for (let i = 0; i < text.length; i++, count++) {
    const unit = text.charCodeAt(i);
    if (unit < 0xd800 || unit > 0xdbff) continue;
    const next = text.charCodeAt(i + 1);
    if (next >= 0xdc00 && next <= 0xdfff) i += 1;
  }
  return count;
}

/** Whether two JSON values are equal, whatever the order of their members. */
export function jsonEquals(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((item, i) => jsonEquals(item, right[i]));
  }
  if (!isObject(left) || !isObject(right)) return false;
  const keys = Object.keys(left);
  return keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && jsonEquals(left[key], right[key]));
}

interface ValuePlace {
  readonly at: string;
  readonly exactIntegers: boolean;
}

function check(schema: ValueSchema, value: unknown, place: ValuePlace): ValueProblem | null {
  const { at, exactIntegers } = place;
  const fits = hasType(schema, value) && inBounds(schema, value) && isChoice(schema, value);
  if (!fits) {
    return { at, message: `must be ${expected(schema)}, but is ${describe(schema, value)}` };
  }
  if (exactIntegers && schema.type === "integer" && !Number.isSafeInteger(value)) {
    return { at, message: `is ${received(value)}, which is too large to be passed on exactly` };
  }
  if (Array.isArray(value)) return checkItems(schema, value, place);
  return isObject(value) ? checkMembers(schema, value, place) : null;
}

function hasType(schema: ValueSchema, value: unknown): boolean {
  switch (schema.type) {
    case "string":
      return typeof value === "string";
    case "boolean":
      return typeof value === "boolean";
    case "integer":
      return Number.isInteger(value);
    case "number":
      return Number.isFinite(value);
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return isObject(value);
  }
}

function inBounds(schema: ValueSchema, value: unknown): boolean {
  if (typeof value === "string") return lengthFits(value, schema);
  if (typeof value === "number") {
    return value >= (schema.minimum ?? -Infinity) && value <= (schema.maximum ?? Infinity);
  }
  if (!Array.isArray(value)) return true;
  return value.length >= (schema.minItems ?? 0) && value.length <= (schema.maxItems ?? Infinity);
}

/** UTF-16 units are between one and two per character, so most strings need no counting. */
function lengthFits(text: string, { minLength = 0, maxLength = Infinity }: ValueSchema): boolean {
  if (surelyTooLong(text, maxLength) || text.length < minLength) return false;
  if (text.length <= maxLength && text.length >= 2 * minLength) return true;
  const characters = countCharacters(text);
  return characters >= minLength && characters <= maxLength;
}

function surelyTooLong(text: string, maxLength: number): boolean {
  return text.length > 2 * maxLength;
}

function isChoice(schema: ValueSchema, value: unknown): boolean {
  if (schema.const !== undefined && !jsonEquals(schema.const, value)) return false;
  return schema.enum === undefined || schema.enum.some((choice) => jsonEquals(choice, value));
}

/** As {@linkcode received}, but never walks a string that is far too long. */
function describe(schema: ValueSchema, value: unknown): string {
  const max = schema.maxLength ?? Infinity;
  if (typeof value !== "string" || !surelyTooLong(value, max)) return received(value);
  return `a string of at least ${Math.ceil(value.length / 2)} characters`;
}

function checkItems(schema: ValueSchema, value: readonly unknown[], place: ValuePlace) {
  if (schema.items === undefined) return null;
  for (const [index, item] of value.entries()) {
    const problem = check(schema.items, item, { ...place, at: pointer(place.at, index) });
    if (problem !== null) return problem;
  }
  return null;
}

function checkMembers(
  schema: ValueSchema,
  value: { readonly [key: string]: JsonValue },
  place: ValuePlace,
): ValueProblem | null {
  const { at } = place;
  for (const name of schema.required ?? []) {
    if (!Object.hasOwn(value, name)) return { at: pointer(at, name), message: "must be present" };
  }
  const known = schema.properties ?? {};
  for (const [name, member] of Object.entries(value)) {
    const memberSchema = Object.hasOwn(known, name) ? known[name] : undefined;
    if (memberSchema !== undefined) {
      const problem = check(memberSchema, member, { ...place, at: pointer(at, name) });
      if (problem !== null) return problem;
    } else if (schema.additionalProperties === false) {
      return { at: pointer(at, name), message: "is not a known member" };
    }
  }
  return null;
}

function counted(min: number | undefined, max: number | undefined, unit: string): string {
  if (max === undefined) return min ? ` of at least ${plural(min, unit)}` : "";
  if (min === max) return ` of exactly ${plural(max, unit)}`;
  return min ? ` of ${min} to ${plural(max, unit)}` : ` of at most ${plural(max, unit)}`;
}

function ranged({ minimum, maximum }: ValueSchema): string {
  if (minimum === undefined) return maximum === undefined ? "" : ` of at most ${maximum}`;
  return maximum === undefined ? ` of at least ${minimum}` : ` from ${minimum} to ${maximum}`;
}

function plural(count: number, unit: string): string {
  return count === 1 ? `1 ${unit}` : `${count} ${unit}s`;
}
