import { assertEquals } from "@std/assert";
import { loadTree } from "../../src/contract/load_tree.ts";
import { type BrokenTree, type Loose, nested, testCommands } from "./broken_tree.ts";
import { sampleTree } from "./sample_tree.ts";

/** Rows about the schema of one parameter; their paths start there. */
function inSchema(index: number, rows: readonly BrokenTree[]): readonly BrokenTree[] {
  return rows.map(([name, expected, breakIt, says]) => [
    name,
    [expected].flat().map((at) => {
      const [, warning = "", path] = /^(warning )?(.*)$/.exec(at)!;
      return `${warning}parameter.invalid /parameters/${index}/schema${path}`;
    }),
    (command) => breakIt(command.parameters[index].schema),
    says ?? "",
  ]);
}

const keyword = (name: string): BrokenTree => [
  `${name} on a number`,
  `/${name}`,
  (s) => s[name] = 1,
  "no keyword",
];

testCommands([
  [
    "a schema that is none",
    "parameter.invalid /parameters/0/schema",
    (c) => c.parameters[0].schema = true,
    "object",
  ],
  [
    "no schema",
    "document.missing_field /parameters/0/schema",
    (c) => delete c.parameters[0].schema,
  ],
  [
    "an output schema without a type",
    "command.invalid /output_schema/type",
    (c) => c.output_schema = {},
  ],
  ...inSchema(0, [
    ["no type", "/type", (s) => delete s.type, "one of"],
    ["two types", "/type", (s) => s.type = ["string"]],
    ["a type from the prototype", "/type", (s) => s.type = "toString"],
    ["a description that is no text", "/description", (s) => s.description = 1, "text"],
    ["a keyword from the prototype", "/__proto__", (s) => {
      Object.defineProperty(s, "__proto__", { value: 1, enumerable: true });
    }],
  ]),
  ...inSchema(1, [
    ["a minimum of text", "/minimum", (s) => s.minimum = "0", "number"],
    ["bounds the wrong way round", "/minimum", (s) => s.minimum = 9, "above"],
  ]),
  ...inSchema(
    2,
    [
      "pattern",
      "format",
      "exclusiveMinimum",
      "multipleOf",
      "anyOf",
      "$ref",
      "title",
      "default",
      "minLength",
      "items",
    ].map(keyword),
  ),
  ...inSchema(3, [
    ["counts the wrong way round", "/minItems", (s) => s.minItems = 4, "above"],
    ["an array without items", "", (s) => delete s.items, "needs items"],
    ["items that are a list", "/items", (s) => s.items = [{ type: "string" }], "object"],
  ]),
  ...inSchema(4, [["a constant of another type", "/const", (s) => s.const = 1, "true or false"]]),
  ...inSchema(5, [
    ["a length below 0", "/minLength", (s) => s.minLength = -1, "whole number"],
    ["a broken length", "/maxLength", (s) => s.maxLength = 1.5],
    ["two broken lengths at once", ["/minLength", "/maxLength"], (s) => {
      Object.assign(s, { minLength: null, maxLength: "1" });
    }],
    ["lengths the wrong way round", "/minLength", (s) => {
      Object.assign(s, { minLength: 2, maxLength: 1 });
    }],
  ]),
  ...inSchema(6, [
    ["an empty enum", "/enum", (s) => s.enum = [], "1 to 1024"],
    ["an enum that is text", "/enum", (s) => s.enum = "a"],
    ["an enum of 1025", "/enum", (s) => s.enum = Array.from({ length: 1025 }, (_, i) => `${i}`)],
    ["an enum of another type", "/enum/1", (s) => s.enum = ["a", 1], "string"],
    ["an enum with a double", "warning /enum/1", (s) => s.enum = ["a", "a"], "twice"],
    ["a constant outside the enum", ["/enum/0", "/enum/1", "/const"], (s) => s.const = "c"],
  ]),
  ...inSchema(8, [
    [
      "an object without properties",
      "",
      (s) => (delete s.properties, delete s.required),
      "needs properties",
    ],
    ["properties as a list", ["/properties", "/required/0"], (s) => s.properties = []],
    ["two wrong properties", ["/properties/a~1b~0/type", "/properties/c"], (s) => {
      Object.assign(s.properties, { "a/b~": {}, c: null });
    }],
    ["required as text", "/required", (s) => s.required = "to", "names"],
    ["required with a number", "/required/1", (s) => s.required = ["to", 1], "name"],
    ["required twice", "warning /required/1", (s) => s.required = ["to", "to"], "twice"],
    ["required but unknown", "/required/0", (s) => s.required = ["bcc"], "properties"],
    ["required from the prototype", "/required/0", (s) => s.required = ["toString"]],
    ["additionalProperties as a schema", "/additionalProperties", (s) => {
      s.additionalProperties = {};
    }],
  ]),
  [
    "17 levels",
    `parameter.invalid /parameters/8/schema${"/items".repeat(16)}`,
    (c) => c.parameters[8].schema = nested(17),
    "16",
  ],
]);

Deno.test("validateTree() accepts 16 levels, every keyword and free objects", () => {
  const schemas: readonly Loose[] = [
    nested(16),
    { type: "object", properties: {}, additionalProperties: true },
    { type: "object", properties: { ["__proto__"]: { type: "null" } }, required: [] },
    { type: "array", items: { type: "null" }, minItems: 0, maxItems: 0, const: [] },
    { type: "integer", minimum: -(2 ** 63), maximum: 2 ** 63, enum: [1], description: "" },
  ];
  for (const schema of schemas) {
    const tree = sampleTree();
    tree.commands[1].parameters[8].schema = schema;
    assertEquals(loadTree(tree).commands[1]!.parameters[8]!.schema, schema);
  }
});
