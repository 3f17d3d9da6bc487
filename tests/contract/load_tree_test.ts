import { assert, assertEquals } from "@std/assert";
import { TREE_LIMITS } from "../../src/contract/cli_tree.ts";
import { loadTree } from "../../src/contract/load_tree.ts";
import { nested, SEND, send, testRefusals } from "./broken_tree.ts";
import { caught } from "./caught.ts";
import { sampleTree } from "./sample_tree.ts";

testRefusals([
  // Document
  {
    name: "a format of another version",
    at: "/format_version",
    says: "1",
    break: (t) => t.format_version = 2,
  },
  { name: "no source", at: "/source", says: "string", break: (t) => delete t.source },
  {
    name: "an empty version",
    at: "/executable_version",
    says: "empty",
    break: (t) => t.executable_version = "",
  },
  {
    name: "another coverage",
    at: "/coverage",
    says: "complete",
    break: (t) => t.coverage = "most",
  },
  {
    name: "partial without omissions",
    at: "/omissions",
    says: "leaves out",
    break: (t) => delete t.omissions,
  },
  {
    name: "partial with no omission",
    at: "/omissions",
    says: "leaves out",
    break: (t) => t.omissions = [],
  },
  {
    name: "an omission without a name",
    at: "/omissions/0",
    says: "empty",
    break: (t) => t.omissions = [""],
  },
  { name: "an unknown member", at: "its root", says: "extra", break: (t) => t.extra = 1 },
  {
    name: "a check without its output",
    at: "/executable_checks/0/stdout",
    says: "string",
    break: (t) => delete t.executable_checks[0].stdout,
  },
  {
    name: "a check with NUL",
    at: "/executable_checks/0/args/0",
    says: "NUL",
    break: (t) => t.executable_checks[0].args = ["\0"],
  },
  { name: "no commands", at: "/commands", says: "array", break: (t) => delete t.commands },
  {
    name: "a document that is too large",
    at: "its root",
    says: String(TREE_LIMITS.documentBytes),
    break: (t) => t.source = "x".repeat(TREE_LIMITS.documentBytes),
  },
  // Commands
  {
    name: "an id of other characters",
    at: `${SEND}/id`,
    says: "1 to 64",
    break: (t) => send(t).id = "a.b",
  },
  {
    name: "an id of 65 characters",
    at: `${SEND}/id`,
    says: "1 to 64",
    break: (t) => send(t).id = "a".repeat(65),
  },
  {
    name: "an id that is taken",
    at: `${SEND}/id`,
    says: "another command",
    break: (t) => send(t).id = "group",
  },
  {
    name: "an option in the path",
    at: `${SEND}/path/0`,
    says: "hyphen",
    break: (t) => send(t).path = ["--x"],
  },
  {
    name: "an empty word in the path",
    at: `${SEND}/path/0`,
    says: "empty",
    break: (t) => send(t).path = [""],
  },
  {
    name: "no description",
    at: `${SEND}/description`,
    says: "string",
    break: (t) => delete send(t).description,
  },
  {
    name: "executable as text",
    at: `${SEND}/executable`,
    says: "boolean",
    break: (t) => send(t).executable = "yes",
  },
  {
    name: "a group with a mapping",
    at: SEND,
    says: "not executable",
    break: (t) => send(t).executable = false,
  },
  {
    name: "another stdout",
    at: `${SEND}/stdout`,
    says: "binary",
    break: (t) => send(t).stdout = "xml",
  },
  {
    name: "an output schema of text",
    at: `${SEND}/output_schema`,
    says: "json",
    break: (t) => send(t).stdout = "text",
  },
  {
    name: "a wrong output schema",
    at: `${SEND}/output_schema/type`,
    says: "string",
    break: (t) => send(t).output_schema = {},
  },
  {
    name: "an unknown dry run parameter",
    at: `${SEND}/dry_run_parameter`,
    says: "boolean",
    break: (t) => send(t).dry_run_parameter = "nope",
  },
  {
    name: "a dry run parameter that is text",
    at: `${SEND}/dry_run_parameter`,
    says: "boolean",
    break: (t) => send(t).dry_run_parameter = "token",
  },
  {
    name: "an unknown member of a command",
    at: SEND,
    says: "stderr",
    break: (t) => send(t).stderr = "text",
  },
  // Parameters
  {
    name: "a parameter name of other characters",
    at: `${SEND}/parameters/0/name`,
    says: "1 to 64",
    break: (t) => send(t).parameters[0].name = "a b",
  },
  {
    name: "the reserved name",
    at: `${SEND}/parameters/0/name`,
    says: "reserved",
    break: (t) => send(t).parameters[0].name = "workspace_id",
  },
  {
    name: "a name that is taken",
    at: `${SEND}/parameters/1/name`,
    says: "another parameter",
    break: (t) => send(t).parameters[1].name = "dry",
  },
  {
    name: "required with a default",
    at: `${SEND}/parameters/0/default`,
    says: "required",
    break: (t) => send(t).parameters[0].required = true,
  },
  {
    name: "a default that does not fit",
    at: `${SEND}/parameters/0/default`,
    says: "true or false",
    break: (t) => send(t).parameters[0].default = "no",
  },
  {
    name: "a conflict with itself",
    at: `${SEND}/parameters/4/conflicts/0`,
    says: "itself",
    break: (t) => send(t).parameters[4].conflicts = ["quiet"],
  },
  {
    name: "a conflict with nobody",
    at: `${SEND}/parameters/4/conflicts/0`,
    says: "no parameter",
    break: (t) => send(t).parameters[4].conflicts = ["x"],
  },
  {
    name: "a conflict named twice",
    at: `${SEND}/parameters/4/conflicts/1`,
    says: "twice",
    break: (t) => send(t).parameters[4].conflicts = ["ratio", "ratio"],
  },
  {
    name: "a need of nobody",
    at: `${SEND}/parameters/2/requires/0`,
    says: "no parameter",
    break: (t) => send(t).parameters[2].requires = ["x"],
  },
  {
    name: "a need and conflict at once",
    at: `${SEND}/parameters/2/conflicts/0`,
    says: "requires",
    break: (t) => send(t).parameters[2].conflicts = ["level"],
  },
  {
    name: "a conflict of two required parameters",
    at: `${SEND}/parameters/4/conflicts/0`,
    says: "required",
    break: (t) => Object.assign(send(t).parameters[4], { required: true, conflicts: ["target"] }),
  },
  {
    name: "257 parameters",
    at: `${SEND}/parameters`,
    says: "256",
    break: (t) => {
      for (let i = 0; i < 257; i++) {
        send(t).parameters.push({ name: `p${i}`, schema: { type: "string" } });
      }
    },
  },
]);

Deno.test("loadTree() accepts a tree that uses every feature and returns an equal, frozen copy", () => {
  const document = sampleTree();
  const tree = loadTree(document);
  assertEquals(JSON.parse(JSON.stringify(tree)), sampleTree());
  document.commands[1].argv.length = 0;
  assertEquals(tree.commands[1]!.argv.length, 9);
  assert(Object.isFrozen(tree) && Object.isFrozen(tree.commands[1]!.parameters[3]!.schema.items));
});

Deno.test("loadTree() accepts the bounds themselves", () => {
  const tree = sampleTree();
  tree.commands[1].parameters[8].schema = nested(16);
  const { parameters, argv } = tree.commands[1];
  while (parameters.length < TREE_LIMITS.parameters) {
    const name = `p${parameters.length}`;
    parameters.push({ name, schema: { type: "string" } });
    argv.unshift({ kind: "option", parameter: name, flag: `--${name}`, style: "equals" });
  }
  while (argv.length < TREE_LIMITS.tokens) argv.unshift({ kind: "literal", value: "" });
  assertEquals(loadTree(tree).commands[1]!.parameters.length, 256);
});

Deno.test("loadTree() refuses what is not a JSON document", () => {
  const cycle: Record<string, unknown> = {};
  cycle.self = cycle;
  let deep: unknown = [];
  for (let i = 0; i < 100_000; i++) deep = [deep];
  for (const document of [undefined, null, 1, "{}", [], {}, cycle, deep, 1n, () => 0]) {
    assertEquals(caught(() => loadTree(document)).code, "invalid_configuration");
  }
});
