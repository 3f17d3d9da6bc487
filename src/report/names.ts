/**
 * Names and ids that others chose.
 *
 * @module
 */
import { stringMember } from "../base/json.ts";
import { MAX_REPORT_ID_CHARS, MAX_REPORT_NAME_CHARS } from "../base/limits.ts";

/** A name, cut to what a line holds. */
export function shortName(name: string): string {
  return name.length <= MAX_REPORT_NAME_CHARS
    ? name
    : copyText(`${name.slice(0, MAX_REPORT_NAME_CHARS)}…`);
}

/** The id in a member of a value; `null` when there is none or it is too long to be one. */
export function readId(value: unknown, key: string): string | null {
  const id = stringMember(value, key);
  return id === null || id.length > MAX_REPORT_ID_CHARS ? null : id;
}

/**
 * The same text in memory of its own: a slice keeps the whole line that it was cut from. JSON keeps lone surrogates, which
 * UTF-8 would not.
 */
export function copyText(text: string): string {
  return JSON.parse(JSON.stringify(text));
}
