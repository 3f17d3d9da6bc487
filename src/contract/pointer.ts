/**
 * Places in a document.
 *
 * @module
 */

/** The JSON Pointer (RFC 6901) to `key` below `at`; the empty pointer is the root. */
export function pointer(at: string, key: string | number): string {
  return `${at}/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}
