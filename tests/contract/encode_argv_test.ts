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
