/**
 * Reads a tree from the bytes of a file.
 *
 * @module
 */
import { parse as parseJsonc } from "@std/jsonc/parse";
import { visibleSentence } from "../base/visible.ts";
import { TREE_LIMITS } from "./cli_tree.ts";
import { isTooDeep } from "./nesting.ts";
import { repeatedMembers } from "./repeated_members.ts";
import { createFaults, type TreeCode } from "./tree_diagnostic.ts";
import { judgeTree, type TreeValidation, type ValidateOptions } from "./validate_tree.ts";

/** How to read a tree. */
export interface ReadTreeOptions extends ValidateOptions {
  /**
   * Whether the text may have comments and trailing commas, as files named `.jsonc` do. Hosts read plain JSON only.
   *
   * @default {false}
   */
  readonly comments?: boolean;
}

/** As UTF-8. A decoder drops it, but whoever reads a file as text and parses it gets a syntax error (measured). */
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/**
 * Parses and judges a tree. More than the parser says: the size is bounded before anything is parsed, the text must be
 * UTF-8, and a member that is there twice is an error, since parsers differ in which one they keep. Never throws.
 */
export function readTree(bytes: Uint8Array, options: ReadTreeOptions = {}): TreeValidation {
  const { comments = false } = options;
  const max = TREE_LIMITS.documentBytes;
  if (bytes.length > max) {
    return unreadTree("clitree.document.too_large", `it is larger than ${max} bytes`);
  }
  if (BYTE_ORDER_MARK.every((byte, i) => bytes[i] === byte)) {
    return unreadTree(
      "clitree.document.encoding",
      "it begins with a byte order mark, which JSON parsers refuse; save it as UTF-8 without one",
    );
  }
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return unreadTree("clitree.document.encoding", "it is no UTF-8 text");
  }
  let document: unknown;
  try {
    document = comments ? parseJsonc(text) : JSON.parse(text);
  } catch (caught) {
    return unreadTree("clitree.document.encoding", describe(caught, text, comments));
  }
  const faults = createFaults();
  const tooDeep = isTooDeep(document, TREE_LIMITS.documentDepth);
  const repeated = tooDeep ? [] : repeatedMembers(text, TREE_LIMITS.diagnostics + 1);
  for (const at of repeated) {
    const message = "this member is there twice, and not every parser keeps the same one";
    faults.error("clitree.document.invalid", at, message);
  }
  return judgeTree(document, faults, options);
}

/** The verdict about something that is no document yet. */
export function unreadTree(code: TreeCode, message: string): TreeValidation {
  const faults = createFaults();
  faults.error(code, "", message);
  return { valid: false, tree: null, ...faults.list() };
}

function describe(caught: unknown, text: string, comments: boolean): string {
  if (caught instanceof RangeError) return "it is nested too deeply to be read";
  if (!comments && isJsonc(text)) {
    return "comments and trailing commas are only for files named .jsonc; this one has to be plain JSON";
  }
  const detail = caught instanceof Error ? caught.message : String(caught);
  return `it is no JSON: ${visibleSentence(detail)}`;
}

function isJsonc(text: string): boolean {
  try {
    parseJsonc(text);
    return true;
  } catch {
    return false;
  }
}
