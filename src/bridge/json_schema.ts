/**
 * Checks values against JSON Schemas, with the SDK's validator.
 *
 * @module
 */
import { AdapterError, messageOf } from "../base/errors.ts";
import { cutText, isObject, type JsonObject, type JsonValue } from "../base/json.ts";
import { visibleSentence } from "../base/visible.ts";
import { AjvJsonSchemaValidator } from "./sdk.ts";

/** What a check says: the value to go on with, or what is wrong with it. */
export type Checked = { readonly ok: true; readonly value: unknown } | {
  readonly ok: false;
  readonly message: string;
};

const MAX_MESSAGE_BYTES = 2_000;
const MAX_DEPTH = 64;

/** Words of later drafts that the validator, which is of draft 7, would pass over without a word. */
const UNCHECKED: ReadonlySet<string> = new Set([
  "$anchor",
  "$dynamicAnchor",
  "$dynamicRef",
  "$recursiveRef",
  "dependentRequired",
  "dependentSchemas",
  "maxContains",
  "minContains",
  "prefixItems",
  "unevaluatedItems",
  "unevaluatedProperties",
]);
/** Formats that are checked. Others mean nothing to the validator, and it would say so on the console. */
const FORMATS: ReadonlySet<string> = new Set([
  "date",
  "time",
  "date-time",
  "iso-time",
  "iso-date-time",
  "duration",
  "uri",
  "uri-reference",
  "uri-template",
  "url",
  "email",
  "hostname",
  "ipv4",
  "ipv6",
  "regex",
  "uuid",
  "json-pointer",
  "json-pointer-uri-fragment",
  "relative-json-pointer",
  "byte",
  "int32",
  "int64",
  "float",
  "double",
  "password",
  "binary",
]);

/** Where schemas stand inside of a schema. */
const NAMED = ["properties", "patternProperties", "$defs", "definitions", "dependencies"];
const SINGLE = [
  "additionalItems",
  "additionalProperties",
  "contains",
  "else",
  "if",
  "items",
  "not",
  "propertyNames",
  "then",
];
const LISTED = ["allOf", "anyOf", "items", "oneOf"];

/**
 * Makes the check of a schema.
 *
 * @throws {AdapterError} `invalid_arguments` when it is no schema, refers to what is not in it, or uses words that would
 * not be checked; `what` names it.
 */
export function jsonSchemaCheck(schema: JsonObject, what: string): (value: unknown) => Checked {
  const refuse = (reason: string): never => {
    throw new AdapterError("invalid_arguments", `Invalid ${what}: ${reason}`);
  };
  if (!isObject(schema)) refuse("it must be a JSON Schema as an object");
  const known = knownWords(schema, { depth: 0, refuse });
  let check: ReturnType<AjvJsonSchemaValidator["getValidator"]>;
  try {
    // One validator for each: it remembers schemas by their $id.
    check = new AjvJsonSchemaValidator().getValidator(known as never);
  } catch (caught) {
    return refuse(`it is no JSON Schema (${visibleSentence(messageOf(caught))})`);
  }
  return (value) => {
    const { valid, errorMessage } = check(value);
    if (valid) return { ok: true, value };
    return { ok: false, message: cutText(visibleSentence(errorMessage ?? ""), MAX_MESSAGE_BYTES) };
  };
}

interface Walk {
  readonly depth: number;
  readonly refuse: (reason: string) => never;
}

/** A copy with what the validator knows. */
function knownWords(schema: JsonValue, { depth, refuse }: Walk): JsonValue {
  if (!isObject(schema)) return schema; // true, false, or what the validator will refuse
  if (depth > MAX_DEPTH) refuse(`it is nested more than ${MAX_DEPTH} deep`);
  const inside = { depth: depth + 1, refuse };
  const copy: { [word: string]: JsonValue } = Object.create(null);
  for (const [word, value] of Object.entries(schema)) {
    if (UNCHECKED.has(word)) {
      refuse(`'${word}' is a word of a later draft that is not checked here; say it in draft 7`);
    }
    if (word === "format" && !FORMATS.has(String(value))) continue;
    if (NAMED.includes(word) && isObject(value)) {
      copy[word] = Object.fromEntries(
        Object.entries(value).map(([name, each]) => [name, knownWords(each, inside)]),
      );
    } else if (LISTED.includes(word) && Array.isArray(value)) {
      copy[word] = value.map((each) => knownWords(each, inside));
    } else if (SINGLE.includes(word)) copy[word] = knownWords(value, inside);
    else copy[word] = value;
  }
  return copy;
}
