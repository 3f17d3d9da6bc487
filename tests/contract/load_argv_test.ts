import { schemaOf, SEND, send, testRefusals } from "./broken_tree.ts";

testRefusals([
  {
    name: "another kind of token",
    at: `${SEND}/argv/6/kind`,
    says: "nvalid",
    break: (t) => send(t).argv[6].kind = "word",
  },
  {
    name: "a token with an extra member",
    at: `${SEND}/argv/6`,
    says: "flag",
    break: (t) => send(t).argv[6].flag = "-x",
  },
  {
    name: "a literal with NUL",
    at: `${SEND}/argv/6/value`,
    says: "NUL",
    break: (t) => send(t).argv[6].value = "a\0",
  },
  {
    name: "a flag with a value in it",
    at: `${SEND}/argv/1/flag`,
    says: "option name",
    break: (t) => send(t).argv[1].flag = "--level=1",
  },
  {
    name: "a flag without hyphens",
    at: `${SEND}/argv/1/flag`,
    says: "option name",
    break: (t) => send(t).argv[1].flag = "level",
  },
  {
    name: "hyphens as a flag",
    at: `${SEND}/argv/1/flag`,
    says: "option name",
    break: (t) => send(t).argv[1].flag = "--",
  },
  {
    name: "another style",
    at: `${SEND}/argv/1/style`,
    says: "equals",
    break: (t) => send(t).argv[1].style = "colon",
  },
  {
    name: "a token for nobody",
    at: `${SEND}/argv/1/parameter`,
    says: "no parameter",
    break: (t) => send(t).argv[1].parameter = "x",
  },
  {
    name: "a parameter mapped twice",
    at: `${SEND}/argv/2/parameter`,
    says: "twice",
    break: (t) => send(t).argv[2].parameter = "level",
  },
  {
    name: "a parameter mapped to argv and stdin",
    at: `${SEND}/stdin/parameter`,
    says: "twice",
    break: (t) => send(t).stdin = { parameter: "token", encoding: "utf8" },
  },
  {
    name: "a parameter not mapped",
    at: `${SEND}/parameters/8`,
    says: "neither",
    break: (t) => delete send(t).stdin,
  },
  {
    name: "text input of an object",
    at: `${SEND}/stdin`,
    says: "utf8",
    break: (t) => send(t).stdin.encoding = "utf8",
  },
  {
    name: "another input encoding",
    at: `${SEND}/stdin/encoding`,
    says: "base64",
    break: (t) => send(t).stdin.encoding = "hex",
  },
  {
    name: "a flag of text",
    at: `${SEND}/argv/4`,
    says: "boolean",
    break: (t) => send(t).parameters[4].schema = { type: "string" },
  },
  {
    name: "a one-way flag that could be false",
    at: `${SEND}/argv/4`,
    says: "const: true",
    break: (t) => delete schemaOf(t, 4).const,
  },
  {
    name: "a two-way flag that cannot be false",
    at: `${SEND}/argv/0`,
    says: "inverse",
    break: (t) => send(t).parameters[0] = { name: "dry", schema: { type: "boolean", const: true } },
  },
  {
    name: "an inverse that is the flag",
    at: `${SEND}/argv/0/inverse`,
    says: "differ",
    break: (t) => send(t).argv[0].inverse = "--dry-run",
  },
  {
    name: "an option of an object",
    at: `${SEND}/argv/5`,
    says: "argument is",
    break: (t) => send(t).parameters[5].schema = { type: "object" },
  },
  {
    name: "an option of null",
    at: `${SEND}/argv/5`,
    says: "argument is",
    break: (t) => send(t).parameters[5].schema = { type: "null" },
  },
  {
    name: "an array without a kind of item",
    at: `${SEND}/argv/3`,
    says: "argument is",
    break: (t) => delete schemaOf(t, 3).items,
  },
  {
    name: "an array that is not repeated",
    at: `${SEND}/argv/3/style`,
    says: "repeated",
    break: (t) => send(t).argv[3].style = "equals",
  },
  {
    name: "text that is repeated",
    at: `${SEND}/argv/1/style`,
    says: "repeated",
    break: (t) => send(t).argv[1].style = "repeated",
  },
  {
    name: "an option after --",
    at: `${SEND}/argv/7`,
    says: "after",
    break: (t) =>
      send(t).argv.splice(6, 0, ...send(t).argv.splice(6, 1), send(t).argv.splice(4, 1)[0]),
  },
  {
    name: "a variadic that is not last",
    at: `${SEND}/argv/7`,
    says: "last",
    break: (t) => send(t).argv.splice(7, 2, send(t).argv[8], send(t).argv[7]),
  },
  {
    name: "1025 tokens",
    at: `${SEND}/argv`,
    says: "1024",
    break: (t) => {
      while (send(t).argv.length <= 1024) send(t).argv.unshift({ kind: "literal", value: "x" });
    },
  },
]);
