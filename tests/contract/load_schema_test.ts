import { type Loose, nested, schemaOf, SEND, send, testRefusals } from "./broken_tree.ts";

testRefusals([
  {
    name: "a schema that is none",
    at: `${SEND}/parameters/0/schema`,
    says: "schema object",
    break: (t) => send(t).parameters[0].schema = true,
  },
  {
    name: "no schema",
    at: `${SEND}/parameters/0/schema`,
    says: "received undefined",
    break: (t) => delete send(t).parameters[0].schema,
  },
  {
    name: "no type",
    at: `${SEND}/parameters/0/schema/type`,
    says: "one of",
    break: (t) => delete schemaOf(t, 0).type,
  },
  {
    name: "two types",
    at: `${SEND}/parameters/0/schema/type`,
    says: "one of",
    break: (t) => schemaOf(t, 0).type = ["string"],
  },
  {
    name: "a type from the prototype",
    at: `${SEND}/parameters/0/schema/type`,
    says: "one of",
    break: (t) => schemaOf(t, 0).type = "toString",
  },
  ...["pattern", "format", "exclusiveMinimum", "anyOf", "$ref", "title", "minLength"].map((
    keyword,
  ) => ({
    name: `${keyword} on a number`,
    at: `${SEND}/parameters/2/schema/${keyword}`,
    says: "keyword",
    break: (t: Loose) => schemaOf(t, 2)[keyword] = 1,
  })),
  {
    name: "a length below 0",
    at: `${SEND}/parameters/5/schema/minLength`,
    says: "whole number",
    break: (t) => schemaOf(t, 5).minLength = -1,
  },
  {
    name: "a broken length",
    at: `${SEND}/parameters/5/schema/maxLength`,
    says: "whole number",
    break: (t) => schemaOf(t, 5).maxLength = 1.5,
  },
  {
    name: "a minimum of text",
    at: `${SEND}/parameters/1/schema/minimum`,
    says: "number",
    break: (t) => schemaOf(t, 1).minimum = "0",
  },
  {
    name: "bounds the wrong way round",
    at: `${SEND}/parameters/1/schema/minimum`,
    says: "above",
    break: (t) => schemaOf(t, 1).minimum = 9,
  },
  {
    name: "lengths the wrong way round",
    at: `${SEND}/parameters/5/schema/minLength`,
    says: "above",
    break: (t) => Object.assign(schemaOf(t, 5), { minLength: 2, maxLength: 1 }),
  },
  {
    name: "counts the wrong way round",
    at: `${SEND}/parameters/3/schema/minItems`,
    says: "above",
    break: (t) => schemaOf(t, 3).minItems = 4,
  },
  {
    name: "an empty enum",
    at: `${SEND}/parameters/6/schema/enum`,
    says: "nonempty",
    break: (t) => schemaOf(t, 6).enum = [],
  },
  {
    name: "an enum of another type",
    at: `${SEND}/parameters/6/schema/enum/1`,
    says: "string",
    break: (t) => schemaOf(t, 6).enum = ["a", 1],
  },
  {
    name: "an enum with a double",
    at: `${SEND}/parameters/6/schema/enum/1`,
    says: "twice",
    break: (t) => schemaOf(t, 6).enum = ["a", "a"],
  },
  {
    name: "a constant of another type",
    at: `${SEND}/parameters/4/schema/const`,
    says: "true or false",
    break: (t) => schemaOf(t, 4).const = 1,
  },
  {
    name: "a constant outside the enum",
    at: `${SEND}/parameters/6/schema/const`,
    says: "one of",
    break: (t) => schemaOf(t, 6).const = "c",
  },
  {
    name: "properties as a list",
    at: `${SEND}/parameters/8/schema/properties`,
    says: "object",
    break: (t) => schemaOf(t, 8).properties = [],
  },
  {
    name: "a wrong property",
    at: `${SEND}/parameters/8/schema/properties/a~1b~0/type`,
    says: "one of",
    break: (t) => schemaOf(t, 8).properties["a/b~"] = {},
  },
  {
    name: "required as text",
    at: `${SEND}/parameters/8/schema/required`,
    says: "names",
    break: (t) => schemaOf(t, 8).required = "to",
  },
  {
    name: "required twice",
    at: `${SEND}/parameters/8/schema/required`,
    says: "names",
    break: (t) => schemaOf(t, 8).required = ["to", "to"],
  },
  {
    name: "required but impossible",
    at: `${SEND}/parameters/8/schema/required`,
    says: "properties",
    break: (t) => schemaOf(t, 8).required = ["bcc"],
  },
  {
    name: "additionalProperties as a schema",
    at: `${SEND}/parameters/8/schema/additionalProperties`,
    says: "true or false",
    break: (t) => schemaOf(t, 8).additionalProperties = {},
  },
  {
    name: "a schema description that is no text",
    at: `${SEND}/parameters/0/schema/description`,
    says: "text",
    break: (t) => schemaOf(t, 0).description = 1,
  },
  {
    name: "17 levels",
    at: `${SEND}/parameters/8/schema${"/items".repeat(16)}`,
    says: "16",
    break: (t) => send(t).parameters[8].schema = nested(17),
  },
  {
    name: "too many nodes",
    at: "/commands/",
    says: "4096",
    break: (t) => {
      for (let i = 0; i < 4096; i++) t.commands.push({ ...t.commands[0], id: `g${i}` });
    },
  },
]);
