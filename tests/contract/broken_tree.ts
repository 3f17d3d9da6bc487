/** Tables of broken trees: each says where the fault is and what the message has to contain. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { loadTree } from "../../src/contract/load_tree.ts";
import { caught } from "./caught.ts";
import { sampleTree } from "./sample_tree.ts";

// deno-lint-ignore no-explicit-any -- tests break it in every way
export type Loose = any;

/** One way to break the sample tree. */
export interface BrokenTree {
  readonly name: string;
  /** JSON pointer of the fault; with a final slash, anywhere below it. */
  readonly at: string;
  /** Part of the message. */
  readonly says: string;
  readonly break: (tree: Loose) => void;
}

/** JSON pointer of the sample's richest command. */
export const SEND = "/commands/1";

/** The sample's richest command. */
export function send(tree: Loose): Loose {
  return tree.commands[1];
}

/** The schema of one of its parameters. */
export function schemaOf(tree: Loose, index: number): Loose {
  return send(tree).parameters[index].schema;
}

/** A schema of so many levels. */
export function nested(levels: number): Loose {
  return levels === 1 ? { type: "string" } : { type: "array", items: nested(levels - 1) };
}

/** Registers one test for each. */
export function testRefusals(table: readonly BrokenTree[]): void {
  for (const bad of table) {
    Deno.test(`loadTree() refuses ${bad.name} and names the place`, () => {
      const tree = sampleTree();
      bad.break(tree);
      const error = caught(() => loadTree(tree));
      assertEquals(error.code, "invalid_configuration");
      const place = bad.at.endsWith("/") ? bad.at : `${bad.at}: `;
      assertStringIncludes(error.message, `Invalid CLI tree at ${place}`);
      assertStringIncludes(error.message, bad.says);
    });
  }
}
