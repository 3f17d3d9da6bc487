import { assertEquals, assertStringIncludes } from "@std/assert";
import { TREE_LIMITS } from "../../src/contract/cli_tree.ts";
import { readTree } from "../../src/contract/read_tree.ts";
import { repeatedMembers } from "../../src/contract/repeated_members.ts";
import { utf8 } from "../helpers/chunks.ts";
import { sampleTree } from "./sample_tree.ts";

const SAMPLE = JSON.stringify(sampleTree());
const COMMENTED = `// A tree.\n${SAMPLE.replace("{", "{ /* first */ ").replace(/\}$/, ",}")}`;

const UNREAD: readonly [
  name: string,
  text: string | Uint8Array<ArrayBuffer>,
  expected: string,
  says: string,
  comments?: boolean,
][] = [
  ["an empty file", "", "encoding ", "no JSON"],
  ["half a document", SAMPLE.slice(0, -5), "encoding ", "no JSON"],
  ["two documents", SAMPLE + SAMPLE, "encoding ", "no JSON"],
  ["a word that is no JSON", "undefined", "encoding ", "no JSON"],
  ["bytes that are no UTF-8", Uint8Array.of(0x22, 0xff, 0x22), "encoding ", "UTF-8"],
  ["half a character", utf8('"é').slice(0, 2), "encoding ", "UTF-8"],
  ["a byte order mark", `\ufeff${SAMPLE}\n`, "encoding ", "begins with a byte order mark"],
  ["a byte order mark before comments", `\ufeff${COMMENTED}`, "encoding ", "order mark", true],
  ["comments in plain JSON", COMMENTED, "encoding ", "only for files named .jsonc"],
  ["a trailing comma in plain JSON", '{"a":1,}', "encoding ", "only for files named .jsonc"],
  ["no JSON with comments either", "// only this", "encoding ", "no JSON", true],
  ["a comment without an end", `${SAMPLE} /*`, "encoding ", "no JSON", true],
  ["brackets without end", "[".repeat(4_000_000), "encoding ", "no JSON"],
  ["brackets without end, with comments", "[".repeat(4_000_000), "encoding ", "deep", true],
  ["a deep list", "[".repeat(2_000_000) + "]".repeat(2_000_000), "encoding ", "512"],
  ["a byte too many", SAMPLE.padEnd(TREE_LIMITS.documentBytes + 1), "too_large ", "4194304"],
  ["a byte too many that is no JSON", "x".repeat(4_194_305), "too_large ", "4194304"],
  [
    "a member that is there twice",
    SAMPLE.replace("{", '{"source":"made up",'),
    "invalid /source",
    "twice",
  ],
  [
    "a member that is there twice, once in another spelling",
    SAMPLE.replace('"name":"dry"', '"name":"dry","n\\u0061me":"dry"'),
    "invalid /commands/1/parameters/0/name",
    "twice",
  ],
  [
    "a member that is there twice, with comments",
    COMMENTED.replace("{", '{"source":"s", // "source":\n'),
    "invalid /source",
    "twice",
    true,
  ],
];

for (const [name, text, expected, says, comments = false] of UNREAD) {
  Deno.test(`readTree() refuses ${name}`, () => {
    const bytes = typeof text === "string" ? utf8(text) : text;
    const { valid, tree, diagnostics } = readTree(bytes, { comments });
    assertEquals([valid, tree], [false, null]);
    const [first] = diagnostics;
    assertEquals(`${first?.code} ${first?.path}`, `clitree.document.${expected}`);
    assertStringIncludes(first!.message, says);
  });
}

Deno.test("readTree() takes plain JSON, and comments where they are allowed", () => {
  for (
    const [text, comments] of [
      [SAMPLE, false],
      [SAMPLE, true],
      [SAMPLE.padEnd(TREE_LIMITS.documentBytes), false],
      [COMMENTED, true],
    ] as const
  ) {
    const { valid, tree, diagnostics } = readTree(utf8(text), { comments, expectedVersion: "1.0" });
    assertEquals([valid, diagnostics], [true, []]);
    assertEquals(JSON.parse(JSON.stringify(tree)), sampleTree());
  }
});

Deno.test("readTree() reports repetitions together with everything else", () => {
  const text = '{"format_version":1,"a":1,"a":2,"a":3,"commands":{"x":[{"y":1,"y":2}]}}';
  const { diagnostics } = readTree(utf8(text), { expectedVersion: "1" });
  assertEquals(diagnostics.map(({ code, path }) => `${code} ${path}`), [
    "clitree.document.invalid /a",
    "clitree.document.invalid /a",
    "clitree.document.invalid /commands/x/0/y",
    "clitree.document.unknown_field /a",
    "clitree.document.missing_field /source",
    "clitree.document.missing_field /executable_version",
    "clitree.document.missing_field /coverage",
    "clitree.document.missing_field /omissions",
    "clitree.document.type /commands",
    "clitree.check.undeclared /executable_checks",
  ]);
});

Deno.test("repeatedMembers() is not misled by strings, comments and order", () => {
  const cases: readonly [text: string, found: readonly string[]][] = [
    ['{"a":"a","b":["a","a",{"a":1}],"c":{"a":{"a":1}}}', []],
    ['{"a":"\\"","b":"{\\"a\\":1,\\"a\\":2}"}', []],
    ['{"a":1 /* ,"a":2 */, // "a":3\n"b":1}', []],
    ['[{"a":1},{"a":1}]', []],
    ['{"":1,"":2}', ["/"]],
    ['{"a":{"b":1},"c":[0,{"d":[],"d/~":1,"d/~":2}]}', ["/c/1/d~1~0"]],
    ['{"__proto__":1,"__proto__":2}', ["/__proto__"]],
    ['{"\\\\":1,"\\u005c":2}', ["/\\"]],
    ['{/**/"a":1,/*"*/"a":2//}', ["/a"]],
    ['"a"', []],
  ];
  for (const [text, found] of cases) assertEquals(repeatedMembers(text, 10), found, text);
  assertEquals(repeatedMembers(`{${'"a":1,'.repeat(50)}"a":1}`, 7).length, 7);
});
