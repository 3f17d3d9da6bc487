import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import document from "../../cli-tree.json" with { type: "json" };
import { TREE_LIMITS } from "../../src/contract/cli_tree.ts";
import { loadTree } from "../../src/contract/load_tree.ts";
import { validateTree } from "../../src/contract/validate_tree.ts";
import { testDocuments } from "./broken_tree.ts";
import { caught } from "./caught.ts";
import { sampleTree } from "./sample_tree.ts";

const CHECK = "/executable_checks/0";

testDocuments([
  ["no source", "document.missing_field /source", (t) => delete t.source, "add it"],
  ["a source that is a number", "document.type /source", (t) => t.source = 1, "string"],
  ["an empty source", "document.invalid /source", (t) => t.source = "", "empty"],
  ["an empty version", "document.invalid /executable_version", (t) => t.executable_version = ""],
  ["another coverage", "document.encoding /coverage", (t) => t.coverage = "most", "complete"],
  ["coverage as a list", "document.type /coverage", (t) => t.coverage = ["partial"]],
  ["a tree without omissions", "document.missing_field /omissions", (t) => delete t.omissions],
  [
    "partial with no omission",
    "document.invalid /omissions",
    (t) => t.omissions = [],
    "leaves out",
  ],
  [
    "complete with an omission",
    "document.invalid /omissions",
    (t) => t.coverage = "complete",
    "partial",
  ],
  [
    "an omission without a word",
    "warning document.invalid /omissions/0",
    (t) => t.omissions = [""],
  ],
  ["an omission that is no text", "document.type /omissions/1", (t) => t.omissions.push(1)],
  ["an unknown member", "document.unknown_field /extra", (t) => t.extra = 1, "extra"],
  ["a comment as a member", "document.unknown_field /~1~1", (t) => t["//"] = "hello"],
  ["several faults at once", [
    "document.unknown_field /a",
    "document.unknown_field /b",
    "document.type /coverage",
    "document.invalid /source",
    "check.invalid /executable_checks/0/args",
    "command.invalid /commands/0/description",
    "parameter.invalid /commands/1/parameters/1/schema/minimum",
    "parameter.invalid /commands/1/parameters/4/conflicts/0",
    "argv.invalid /commands/1/argv/3/flag",
    "document.missing_field /commands/2/id",
    "warning document.invalid /omissions/0",
  ], (t) => {
    Object.assign(t, { a: 1, b: 2, coverage: 0, source: "", omissions: [""] });
    t.executable_checks[0].args = [];
    t.commands[0].description = "";
    t.commands[1].parameters[1].schema.minimum = 6;
    t.commands[1].parameters[4].conflicts = ["quiet"];
    t.commands[1].argv[3].flag = "level";
    delete t.commands[2].id;
  }],
  // Format
  [
    "a format of another version and says nothing else",
    "format.unsupported /format_version",
    (t) => {
      t.format_version = 2;
      t.commands = "in another way";
    },
    "version 1",
  ],
  [
    "a format between versions",
    "format.unsupported /format_version",
    (t) => t.format_version = 1.5,
  ],
  ["a format as text", "document.type /format_version", (t) => t.format_version = "1", "number"],
  ["no format", "document.missing_field /format_version", (t) => delete t.format_version],
  // Checks
  [
    "checks that are no list",
    "document.type /executable_checks",
    (t) => t.executable_checks = null,
  ],
  [
    "five checks",
    "check.invalid /executable_checks",
    (t) => t.executable_checks = Array(5).fill(t.executable_checks[0]),
    "4",
  ],
  ["a check that is text", `document.type ${CHECK}`, (t) => t.executable_checks[0] = "--version"],
  [
    "a check without its output",
    `check.invalid ${CHECK}`,
    (t) => delete t.executable_checks[0].stdout,
    "exactly one",
  ],
  [
    "a check with both outputs",
    `check.invalid ${CHECK}`,
    (t) => t.executable_checks[0].stdout_sha256 = "0".repeat(64),
    "exactly one",
  ],
  [
    "a check with an unknown member",
    `document.unknown_field ${CHECK}/grant`,
    (t) => t.executable_checks[0].grant = "admin",
  ],
  [
    "a check without arguments",
    `check.invalid ${CHECK}/args`,
    (t) => t.executable_checks[0].args = [],
    "1 to 128",
  ],
  [
    "a check with 129 arguments",
    `check.invalid ${CHECK}/args`,
    (t) => t.executable_checks[0].args = Array(129).fill(""),
  ],
  [
    "a check with long arguments",
    `check.invalid ${CHECK}/args`,
    (t) => t.executable_checks[0].args = ["x".repeat(65_536)],
    "65536",
  ],
  [
    "a check with NUL",
    `check.invalid ${CHECK}/args/1`,
    (t) => t.executable_checks[0].args.push("\0"),
    "NUL",
  ],
  [
    "a check with a long output",
    `check.invalid ${CHECK}/stdout`,
    (t) => t.executable_checks[0].stdout = "é".repeat(32_769),
    "65536",
  ],
  [
    "a digest in upper case",
    "check.invalid /executable_checks/1/stdout_sha256",
    (t) => t.executable_checks[1].stdout_sha256 = "A".repeat(64),
    "lower-case",
  ],
  [
    "a digest with a line end",
    "check.invalid /executable_checks/1/stdout_sha256",
    (t) => t.executable_checks[1].stdout_sha256 += "\n",
  ],
  [
    "no checks",
    "warning check.undeclared /executable_checks",
    (t) => delete t.executable_checks,
    "proves",
  ],
  [
    "an empty list of checks",
    "warning check.undeclared /executable_checks",
    (t) => t.executable_checks = [],
  ],
  // Commands
  ["no commands", "document.missing_field /commands", (t) => delete t.commands],
  ["an empty list of commands", "document.invalid /commands", (t) => t.commands = [], "1 to 4096"],
  ["commands as an object", "document.type /commands", (t) => t.commands = {}],
  ["a command that is text", "document.type /commands/2", (t) => t.commands[2] = "pick", "object"],
  ["a command that is a list", "document.type /commands/2", (t) => t.commands[2] = []],
  ["4097 commands", "document.invalid /commands", (t) => {
    const group = { ...t.commands[0], path: [] };
    t.commands = Array.from(
      { length: 4097 },
      (_, i) => ({ ...group, id: `g${i}`, path: [`g${i}`] }),
    );
  }, "4097"],
  ["two commands that are the same", [
    "command.duplicate /commands/4/id",
    "command.duplicate /commands/4/path",
  ], (t) => t.commands.push(t.commands[2])],
  [
    "a path that is taken",
    "command.duplicate /commands/2/path",
    (t) => t.commands[2].path = ["remote"],
    "another command",
  ],
  [
    "a command whose group comes with an unreadable path, once",
    "document.type /commands/0/path",
    (t) => t.commands[0].path = "remote",
  ],
  // Size
  [
    "a document that is too large",
    "document.too_large ",
    (t) => t.source = "x".repeat(TREE_LIMITS.documentBytes),
    "4194304",
  ],
  ["a document that is nested too deeply", "document.encoding ", (t) => {
    for (let i = 0; i < 100_000; i++) t.extra = [t.extra];
  }, "512"],
]);

Deno.test("validateTree() accepts a tree that uses every feature and returns an equal, frozen copy", () => {
  const document = sampleTree();
  const { valid, tree, diagnostics, omitted } = validateTree(document);
  assertEquals([valid, diagnostics, omitted], [true, [], 0]);
  assertEquals(JSON.parse(JSON.stringify(tree)), sampleTree());
  document.commands[1].argv.length = 0;
  assertEquals(tree!.commands[1]!.argv.length, 11);
  assert(Object.isFrozen(tree) && Object.isFrozen(tree!.commands[1]!.parameters[3]!.schema.items));
});

Deno.test("validateTree() accepts the bounds themselves", () => {
  const tree = sampleTree();
  const { parameters, argv, path } = tree.commands[1];
  while (parameters.length < TREE_LIMITS.parameters) {
    const name = `p${parameters.length}`;
    parameters.push({ name, schema: { type: "string" } });
    argv.unshift({ kind: "option", parameter: name, flag: `--${name}`, style: "equals" });
  }
  while (argv.length < TREE_LIMITS.tokens) argv.unshift({ kind: "literal", value: "" });
  tree.executable_checks = Array(4).fill({
    args: [...Array(127).fill(""), "x".repeat(65_536 - 128)],
    stdout: "x".repeat(65_536),
  });
  tree.commands[1].id = "a".repeat(64);
  for (let words = 3; words <= 32; words++) {
    const id = `g${words}`;
    tree.commands.push({ ...tree.commands[0], id, path: [...path, ...Array(words - 2).fill("a")] });
  }
  for (let i = tree.commands.length; i < 4096; i++) {
    tree.commands.push({ ...tree.commands[0], id: `x${i}`, path: [`x${i}`] });
  }
  assertEquals(validateTree(tree).diagnostics, []);
});

Deno.test("validateTree() compares the version exactly, and a tree of another one is still a tree", () => {
  assertEquals(validateTree(sampleTree(), { expectedVersion: "1.0" }).diagnostics, []);
  for (const expectedVersion of ["1.0 ", "", "2.1"]) {
    const { valid, tree, diagnostics } = validateTree(sampleTree(), { expectedVersion });
    assertEquals([valid, tree !== null], [false, true]);
    assertEquals(diagnostics.map(({ code, path }) => [code, path]), [
      ["clitree.version.mismatch", "/executable_version"],
    ]);
  }
  const broken = { ...sampleTree(), source: 1 };
  const { diagnostics } = validateTree(broken, { expectedVersion: "2" });
  assertEquals(diagnostics.map(({ code }) => code), [
    "clitree.document.type",
    "clitree.version.mismatch",
  ]);
});

Deno.test("validateTree() reports 100 diagnostics and counts the rest, errors before warnings", () => {
  const tree = sampleTree();
  delete tree.executable_checks;
  tree.omissions = Array(50).fill("");
  for (let i = 0; i < 80; i++) tree[`extra${i}`] = 1;
  const some = validateTree(tree);
  assertEquals([some.diagnostics.length, some.omitted], [100, 31]);
  assertEquals(some.diagnostics.filter(({ severity }) => severity === "error").length, 80);
  for (let i = 0; i < 80; i++) tree[`more${i}`] = 1;
  const many = validateTree(tree);
  assertEquals([many.diagnostics.length, many.omitted, many.valid], [100, 111, false]);
  assert(many.diagnostics.every(({ severity }) => severity === "error"));
  assertStringIncludes(caught(() => loadTree(tree)).message, "/extra0: ");
  assertStringIncludes(caught(() => loadTree(tree)).message, "(and 210 more)");
});

Deno.test("validateTree() keeps its report small, whatever the names and values in the document", () => {
  const tree = sampleTree();
  const name = "n".repeat(1_000_000);
  const properties: Record<string, unknown> = { [name]: { type: "object", properties: {} } };
  for (let i = 0; i < 200; i++) (properties[name] as Record<string, unknown>)[`k${i}`] = 1;
  tree.commands[1].parameters[8].schema.properties = properties;
  tree.commands[1].parameters[6].schema.enum = ["e".repeat(100_000)];
  tree.commands[1].parameters[6] = {
    ...tree.commands[1].parameters[6],
    required: false,
    default: 1,
  };
  tree.commands[1].parameters[5].default = "hunter2";
  const { diagnostics } = validateTree(tree);
  assertEquals(diagnostics.length, 100);
  const text = JSON.stringify(diagnostics);
  assert(text.length < 100_000, `${text.length} characters`);
  assert(!text.includes("hunter2"), "a default is not repeated");
  const inName = diagnostics.filter(({ path }) => path.endsWith("/parameters/8/schema/properties"));
  assert(inName.length > 50, "a place that is too long to be named is given by the one around it");
});

Deno.test("validateTree() never throws on what is no JSON document", () => {
  const cycle: Record<string, unknown> = {};
  cycle.self = cycle;
  let shared: unknown = [];
  for (let i = 0; i < 600; i++) shared = [shared, shared];
  const thrower = Object.defineProperty({}, "a", {
    enumerable: true,
    get() {
      throw new Error("no");
    },
  });
  for (const bad of [undefined, null, 1, "{}", [], {}, cycle, shared, thrower, 1n, () => 0]) {
    const { valid, tree, diagnostics } = validateTree(bad);
    assertEquals([valid, tree], [false, null]);
    assert(diagnostics.length > 0 && diagnostics.every(({ code }) => code.startsWith("clitree.")));
    assertEquals(caught(() => loadTree(bad)).code, "invalid_configuration");
  }
});

/** Two trees that hosts take: the published example, and options as the swift-format plugin maps them. */
const HOST_TREES = [
  {
    format_version: 1,
    source: "a literal printf",
    executable_version: "system printf; version not probed",
    coverage: "partial",
    omissions: ["Format strings"],
    commands: [{
      id: "print",
      path: [],
      description: "Prints each string on its own line.",
      executable: true,
      parameters: [{
        name: "values",
        schema: { type: "array", items: { type: "string" }, minItems: 1 },
        required: true,
      }],
      argv: [
        { kind: "literal", value: "--" },
        { kind: "literal", value: "%s\n" },
        { kind: "positional", parameter: "values" },
      ],
      stdout: "text",
    }],
  },
  {
    format_version: 1,
    source: "one-way flags without const, lists with equals",
    executable_version: "6.3.1",
    coverage: "complete",
    omissions: [],
    executable_checks: [{ args: ["--version"], stdout: "6.3.1\n" }],
    commands: [{
      id: "dump_configuration",
      path: ["dump-configuration"],
      description: "Dumps.",
      executable: true,
      help_argv: ["dump-configuration", "--help"],
      parameters: [
        { name: "effective", schema: { type: "boolean" }, default: false, required: false },
        { name: "offsets", schema: { type: "array", items: { type: "string" } }, default: [] },
      ],
      argv: [
        { kind: "literal", value: "dump-configuration" },
        { kind: "flag", parameter: "effective", flag: "--effective" },
        { kind: "option", parameter: "offsets", flag: "--offsets", style: "equals" },
      ],
      stdout: "text",
    }],
  },
];

Deno.test("validateTree() takes what hosts take", () => {
  for (const tree of [...HOST_TREES, document]) {
    const { valid, diagnostics } = validateTree(tree);
    assert(valid, JSON.stringify(diagnostics));
  }
});
