/**
 * The literal after which nothing is an option.
 *
 * @module
 */
import type { ArgvToken } from "./cli_tree.ts";

const END_OF_OPTIONS = "--";

/** Whether `token` is the literal that ends the options. */
export function isEndOfOptions(token: ArgvToken): boolean {
  return token.kind === "literal" && token.value === END_OF_OPTIONS;
}
