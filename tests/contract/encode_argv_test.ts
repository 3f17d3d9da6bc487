import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { MAX_ARGUMENT_BYTES } from "../../src/base/limits.ts";
import type { CliCommand } from "../../src/contract/cli_tree.ts";
import { encodeCommand, type SuppliedValues } from "../../src/contract/encode_argv.ts";
import { loadTree } from "../../src/contract/load_tree.ts";
import { caught } from "./caught.ts";
import { sampleTree } from "./sample_tree.ts";

const { commands } = loadTree(sampleTree());
const command = (id: string): CliCommand => commands.find((candidate) => candidate.id === id)!;
const SEND = command("send");
const PICK = command("pick");
const STYLES = command("styles");
const END = ["end"];

const GOOD: readonly {
  name: string;
  command: CliCommand;
  values: SuppliedValues;
  argv: readonly string[];
  stdin?: string | Uint8Array;
}[] = [
  {
    name: "leaves out what was not supplied, documented defaults too",
    command: SEND,
    values: { target: "a" },
    argv: ["remote", "send", "--", "a"],
  },
  {
    name: "writes every token in the tree's order, whatever the order of the values",
    command: SEND,
    values: {
      files: ["x", "-y", ""],
      body: { to: "me", cc: null },
      target: "-b",
      token: "t",
      tags: ["p", "q"],
      ratio: 0.5,
      level: -5,
      dry: true,
    },
    argv: [
      "remote",
      "send",
      "--dry-run",
      "--level=-5",
      "-r",
      "0.5",
      "--tag",
      "p",
      "--tag",
      "q",
      "--token",
      "t",
      "--",
      "-b",
      "x",
      "-y",
      "",
    ],
    stdin: '{"cc":null,"to":"me"}',
  },
  {
    name: "writes the inverse of a two-way flag for false, and a one-way flag",
    command: SEND,
    values: { dry: false, quiet: true, target: "a" },
    argv: ["remote", "send", "--no-dry-run", "-q", "--", "a"],
  },
  {
    name: "writes whole numbers as plain digits",
    command: SEND,
    values: { ratio: 1e21, level: -0, target: "a" },
    argv: ["remote", "send", "--level=0", "-r", "1000000000000000000000", "--", "a"],
  },
  {
    name: "decodes base64 input",
    command: PICK,
    values: { data: "AP+A" },
    argv: ["pick"],
    stdin: Uint8Array.of(0, 255, 128),
  },
  {
    name: "admits NUL on standard input",
    command: SEND,
    values: { target: "a", body: { to: "\0" } },
    argv: ["remote", "send", "--", "a"],
    stdin: '{"to":"\\u0000"}',
  },
];

/** Every style with every kind of value; `end` is the literal after all of them. */
const BY_STYLE: readonly [values: SuppliedValues, argv: readonly string[]][] = [
  [{}, []],
  // Arrays
  [{ each: ["a", "b"] }, ["--each", "a", "--each", "b"]],
  [{ all: ["a", "b"] }, ["-a", "a", "b"]],
  [{ names: ["a", "b"] }, ["--name=a", "--name=b"]],
  [{ pair: ["a", "b"] }, ["a", "b"]],
  [{ pair: ["a", "b"], counts: [1, -0, 20] }, ["a", "b", "1", "0", "20"]],
  // Empty
  [{ each: [], all: [], names: [] }, []],
  [{ each: [""], all: ["", ""], names: [""], once: "" }, [
    "--each",
    "",
    "-a",
    "",
    "",
    "--name=",
    "--once",
    "",
  ]],
  [{ pair: ["", ""], counts: [] }, ["", ""]],
  // Booleans
  [{ on: true }, ["--on"]],
  [{ yes: true }, ["--yes=true"]],
  [{ yes: false }, ["--yes=false"]],
  // One value where several could be
  [{ once: "a" }, ["--once", "a"]],
  // Nothing of this is special to anybody
  ...["-x", "--", "--each=b", "="].map((text): [SuppliedValues, string[]] => [
    { names: [text] },
    [`--name=${text}`],
  ]),
  ...["a b", "a\nb", "$(id)", "`id`", "'\"", "*", "\\", "é", "😀", "\u2028", "\ud83d", "=", "a-"]
    .flatMap((
      text,
    ): [SuppliedValues, string[]][] => [
      [{ once: text }, ["--once", text]],
      [{ names: [text] }, [`--name=${text}`]],
      [{ pair: [text, text] }, [text, text]],
    ]),
];

const BAD: readonly { values: SuppliedValues; of?: CliCommand; says: readonly string[] }[] = [
  { of: command("group"), values: {}, says: ['"group"', "cannot be run"] },
  { values: { target: "a", tragt: 1 }, says: ['Unknown argument "tragt"', "dry, level, ratio"] },
  { values: { target: "a", ["x".repeat(999)]: 1 }, says: ["Unknown argument", "…"] },
  { values: { target: "a", toString: 1 }, says: ['Unknown argument "toString"'] },
  { values: {}, says: ['Missing argument "target"', 'one of "a", "-b"'] },
  { values: { target: "c" }, says: ['"target"', "one of", "a string of 1 character"] },
  { values: { target: "a", level: 6 }, says: ['"level"', "from -5 to 5", "the number 6"] },
  { values: { target: "a", tags: ["123456789"] }, says: ['"tags"', '"/0"', "at most 8"] },
  { values: { target: "a", quiet: false }, says: ['"quiet"', "must be true, but is false"] },
  {
    values: { target: "a", ratio: 1, level: 1, quiet: true },
    says: ['"quiet" and "ratio"', "exclude"],
  },
  { values: { target: "a", ratio: 1 }, says: ['"ratio" needs "level"'] },
  { values: { target: "a", token: "-x" }, says: ['"token"', "hyphen", "--token"] },
  { values: { target: "a", tags: ["ok", "-x"] }, says: ['"tags"', "hyphen", "--tag"] },
  { values: { target: "a", level: 1, ratio: -1 }, says: ['"ratio"', "hyphen"] },
  { values: { target: "a", token: "a\0b" }, says: ['"token"', "NUL"] },
  { values: { target: "a", files: ["a\0"] }, says: ['"files"', "NUL"] },
  {
    values: { target: "a", files: ["x".repeat(MAX_ARGUMENT_BYTES + 1)] },
    says: ['"files"', "131072 bytes", "131071"],
  },
  { values: { target: "a", files: ["é".repeat(65_536)] }, says: ['"files"', "131072 bytes"] },
  { values: { target: "a", files: Array(16_384).fill("") }, says: ["16388 arguments", "16384"] },
  { values: { target: "a", files: Array(9).fill("x".repeat(131_000)) }, says: ["1048576"] },
  {
    values: { target: "a", body: { to: "x".repeat(4 * 1024 * 1024) } },
    says: ['"body"', "4194304"],
  },
  { values: { target: "a", body: {} }, says: ['"body"', '"/to"', "present"] },
  { of: PICK, values: { first: "-x" }, says: ['"first"', "hyphen"] },
  ...["each", "all"].flatMap((name) =>
    ["-", "-x", "--"].map((text) => ({
      of: STYLES,
      values: { [name]: ["a", text] },
      says: [JSON.stringify(name), "hyphen"],
    }))
  ),
  { of: STYLES, values: { once: "-1" }, says: ['"once"', "hyphen", "--once"] },
  { of: STYLES, values: { pair: ["a", "-"] }, says: ['"pair"', "hyphen", "no --"] },
  { of: STYLES, values: { pair: ["a", "b"], counts: [-1] }, says: ['"counts"', "hyphen"] },
  { of: STYLES, values: { counts: [1] }, says: ['"counts"', '"pair"'] },
  { of: STYLES, values: { on: false }, says: ['"on"', "false", "leave it out"] },
  { of: STYLES, values: { on: null }, says: ['"on"', "null"] },
  { of: STYLES, values: { names: ["\0"] }, says: ['"names"', "NUL"] },
  { of: STYLES, values: { once: "a\0" }, says: ['"once"', "NUL"] },
  { of: STYLES, values: { names: null }, says: ['"names"', "null"] },
  {
    of: STYLES,
    values: { pair: ["a", "b"], counts: [2 ** 53] },
    says: ['"counts"', '"/0"', "exactly"],
  },
  { of: STYLES, values: { text: "é".repeat(2_097_153) }, says: ['"text"', "4194306", "4194304"] },
  {
    of: STYLES,
    values: { names: ["x".repeat(MAX_ARGUMENT_BYTES - 6)] },
    says: ['"names"', "131072 bytes", "131071"],
  },
  ...[
    "A",
    "AAA",
    "A===",
    "AA=",
    "AAAA=",
    "AA==AA==",
    "AAA A",
    " AAAA",
    "AA\n==",
    "-_-_",
    "é===",
    "====",
  ]
    .map((data) => ({ of: PICK, values: { data }, says: ['"data"', "base64"] })),
  { of: PICK, values: { data: "A".repeat(5_592_412) }, says: ['"data"', "4194309", "4194304"] },
  { values: { target: "a", body: { to: "a", deep: 1 } }, says: ['"body"', '"/deep"', "known"] },
  { of: PICK, values: { second: "x" }, says: ['"second"', '"first"'] },
  { of: PICK, values: { data: "%%" }, says: ['"data"', "base64"] },
];

for (const good of GOOD) {
  Deno.test(`encodeCommand() ${good.name}`, () => {
    assertEquals(encodeCommand(good.command, good.values), {
      argv: good.argv,
      stdin: good.stdin ?? null,
    } as ReturnType<typeof encodeCommand>);
  });
}

Deno.test("encodeCommand() writes every kind of value in every style, exactly", () => {
  for (const [values, argv] of BY_STYLE) {
    assertEquals(encodeCommand(STYLES, values), { argv: [...argv, ...END], stdin: null });
  }
});

Deno.test("encodeCommand() writes standard input in every encoding, exactly", () => {
  for (const text of ["", "\0", "é😀\n", "-x", "x".repeat(4 * 1024 * 1024)]) {
    assertEquals(encodeCommand(STYLES, { text }).stdin, text);
  }
  const bytes: readonly [string, readonly number[]][] = [
    ["", []],
    ["AA==", [0]],
    ["AAE=", [0, 1]],
    ["/+9A", [255, 239, 64]],
  ];
  for (const [data, expected] of bytes) {
    assertEquals(encodeCommand(PICK, { data }).stdin, Uint8Array.from(expected));
  }
  assertEquals(
    (encodeCommand(PICK, { data: "A".repeat(5_592_404) + "AA==" }).stdin as Uint8Array).length,
    4 * 1024 * 1024,
  );
});

Deno.test("encodeCommand() writes equal JSON values as equal texts", () => {
  const tree = sampleTree();
  tree.commands[1].parameters[8].schema = { type: "object", properties: {} };
  const send = loadTree(tree).commands[1]!;
  const cases: readonly [SuppliedValues, string][] = [
    [{}, "{}"],
    [{ b: [null, false, "", {}], a: 0 }, '{"a":0,"b":[null,false,"",{}]}'],
    [{ a: { y: 1, x: 2, "10": 3, "9": 4 } }, '{"a":{"10":3,"9":4,"x":2,"y":1}}'],
    [{ é: "é\u2028\ud83d", z: "/" }, '{"z":"/","é":"é\u2028\\ud83d"}'],
    [JSON.parse('{"__proto__":{"b":1,"a":2}}'), '{"__proto__":{"a":2,"b":1}}'],
  ];
  for (const [body, text] of cases) {
    assertEquals(encodeCommand(send, { target: "a", body }).stdin, text);
  }
  let deep: SuppliedValues = {};
  for (let i = 1; i < 512; i++) deep = { a: deep };
  assertEquals(typeof encodeCommand(send, { target: "a", body: deep }).stdin, "string");
  for (let i = 0; i < 100_000; i++) deep = { a: deep };
  const error = caught(() => encodeCommand(send, { target: "a", body: deep }));
  assertStringIncludes(error.message, "deeper than 512");
});

Deno.test("encodeCommand() counts a terminator for each argument", () => {
  // 1 MiB is 16,384 arguments of 63 bytes and a terminator each; "remote send -- a" and 16,380 more are 16,384.
  const files = Array(16_380).fill("x".repeat(63));
  const first = "x".repeat(63 + 4 * 64 - ["remote", "send", "--", "a", ""].join(" ").length);
  const fits = [first, ...files.slice(1)];
  assertEquals(encodeCommand(SEND, { target: "a", files: fits }).argv.length, 16_384);
  const error = caught(() =>
    encodeCommand(SEND, { target: "a", files: [`${first}x`, ...files.slice(1)] })
  );
  assertStringIncludes(error.message, "1048577 bytes with their terminators");
});

Deno.test("encodeCommand() refuses what the tree does not allow and names the parameter", () => {
  for (const { of = SEND, values, says } of BAD) {
    const error = caught(() => encodeCommand(of, values));
    assertEquals(error.code, "invalid_arguments");
    for (const part of says) assertStringIncludes(error.message, part);
    assert(error.message.length < 500, "the message repeats the value");
  }
});

Deno.test("encodeCommand() counts a parameter supplied as null or false in relationships", () => {
  const tree = sampleTree();
  const { parameters } = tree.commands[1];
  parameters[0].conflicts = ["body"];
  parameters[8].schema = { type: "null" };
  const send = loadTree(tree).commands[1]!;
  const error = caught(() => encodeCommand(send, { target: "a", dry: false, body: null }));
  assertStringIncludes(error.message, '"dry" and "body" exclude each other');
});

Deno.test("encodeCommand() reads a conflict in both directions", () => {
  // Only quiet names ratio; supplying them in either order is refused.
  for (const values of [{ quiet: true, ratio: 1 }, { ratio: 1, quiet: true }]) {
    const error = caught(() => encodeCommand(SEND, { target: "a", level: 0, ...values }));
    assertStringIncludes(error.message, "exclude each other");
  }
});

Deno.test("encodeCommand() passes exactly 131,071 bytes in one argument", () => {
  const longest = "x".repeat(MAX_ARGUMENT_BYTES);
  assertEquals(encodeCommand(SEND, { target: "a", files: [longest] }).argv.at(-1), longest);
});
