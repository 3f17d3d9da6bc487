/**
 * How a fault in a tree is reported: by the JSON pointer of the place.
 *
 * @module
 */
import { AdapterError } from "../base/errors.ts";

/** The pointer to `key` below `at` (RFC 6901). */
export function pointer(at: string, key: string | number): string {
  return `${at}/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

/** Throws `invalid_configuration` with a message that names the place, the empty pointer being the root. */
export function treeFault(at: string, message: string): never {
  const place = at === "" ? "its root" : at;
  throw new AdapterError("invalid_configuration", `Invalid CLI tree at ${place}: ${message}`);
}
