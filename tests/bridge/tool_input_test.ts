import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { z } from "zod";
import { AdapterError } from "../../src/base/errors.ts";
import type { JsonObject } from "../../src/base/json.ts";
import { jsonSchemaCheck } from "../../src/bridge/json_schema.ts";
import type { LentTool } from "../../src/bridge/lent_tool.ts";
import { toolInput } from "../../src/bridge/tool_input.ts";

const withSchema = (inputSchema: LentTool["inputSchema"]): LentTool => ({
  name: "t",
  description: "d",
  inputSchema,
  handler: () => "",
});

Deno.test("what a schema has that JSON has not is left out, and what cannot be said in it is refused", async () => {
  const given = {
    type: "object",
    properties: { n: { type: "integer", default: undefined, about: () => 1 } },
  } as unknown as JsonObject;
  const { schema, check } = toolInput(withSchema(given));
  assertEquals(schema, { type: "object", properties: { n: { type: "integer" } } });
  (given.properties as { n: unknown }).n = { type: "string" };
  assertEquals((await check({ n: 1 })).ok, true, "what is done to it later changes nothing");
  const circle: { [name: string]: unknown } = { type: "object" };
  circle.self = circle;
  const alias = { type: "object", properties: { a: { $ref: "#/properties/a" } } };
  const remote = { type: "object", properties: { a: { $ref: "https://schemas.example/a" } } };
  for (const wrong of [circle, { type: "object", default: 5n }, alias, remote]) {
    const error = assertThrows(() => toolInput(withSchema(wrong as JsonObject)), AdapterError);
    assertEquals(error.code, "invalid_arguments");
  }
});

Deno.test("zod schemas that transform, refine and wait are checked as a whole", async () => {
  const { check, schema } = toolInput(withSchema(
    z.object({
      length: z.string().transform((text) => text.length),
      even: z.number().refine(async (n) => await Promise.resolve(n % 2 === 0), "must be even"),
    }).refine(({ length, even }) => length < even, "must be shorter"),
  ));
  assertEquals((schema.properties as JsonObject).length, { type: "string" });
  assertEquals(await check({ length: "abc", even: 4 }), {
    ok: true,
    value: { length: 3, even: 4 },
  });
  for (
    const [input, says] of [
      [{ length: 3, even: 4 }, "expected string"],
      [{ length: "abc", even: 5 }, "must be even"],
      [{ length: "abcde", even: 4 }, "must be shorter"],
    ] as const
  ) {
    const checked = await check(input);
    assert(!checked.ok);
    assertStringIncludes(checked.message, says);
  }
});

Deno.test("a JSON Schema is listed as it is, and input that does not fit is named", async () => {
  const schema = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    properties: { n: { $ref: "#/$defs/small" }, mail: { type: "string", format: "email" } },
    required: ["n"],
    additionalProperties: false,
    $defs: { small: { type: "integer", maximum: 9, format: "uint32" } },
  };
  const { schema: listed, check } = toolInput(withSchema(schema));
  assertEquals(listed, schema);
  assertEquals(await check({ n: 3 }), { ok: true, value: { n: 3 } });
  for (
    const [input, says] of [
      [{}, "required property 'n'"],
      [{ n: 10 }, "must be <= 9"],
      [{ n: 1, more: 1 }, "additional properties"],
      [{ n: 1, mail: "nobody" }, 'must match format "email"'],
      [[], "must be object"],
    ] as const
  ) {
    const checked = await check(input);
    assert(!checked.ok);
    assertStringIncludes(checked.message, says);
  }
});

Deno.test("a zod schema is listed as JSON Schema, and the handler gets what it makes of the input", async () => {
  const tool = z.object({
    n: z.number().default(1),
    at: z.string().transform((text) => text.length),
  });
  const { schema, check } = toolInput(withSchema(tool));
  assertEquals([schema.type, schema.required], ["object", ["at"]]);
  assertEquals(await check({ at: "abc" }), { ok: true, value: { n: 1, at: 3 } });
  const checked = await check({ n: "x", at: "" });
  assert(!checked.ok && checked.message.includes("expected number"));
  const broken = toolInput(withSchema(
    z.object({}).refine(() => {
      throw new Error("a fault of the schema");
    }),
  ));
  const found = await broken.check({});
  assert(!found.ok && found.message.includes("a fault of the schema"));
});

const MANY: JsonObject = { type: "object" };
let deep: JsonObject = { type: "string" };
for (let i = 0; i < 70; i++) deep = { type: "array", items: deep };

Deno.test("schemas that are none, or whose words would not be checked, are refused", () => {
  const wrong: readonly (readonly [unknown, string])[] = [
    [null, "as an object"],
    ["object", "as an object"],
    [{ type: "string" }, "must be 'object'"],
    [{}, "must be 'object'"],
    [{ ...MANY, properties: { a: { type: "banana" } } }, "no JSON Schema"],
    [{ ...MANY, properties: { a: { $ref: "#/nowhere" } } }, "no JSON Schema"],
    [{ ...MANY, properties: { a: { pattern: "(" } } }, "no JSON Schema"],
    [{ ...MANY, properties: { a: { prefixItems: [] } } }, "'prefixItems'"],
    [{ ...MANY, allOf: [{ unevaluatedProperties: false }] }, "'unevaluatedProperties'"],
    [{ ...MANY, properties: { a: deep } }, "nested more than 64"],
    [z.string(), "must be 'object'"],
    [z.object({ a: z.bigint() }), "cannot be said as JSON Schema"],
  ];
  for (const [schema, says] of wrong) {
    const error = assertThrows(() => toolInput(withSchema(schema as JsonObject)), AdapterError);
    assertEquals(error.code, "invalid_arguments");
    assertStringIncludes(error.message, says);
    assertStringIncludes(error.message, "'t'");
  }
});

Deno.test("a property may have the name of a word, and two schemas one $id", () => {
  const named = { type: "object", properties: { prefixItems: { type: "number" } } };
  assert(!jsonSchemaCheck(named, "s")({ prefixItems: "x" }).ok);
  const first = jsonSchemaCheck({ $id: "x", type: "number" }, "s");
  const second = jsonSchemaCheck({ $id: "x", type: "string" }, "s");
  assertEquals([first(1).ok, first("a").ok, second(1).ok, second("a").ok], [
    true,
    false,
    false,
    true,
  ]);
});
