/**
 * Stand-in for `jsr:@std/jsonc/parse`, used only where JSR cannot be reached.
 *
 * Like the original it accepts comments and trailing commas and throws `SyntaxError` on anything
 * that is not JSONC.
 *
 * @module
 */
import { parse as parseTree, type ParseError, printParseErrorCode } from "npm:jsonc-parser@3.3.1";

/** A JSON value. */
export type JsonValue =
  | { [key: string]: JsonValue | undefined }
  | JsonValue[]
  | string
  | number
  | boolean
  | null;

/** Parses JSON with comments and trailing commas; throws `SyntaxError` on bad text. */
export function parse(text: string): JsonValue {
  const errors: ParseError[] = [];
  const value = parseTree(text, errors, { allowTrailingComma: true, disallowComments: false });
  const first = errors[0];
  if (first !== undefined) {
    throw new SyntaxError(
      `Cannot parse JSONC: ${printParseErrorCode(first.error)} at position ${first.offset}`,
    );
  }
  return value as JsonValue;
}
