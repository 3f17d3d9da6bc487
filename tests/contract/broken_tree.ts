/** Tables of broken trees: each says which diagnostics it has to give, all of them and nothing else. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { loadTree } from "../../src/contract/load_tree.ts";
import { validateTree } from "../../src/contract/validate_tree.ts";
import { caught } from "./caught.ts";
import { sampleTree } from "./sample_tree.ts";

// deno-lint-ignore no-explicit-any -- tests break it in every way
export type Loose = any;

/**
 * A name, the diagnostics as `code path` without `clitree.` (a warning with `warning ` before it), how to break the
 * part, and words of the first message.
 */
export type BrokenTree = readonly [
  name: string,
  expected: string | readonly string[],
  breakIt: (part: Loose) => void,
  says?: string,
];

/** JSON pointer of the sample's richest command. */
export const SEND = "/commands/1";

/** A schema of so many levels. */
export function nested(levels: number): Loose {
  return levels === 1 ? { type: "string" } : { type: "array", items: nested(levels - 1) };
}

/** Registers one test for each; rows break the whole document. */
export function testDocuments(table: readonly BrokenTree[]): void {
  for (const [name, expected, breakIt, says = ""] of table) {
    const wanted = [expected].flat();
    const valid = wanted.every((one) => one.startsWith("warning "));
    Deno.test(`validateTree() ${valid ? "warns of" : "refuses"} ${name}`, () => {
      const document = sampleTree();
      breakIt(document);
      const result = validateTree(document);
      const found = result.diagnostics.map(({ code, path, severity }) =>
        `${severity === "error" ? "" : "warning "}${code.replace(/^clitree\./, "")} ${path}`
      );
      assertEquals(found, wanted);
      assertStringIncludes(result.diagnostics[0]!.message, says);
      assertEquals([result.valid, result.tree !== null, result.omitted], [valid, valid, 0]);
      if (valid) return void loadTree(document);
      const error = caught(() => loadTree(document));
      assertEquals(error.code, "invalid_configuration");
      const place = result.diagnostics[0]!.path || "its root";
      assertStringIncludes(error.message, `Invalid CLI tree at ${place}: `);
    });
  }
}

/** The same; rows break the sample's richest command, and their paths start there. */
export function testCommands(table: readonly BrokenTree[]): void {
  testDocuments(table.map(([name, expected, breakIt, says]) => [
    name,
    [expected].flat().map((one) => one.replace(/ (\/|$)/, ` ${SEND}$1`)),
    (tree) => breakIt(tree.commands[1]),
    says ?? "",
  ]));
}
