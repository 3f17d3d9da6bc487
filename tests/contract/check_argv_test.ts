import { testCommands } from "./broken_tree.ts";

testCommands([
  // Shape
  [
    "another kind of token",
    ["document.encoding /argv/8/kind"],
    (c) => c.argv[8].kind = "word",
    "literal",
  ],
  ["a kind that is no text", "document.type /argv/8/kind", (c) => c.argv[8].kind = 1],
  ["a token without a kind", "document.missing_field /argv/8/kind", (c) => delete c.argv[8].kind],
  ["a token that is text", "document.type /argv/8", (c) => c.argv[8] = "--", "object"],
  [
    "a token with a member of its own",
    "document.unknown_field /argv/8/text",
    (c) => c.argv[8].text = "",
  ],
  ["a literal with a flag", "argv.invalid /argv/8/flag", (c) => c.argv[8].flag = "-x", "no flag"],
  [
    "a literal without its value",
    "argv.invalid /argv/8",
    (c) => delete c.argv[8].value,
    "needs value",
  ],
  ["a literal with NUL", "argv.invalid /argv/8/value", (c) => c.argv[8].value = "a\0", "NUL"],
  ["a positional with a style", "argv.invalid /argv/9/style", (c) => c.argv[9].style = "equals"],
  ["an option without a flag", "argv.invalid /argv/3", (c) => delete c.argv[3].flag, "needs flag"],
  [
    "an option without a style",
    "argv.invalid /argv/3",
    (c) => delete c.argv[3].style,
    "needs style",
  ],
  ["an option with an inverse", "argv.invalid /argv/3/inverse", (c) => c.argv[3].inverse = "--no"],
  ["another style", "document.encoding /argv/3/style", (c) => c.argv[3].style = "colon", "equals"],
  [
    "1025 tokens, without a word about what the last of them maps",
    "command.invalid /argv",
    (c) => {
      while (c.argv.length <= 1024) c.argv.unshift({ kind: "literal", value: "x" });
    },
    "1024",
  ],
  // Flags
  [
    "a flag with a value in it",
    "argv.invalid /argv/3/flag",
    (c) => c.argv[3].flag = "--level=1",
    "option name",
  ],
  ["a flag without hyphens", "argv.invalid /argv/6/flag", (c) => c.argv[6].flag = "quiet"],
  ["a flag of white space", "argv.invalid /argv/6/flag", (c) => c.argv[6].flag = "-a b"],
  ["a flag with NUL", "argv.invalid /argv/6/flag", (c) => c.argv[6].flag = "-\0"],
  ["one hyphen as a flag", "argv.invalid /argv/6/flag", (c) => c.argv[6].flag = "-"],
  ["two hyphens as a flag", "argv.invalid /argv/6/flag", (c) => c.argv[6].flag = "--"],
  ["an inverse that is no flag", "argv.invalid /argv/2/inverse", (c) => c.argv[2].inverse = "no"],
  [
    "an inverse that is the flag",
    "argv.invalid /argv/2/inverse",
    (c) => c.argv[2].inverse = "--dry-run",
    "differ",
  ],
  [
    "a short flag with equals",
    "argv.invalid /argv/3/style",
    (c) => c.argv[3].flag = "-l",
    "two hyphens",
  ],
  [
    "a flag of text",
    "argv.invalid /argv/6",
    (c) => c.parameters[4].schema = { type: "string" },
    "boolean",
  ],
  [
    "a flag that can never be given",
    "argv.invalid /argv/6",
    (c) => c.parameters[4].schema.const = false,
    "can be true",
  ],
  [
    "a two-way flag that cannot be false",
    "warning argv.invalid /argv/2/inverse",
    (c) => c.parameters[0] = { name: "dry", schema: { type: "boolean", const: true } },
    "never passed",
  ],
  // Parameters
  [
    "a token for nobody, and the parameter that it left out",
    ["argv.invalid /argv/3/parameter", "command.invalid /parameters/1"],
    (c) => c.argv[3].parameter = "x",
    "no parameter",
  ],
  [
    "a parameter mapped twice, and the one that was not",
    ["argv.invalid /argv/4/parameter", "command.invalid /parameters/2"],
    (c) => c.argv[4].parameter = "level",
    "twice",
  ],
  [
    "a parameter mapped to argv and stdin",
    ["command.invalid /stdin/parameter", "command.invalid /parameters/8"],
    (c) => c.stdin = { parameter: "token", encoding: "utf8" },
    "twice",
  ],
  ["a parameter not mapped", "command.invalid /parameters/8", (c) => delete c.stdin, "neither"],
  ["an option of an object", "argv.invalid /argv/7", (c) => {
    c.parameters[5].schema = { type: "object", properties: {} };
  }, "an argument is"],
  ["an option of null", "argv.invalid /argv/7", (c) => c.parameters[5].schema = { type: "null" }],
  ["an option of arrays of arrays", "argv.invalid /argv/5", (c) => {
    c.parameters[3].schema.items = { type: "array", items: { type: "string" } };
  }],
  // Order
  [
    "an option after --",
    "argv.invalid /argv/8",
    (c) => c.argv.splice(7, 2, c.argv[8], c.argv[7]),
    "nothing but",
  ],
  [
    "a flag after --",
    "argv.invalid /argv/11",
    (c) =>
      c.argv.push(c.argv.splice(6, 1)[0]) &&
      c.argv.splice(10, 0, { kind: "literal", value: "end" }),
  ],
  [
    "a variadic that is not the last positional",
    "argv.invalid /argv/9",
    (c) => c.argv.splice(9, 2, c.argv[10], c.argv[9]),
    "last",
  ],
  // Standard input
  [
    "text input of an object",
    "command.invalid /stdin/encoding",
    (c) => c.stdin.encoding = "utf8",
    "utf8",
  ],
  [
    "base64 input of an object",
    "command.invalid /stdin/encoding",
    (c) => c.stdin.encoding = "base64",
  ],
  [
    "another input encoding",
    "document.encoding /stdin/encoding",
    (c) => c.stdin.encoding = "hex",
    "base64",
  ],
  ["input of nobody, and the parameter left out", [
    "command.invalid /stdin/parameter",
    "command.invalid /parameters/8",
  ], (c) => c.stdin.parameter = "x"],
  [
    "input without its encoding",
    "document.missing_field /stdin/encoding",
    (c) => delete c.stdin.encoding,
  ],
  [
    "input with a member of its own",
    "document.unknown_field /stdin/eof",
    (c) => c.stdin.eof = true,
  ],
]);
