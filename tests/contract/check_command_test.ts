import { testCommands } from "./broken_tree.ts";

testCommands([
  ["an id of other characters", "command.invalid /id", (c) => c.id = "a.b", "1 to 64"],
  ["an id with a line end", "command.invalid /id", (c) => c.id = "a\n"],
  ["an empty id", "command.invalid /id", (c) => c.id = ""],
  ["an id of 65 characters", "command.invalid /id", (c) => c.id = "a".repeat(65)],
  ["an id that is taken", "command.duplicate /id", (c) => c.id = "group", "another command"],
  ["an option in the path", "command.invalid /path/0", (c) => c.path = ["--x"], "hyphen"],
  ["an empty word in the path", "command.invalid /path/0", (c) => c.path = [""]],
  ["NUL in the path", "command.invalid /path/0", (c) => c.path = ["a\0"]],
  ["a number in the path", "document.type /path/1", (c) => c.path[1] = 1, "string"],
  ["a path of 33 words", ["command.invalid /path", "command.missing_parent /path"], (c) => {
    c.path = Array(33).fill("a");
  }],
  [
    "a path without its group",
    "command.missing_parent /path",
    (c) => c.path = ["away", "send"],
    "group",
  ],
  ["a path below a command of another name", "command.missing_parent /path", (c) => {
    c.path = ["remote", "x", "send"];
  }],
  ["no description", "document.missing_field /description", (c) => delete c.description],
  ["an empty description", "command.invalid /description", (c) => c.description = ""],
  ["executable as text", "document.type /executable", (c) => c.executable = "yes", "true or false"],
  [
    "a group with everything",
    [
      "command.invalid /parameters",
      "command.invalid /argv",
      "command.invalid /stdin",
      "command.invalid /output_schema",
      "command.invalid /dry_run_parameter",
    ],
    (c) => c.executable = false,
    "group",
  ],
  ["another stdout", "document.encoding /stdout", (c) => c.stdout = "xml", "binary"],
  ["stdout null", "document.type /stdout", (c) => c.stdout = null],
  ["an output schema of text", "command.invalid /output_schema", (c) => c.stdout = "text", "json"],
  ["no help arguments", "command.invalid /help_argv", (c) => c.help_argv = []],
  ["help arguments with NUL", "command.invalid /help_argv/1", (c) => c.help_argv[1] = "\0"],
  [
    "an unknown dry run parameter",
    "command.invalid /dry_run_parameter",
    (c) => c.dry_run_parameter = "nope",
    "flag",
  ],
  [
    "a dry run parameter that is no flag",
    "command.invalid /dry_run_parameter",
    (c) => c.dry_run_parameter = "level",
  ],
  [
    "a risk that hosts do not know",
    "document.encoding /risk_hint",
    (c) => c.risk_hint = "low",
    "full-shell",
  ],
  ["an unknown member", "document.unknown_field /stderr", (c) => c.stderr = "text", "stderr"],
  [
    "an unknown member with a strange name",
    "document.unknown_field /a~1b~0c",
    (c) => c["a/b~c"] = 1,
  ],
  ["a member from the prototype", "document.unknown_field /__proto__", (c) => {
    Object.defineProperty(c, "__proto__", { value: 1, enumerable: true });
  }],
  ["stdin null", "document.type /stdin", (c) => c.stdin = null, "object"],
  ["parameters that are no list", "document.type /parameters", (c) => c.parameters = {}, "array"],
  ["no mapping", "document.missing_field /argv", (c) => delete c.argv],
  // Parameters
  ["a parameter that is text", "document.type /parameters/0", (c) => c.parameters[0] = "dry"],
  [
    "a parameter without a name",
    "document.missing_field /parameters/0/name",
    (c) => delete c.parameters[0].name,
  ],
  [
    "a parameter name of other characters",
    "command.invalid /parameters/0/name",
    (c) => c.parameters[0].name = "a b",
    "1 to 64",
  ],
  [
    "the reserved name",
    "command.invalid /parameters/0/name",
    (c) => c.parameters[0].name = "workspace_id",
    "reserved",
  ],
  [
    "a name that is taken",
    "command.invalid /parameters/1/name",
    (c) => c.parameters[1].name = "dry",
    "another parameter",
  ],
  [
    "required as text",
    "document.type /parameters/0/required",
    (c) => c.parameters[0].required = "yes",
  ],
  [
    "required with a default",
    "parameter.invalid /parameters/0/default",
    (c) => c.parameters[0].required = true,
    "required",
  ],
  [
    "a default that does not fit",
    "parameter.invalid /parameters/0/default",
    (c) => c.parameters[0].default = "no",
    "true or false",
  ],
  [
    "a default of null that does not fit",
    "parameter.invalid /parameters/0/default",
    (c) => c.parameters[0].default = null,
  ],
  [
    "a default that does not fit inside",
    "parameter.invalid /parameters/8/default/to",
    (c) => c.parameters[8].default = { to: 1 },
  ],
  [
    "a secret with a default",
    "parameter.invalid /parameters/5/default",
    (c) => c.parameters[5].default = "x",
    "public",
  ],
  [
    "a conflict with itself",
    "parameter.invalid /parameters/4/conflicts/0",
    (c) => c.parameters[4].conflicts = ["quiet"],
    "itself",
  ],
  [
    "a conflict with nobody",
    "parameter.invalid /parameters/4/conflicts/0",
    (c) => c.parameters[4].conflicts = ["x"],
    "no parameter",
  ],
  [
    "a conflict that is no name",
    "document.type /parameters/4/conflicts/0",
    (c) => c.parameters[4].conflicts = [1],
  ],
  [
    "a conflict named twice",
    "warning parameter.invalid /parameters/4/conflicts/1",
    (c) => c.parameters[4].conflicts = ["ratio", "ratio"],
    "twice",
  ],
  [
    "a need of nobody",
    "parameter.invalid /parameters/2/requires/0",
    (c) => c.parameters[2].requires = ["x"],
    "no parameter",
  ],
  [
    "a need and conflict at once",
    "parameter.invalid /parameters/2/conflicts/0",
    (c) => c.parameters[2].conflicts = ["level"],
    "requires",
  ],
  [
    "a conflict of two required parameters",
    "warning parameter.invalid /parameters/4/conflicts/0",
    (c) => {
      Object.assign(c.parameters[4], { required: true, conflicts: ["target"] });
    },
    "required",
  ],
  ["257 parameters", "command.invalid /parameters", (c) => {
    while (c.parameters.length <= 256) {
      const name = `p${c.parameters.length}`;
      c.parameters.push({ name, schema: { type: "string" } });
      c.argv.unshift({ kind: "option", parameter: name, flag: `--${name}`, style: "equals" });
    }
  }, "256"],
  ["a reference to a parameter whose name cannot be read, once", [
    "document.type /parameters/1/name",
  ], (c) => c.parameters[1].name = 1],
]);
