/**
 * What the CLI demands of its values beyond what a tree's schema can say. Checked here so that a wrong value
 * costs no process and the message says what to do.
 *
 * @module
 */
import { AdapterError } from "../base/errors.ts";
import type { JsonValue } from "../base/json.ts";
import { quoteName } from "./argument_error.ts";

/** Any version and variant is accepted, the nil UUID too, and any case (measured); without hyphens it is not. */
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** C0, DEL and C1. */
const CONTROL = /\p{Cc}/u;

/** Whether `text` has nothing that the CLI takes for a prompt: it trims as JavaScript does (measured). */
function isBlank(text: string): boolean {
  return text.trim() === "";
}

const RULES: { readonly [name: string]: (value: string) => string | null } = {
  prompt: (value) =>
    isBlank(value)
      ? "it is only white space, which the CLI refuses; say what Claude is to do"
      : null,
  session_id: (value) =>
    UUID.test(value)
      ? null
      : "it must be a UUID in the form xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx with hexadecimal digits; " +
        "correct it, or leave it out and the CLI makes one",
  resume_session_id: (value) =>
    CONTROL.test(value)
      ? "it must not contain control characters; give the session_id of an earlier result"
      : isBlank(value)
      ? "it is only white space; give the session_id of an earlier result"
      : null,
};

/**
 * Checks the supplied values of a run.
 *
 * @throws {AdapterError} `invalid_arguments`, naming the argument and what to do.
 */
export function checkNativeRules(values: { readonly [name: string]: JsonValue }): void {
  for (const [name, rule] of Object.entries(RULES)) {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    const fault = typeof value === "string" ? rule(value) : null;
    if (fault === null) continue;
    throw new AdapterError("invalid_arguments", `Invalid argument ${quoteName(name)}: ${fault}`);
  }
}
