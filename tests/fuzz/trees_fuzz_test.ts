import { assert, assertEquals } from "@std/assert";
import document from "../../cli-tree.json" with { type: "json" };
import { AdapterError } from "../../src/base/errors.ts";
import { isObject, type JsonValue } from "../../src/base/json.ts";
import { checkValue } from "../../src/contract/check_value.ts";
import type { CliCommand, ValueSchema } from "../../src/contract/cli_tree.ts";
import { encodeCommand, type SuppliedValues } from "../../src/contract/encode_argv.ts";
import { readTree } from "../../src/contract/read_tree.ts";
import { validateTree } from "../../src/contract/validate_tree.ts";
import { sampleTree } from "../contract/sample_tree.ts";
import { Random } from "../helpers/random.ts";
import { mutateBytes, mutateJson, randomJson } from "./mutate.ts";

const SEED = 41_973;
const TREES = 10_000;
const FILES = 5_000;
const SOURCES: readonly JsonValue[] = [document as unknown as JsonValue, sampleTree()];

/** Words that mean something in a tree, so that not every mutation is nonsense. */
const WORDS = [
  "",
  "-",
  "--",
  "--flag",
  "--flag=",
  "-f",
  "a",
  "print",
  "dry",
  "prompt",
  "string",
  "array",
  "boolean",
  "object",
  "null",
  "literal",
  "flag",
  "positional",
  "option",
  "equals",
  "repeated",
  "separate",
  "\0",
  "__proto__",
  "toString",
  "workspace_id",
];

/** A copy in which one thing is another that could stand there, or is there twice. */
function swapWord(value: JsonValue, random: Random): JsonValue {
  if (Array.isArray(value) && value.length > 0) {
    if (random.chance(0.1)) return [...value, random.pick(value)];
    const at = random.int(0, value.length - 1);
    return value.map((item, i) => i === at ? swapWord(item, random) : item);
  }
  if (isObject(value) && Object.keys(value).length > 0) {
    const name = random.pick(Object.keys(value));
    return { ...value, [name]: swapWord(value[name]!, random) };
  }
  return random.chance(0.8) ? random.pick(WORDS) : randomJson(random, 3);
}

/** Something that often fits. */
function valueFor(schema: ValueSchema, random: Random, depth = 0): JsonValue {
  if (random.chance(0.05) || depth > 5) return randomJson(random, 4);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return random.pick(schema.enum);
  const { minLength = 0, maxLength = 300, minItems = 0, maxItems = 5 } = schema;
  switch (schema.type) {
    case "string":
      return random.pick(["a", "-", "é😀", " ", "AAAA", "\0", "\ud83d"])
        .repeat(random.int(Math.min(minLength, 300), Math.min(maxLength, 300)));
    case "integer":
    case "number":
      return random.pick([
        schema.minimum ?? 0,
        schema.maximum ?? 1,
        1,
        -1,
        0.5,
        2 ** 60,
        1e300,
        -0,
      ]);
    case "boolean":
      return random.chance(0.5);
    case "null":
      return null;
    case "array":
      return Array.from(
        { length: random.int(Math.min(minItems, 20), Math.min(maxItems, 20)) },
        () => valueFor(schema.items!, random, depth + 1),
      );
    case "object":
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, child]) => [
          name,
          valueFor(child, random, depth + 1),
        ]),
      );
  }
}

function valuesFor({ parameters }: CliCommand, random: Random): SuppliedValues {
  const members = parameters.filter(({ required }) => required || random.chance(0.3))
    .map(({ name, schema }) => [name, valueFor(schema, random)] as const);
  if (random.chance(0.02)) members.push(["toString", 1]);
  return Object.fromEntries(members);
}

/** Whether a pointer leads to a place, or to a member that could be there. */
function isPlace(root: JsonValue, path: string): boolean {
  const keys = path.split("/").slice(1).map((key) =>
    key.replaceAll("~1", "/").replaceAll("~0", "~")
  );
  let value: JsonValue | undefined = root;
  for (const key of keys) {
    if (typeof value !== "object" || value === null) return false;
    value = Object.hasOwn(value, key) ? (value as Record<string, JsonValue>)[key] : undefined;
  }
  return true;
}

/** Encodes what a tree that is called valid offers; counts what came of it. */
function useTree(
  commands: readonly CliCommand[],
  random: Random,
  counts: Map<string, number>,
  where: string,
) {
  for (const command of commands) {
    const values = valuesFor(command, random);
    let outcome = "encoded";
    try {
      const { argv, stdin } = encodeCommand(command, values);
      assert(
        argv.every((argument) => typeof argument === "string" && !argument.includes("\0")),
        where,
      );
      assert(stdin === null || typeof stdin === "string" || stdin instanceof Uint8Array, where);
      for (const { name, schema } of command.parameters) {
        if (Object.hasOwn(values, name)) {
          assertEquals(checkValue(schema, values[name]), null, where);
        }
      }
    } catch (error) {
      assert(
        error instanceof AdapterError && error.code === "invalid_arguments",
        `${where}: ${error}`,
      );
      outcome = "refused";
    }
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  }
}

Deno.test("10,000 damaged trees: nothing throws, every fault has a place, and what is valid can be used", () => {
  const random = new Random(SEED);
  const counts = new Map<string, number>();
  const codes = new Map<string, number>();
  for (let round = 0; round < TREES; round++) {
    const where = `seed ${SEED}, round ${round}`;
    let tree = random.pick(SOURCES);
    do tree = random.chance(0.6) ? swapWord(tree, random) : mutateJson(tree, random); while (
      random.chance(0.3)
    );
    // As a file has it: -0 is 0, and there is no undefined.
    tree = JSON.parse(JSON.stringify(tree));
    const result = validateTree(tree);
    const errors = result.diagnostics.filter(({ severity }) => severity === "error");
    assertEquals(
      [result.valid, result.tree !== null],
      [errors.length === 0, errors.length === 0],
      where,
    );
    for (const { code, path, message } of result.diagnostics) {
      assert(isPlace(tree, path), `${where}: ${path} is no place`);
      assert(message !== "" && !message.includes("undefined"), `${where}: ${message}`);
      codes.set(code, (codes.get(code) ?? 0) + 1);
    }
    if (result.tree === null) continue;
    assertEquals(JSON.stringify(result.tree), JSON.stringify(tree), where);
    counts.set("valid", (counts.get("valid") ?? 0) + 1);
    useTree(result.tree.commands, random, counts, where);
  }
  // The fuzz is worth something only if it reaches both sides and every kind of fault.
  const seen = JSON.stringify([...counts, ...codes]);
  assert((counts.get("valid") ?? 0) > TREES / 20 && (counts.get("valid") ?? 0) < TREES / 2, seen);
  assert((counts.get("encoded") ?? 0) > 500 && (counts.get("refused") ?? 0) > 500, seen);
  for (
    const code of [
      "document.unknown_field",
      "document.missing_field",
      "document.type",
      "document.encoding",
      "document.invalid",
      "format.unsupported",
      "command.duplicate",
      "command.missing_parent",
      "command.invalid",
      "parameter.invalid",
      "argv.invalid",
      "check.invalid",
    ]
  ) assert((codes.get(`clitree.${code}`) ?? 0) >= 10, `${code}: ${seen}`);
});

Deno.test("5,000 damaged files: nothing throws, and a file that is valid says what its tree says", () => {
  const random = new Random(SEED + 1);
  let valid = 0;
  for (let round = 0; round < FILES; round++) {
    const where = `seed ${SEED + 1}, round ${round}`;
    const source = new TextEncoder().encode(JSON.stringify(random.pick(SOURCES)));
    const bytes = mutateBytes(source, random);
    const comments = random.chance(0.5);
    const result = readTree(bytes, { comments });
    assert(result.valid || result.diagnostics.some(({ severity }) => severity === "error"), where);
    if (result.tree === null) continue;
    valid += 1;
    if (!comments) {
      const text = new TextDecoder().decode(bytes);
      assertEquals(JSON.stringify(result.tree), JSON.stringify(JSON.parse(text)), where);
    }
  }
  assert(valid > FILES / 20 && valid < FILES, `${valid} are valid`);
});
