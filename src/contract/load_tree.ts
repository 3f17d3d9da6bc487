/**
 * Turns a parsed document into a tree that everything else can trust, or throws.
 *
 * @module
 */
import { AdapterError } from "../base/errors.ts";
import type { CliTree } from "./cli_tree.ts";
import { validateTree } from "./validate_tree.ts";

/**
 * Checks every rule of the format and returns a frozen copy.
 *
 * @param document A parsed JSON document.
 * @throws {AdapterError} `invalid_configuration`, naming the JSON pointer of the first fault and how many more there are.
 *
 * @example
 * ```ts
 * import { loadTree } from "./load_tree.ts";
 *
 * const tree = loadTree({
 *   format_version: 1,
 *   source: "example",
 *   executable_version: "1.0.0",
 *   coverage: "complete",
 *   omissions: [],
 *   commands: [{
 *     id: "list",
 *     path: ["list"],
 *     description: "Lists everything.",
 *     executable: true,
 *     parameters: [],
 *     argv: [{ kind: "literal", value: "list" }],
 *     stdout: "text",
 *   }],
 * });
 * console.assert(tree.commands.length === 1);
 * ```
 */
export function loadTree(document: unknown): CliTree {
  const { tree, diagnostics, omitted } = validateTree(document);
  if (tree !== null) return tree;
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  const [first] = errors;
  const place = first === undefined || first.path === "" ? "its root" : first.path;
  const others = errors.length - 1 + omitted;
  const more = others > 0 ? ` (and ${others} more)` : "";
  throw new AdapterError(
    "invalid_configuration",
    `Invalid CLI tree at ${place}: ${first?.message}${more}`,
  );
}
