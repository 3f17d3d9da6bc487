import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { renderRows, wrapped } from "../../src/cli/text_columns.ts";
import { treeTable } from "../../src/cli/tree_table.ts";
import { loadTree } from "../../src/contract/load_tree.ts";
import { embeddedTree } from "../../src/contract/tree.ts";
import { sampleTree } from "../contract/sample_tree.ts";

Deno.test("a tree's table says how each parameter is passed, its bounds and its relationships", () => {
  const table = treeTable(loadTree(sampleTree()), 120);
  const parts = [
    '--version prints "1.0\\n"',
    `--about prints what has the SHA-256 ${"a".repeat(64)}`,
    "group (remote): a group",
    "send (remote send): prints json, destructive",
    "runs with: remote send <dry> <level> <ratio> <tags> <quiet> <token> -- <target> <files>",
    "--dry-run or --no-dry-run",
    "true or false; the CLI assumes false",
    "an integer from -5 to 5",
    "a number; only with level",
    "--tag … for each",
    "an array of 1 to 3 items, each a string of at most 8 characters",
    "true; not with ratio",
    "a string; secret",
    "target *",
    "standard input, json",
    "-a …",
    "--name=…",
    "left out:\n-  the rest",
  ];
  for (const part of parts) assertStringIncludes(table, part);
  assertEquals(table.split("* required").length, 2, "only where something is required");
});

Deno.test("a tree's table is never wider than it may be, whatever is in it", () => {
  const tree = sampleTree();
  tree.source = "s".repeat(500);
  tree.commands[0].description = "one\ntwo \u001b[31mred\u001b[0m \u202eback";
  tree.commands[1].argv[2].flag = `--${"f".repeat(300)}`;
  const foreign = loadTree(tree);
  for (const width of [40, 41, 60, 80, 100, 120]) {
    for (const one of [foreign, embeddedTree()]) {
      const table = treeTable(one, width);
      for (const line of table.split("\n")) {
        assert([...line].length <= width, `${width}: ${line}`);
        assert(!/[\p{Cc}\u202e]/u.test(line), JSON.stringify(line));
        assertEquals(line, line.trimEnd());
      }
    }
  }
  assertStringIncludes(treeTable(foreign, 100), "one two \\x1b[31mred\\x1b[0m \\u202eback");
});

Deno.test("wrapped() keeps every word, and cuts those that fit in no line", () => {
  assertEquals(wrapped("one two three", 7), ["one two", "three"]);
  assertEquals(wrapped("one two three", 9, "  "), ["  one two", "  three"]);
  assertEquals(wrapped("a abcdefgh b", 4), ["a", "abcd", "efgh", "b"]);
  assertEquals(wrapped("a😀😀b", 2), ["a", "😀", "😀", "b"]);
  assertEquals(wrapped("", 4), [""]);
});

Deno.test("renderRows() wraps a cell in its own column", () => {
  const rows = [["a", "one two three"], ["long", "x"]];
  assertEquals(renderRows(rows, { columns: [{ max: 3 }, {}], width: 12 }), [
    "a    one two",
    "     three",
    "lon  x",
    "g",
  ]);
});
