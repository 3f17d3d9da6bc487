import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv";
import { parseRunArguments, runArgumentsJsonSchema } from "../../src/contract/run_schema.ts";
import { caught } from "./caught.ts";

const UUID = "12345678-1234-4234-8234-1234567890ab";
const DEFAULTS = {
  permission_mode: "dontAsk",
  background_tasks: "allow",
  timeout_seconds: 600,
  max_events: 128,
};
const isValid = new AjvJsonSchemaValidator().getValidator(
  structuredClone(runArgumentsJsonSchema()) as Record<string, unknown>,
);

const GOOD: readonly Record<string, unknown>[] = [
  { prompt: "x" },
  { prompt: "x".repeat(131_072) },
  { prompt: "😀".repeat(131_072) },
  { prompt: " \n x" },
  { prompt: "\u200b" }, // the CLI does not count it as white space (measured)
  { prompt: "--dangerously-skip-permissions" },
  { prompt: "\ud83d lone" },
  ...["dontAsk", "plan", "acceptEdits"].map((permission_mode) => ({
    prompt: "x",
    permission_mode,
  })),
  { prompt: "x", model: "m" },
  { prompt: "x", model: "😀".repeat(256) },
  ...["low", "medium", "high", "xhigh", "max"].map((effort) => ({ prompt: "x", effort })),
  { prompt: "x", append_system_prompt: "" },
  { prompt: "x", append_system_prompt: "é".repeat(65_524) }, // 131,048 bytes: all that one argument leaves
  { prompt: "x", append_system_prompt: "a".repeat(65_536) },
  { prompt: "x", max_budget_usd: 0.000001 },
  { prompt: "x", max_budget_usd: 1e21 },
  { prompt: "x", background_tasks: "off" },
  { prompt: "x", resume_session_id: "--dangerously-skip-permissions" },
  { prompt: "x", resume_session_id: "a title" },
  { prompt: "x", session_id: UUID.toUpperCase() },
  { prompt: "x", session_id: "ffffffff-ffff-ffff-ffff-ffffffffffff" },
  { prompt: "x", session_id: UUID, no_session_persistence: true },
  { prompt: "x", timeout_seconds: 1, max_events: 1 },
  { prompt: "x", timeout_seconds: 1800, max_events: 256 },
];

/** Input, the argument the message has to name, and what else it has to say. `rule` marks what JSON Schema cannot say. */
const BAD: readonly { input: unknown; names: string; says: readonly string[]; rule?: true }[] = [
  { input: undefined, names: "object", says: ["missing"] },
  { input: null, names: "object", says: ["null"] },
  { input: [], names: "object", says: ["an array of 0 items"] },
  { input: "x", names: "object", says: ["a string of 1 character"] },
  { input: {}, names: '"prompt"', says: ["Missing", "1 to 131072 characters"] },
  {
    input: { promt: "x" },
    names: '"promt"',
    says: ["Unknown", "prompt, permission_mode", "max_events"],
  },
  { input: { prompt: "x", workspace_id: "w" }, names: '"workspace_id"', says: ["Unknown"] },
  { input: { prompt: "x", constructor: 1 }, names: '"constructor"', says: ["Unknown"] },
  { input: JSON.parse('{"prompt":"x","__proto__":{}}'), names: '"__proto__"', says: ["Unknown"] },
  { input: { prompt: "" }, names: '"prompt"', says: ["1 to 131072", "0 characters"] },
  {
    input: { prompt: "x".repeat(131_073) },
    names: '"prompt"',
    says: ["131072", "131073 characters"],
  },
  {
    input: { prompt: "x".repeat(1_000_000) },
    names: '"prompt"',
    says: ["at least 500000 characters"],
  },
  { input: { prompt: 7 }, names: '"prompt"', says: ["the number 7"] },
  { input: { prompt: "a\0b" }, names: '"prompt"', says: ["NUL", "remove"], rule: true },
  { input: { prompt: "x".repeat(131_071) + "\0" }, names: '"prompt"', says: ["NUL"], rule: true },
  ...[" ", "\t\r\n", "\u00a0", "\ufeff", "\u2028\u3000"].map((prompt) => ({
    input: { prompt },
    names: '"prompt"',
    says: ["white space", "say what Claude is to do"],
    rule: true as const,
  })),
  ...["bypassPermissions", "auto", "default", "manual", "", null].map((permission_mode) => ({
    input: { prompt: "x", permission_mode },
    names: '"permission_mode"',
    says: ['"dontAsk", "plan", "acceptEdits"'],
  })),
  { input: { prompt: "x", model: "" }, names: '"model"', says: ["1 to 256", "0 characters"] },
  { input: { prompt: "x", model: "m".repeat(257) }, names: '"model"', says: ["257 characters"] },
  { input: { prompt: "x", model: "a\0" }, names: '"model"', says: ["NUL"], rule: true },
  { input: { prompt: "x", effort: "auto" }, names: '"effort"', says: ["low", "max"] },
  {
    input: { prompt: "x", append_system_prompt: "a".repeat(65_537) },
    names: '"append_system_prompt"',
    says: ["at most 65536 characters", "65537"],
  },
  {
    input: { prompt: "x", append_system_prompt: "é".repeat(65_525) },
    names: '"append_system_prompt"',
    says: ["131073 bytes", "131071", "shorten"],
    rule: true,
  },
  ...[0, -1, 0.0000009, "1"].map((max_budget_usd) => ({
    input: { prompt: "x", max_budget_usd },
    names: '"max_budget_usd"',
    says: ["a number of at least 0.000001"],
  })),
  {
    input: { prompt: "x", background_tasks: true },
    names: '"background_tasks"',
    says: ['"allow", "off"'],
  },
  {
    input: { prompt: "x", resume_session_id: "" },
    names: '"resume_session_id"',
    says: ["1 to 256"],
  },
  {
    input: { prompt: "x", resume_session_id: " " },
    names: '"resume_session_id"',
    says: ["white space"],
    rule: true,
  },
  ...["a\nb", "\x1b[0m", "a\x7f", "\u0085"].map((resume_session_id) => ({
    input: { prompt: "x", resume_session_id },
    names: '"resume_session_id"',
    says: ["control characters"],
    rule: true as const,
  })),
  {
    input: { prompt: "x", continue_previous: "true" },
    names: '"continue_previous"',
    says: ["true or false"],
  },
  { input: { prompt: "x", continue_previous: null }, names: '"continue_previous"', says: ["null"] },
  {
    input: { prompt: "x", session_id: UUID.slice(1) },
    names: '"session_id"',
    says: ["exactly 36", "35"],
  },
  ...[UUID.replace("1", "g"), UUID.replaceAll("-", "a"), `${UUID.slice(0, 35)}\n`].map((
    session_id,
  ) => ({
    input: { prompt: "x", session_id },
    names: '"session_id"',
    says: ["UUID"],
    rule: true as const,
  })),
  {
    input: { prompt: "x", no_session_persistence: 1 },
    names: '"no_session_persistence"',
    says: ["the number 1"],
  },
  ...[0, 1801, 1.5, "600"].map((timeout_seconds) => ({
    input: { prompt: "x", timeout_seconds },
    names: '"timeout_seconds"',
    says: ["an integer from 1 to 1800"],
  })),
  ...[0, 257, 2.5].map((max_events) => ({
    input: { prompt: "x", max_events },
    names: '"max_events"',
    says: ["an integer from 1 to 256"],
  })),
  ...[
    { resume_session_id: "a", continue_previous: true },
    { resume_session_id: "a", session_id: UUID },
    { session_id: UUID, continue_previous: true },
    { resume_session_id: "a", no_session_persistence: true },
    { continue_previous: true, no_session_persistence: true },
  ].flatMap((pair) =>
    Object.keys(pair).map((name) => ({
      input: { prompt: "x", ...pair },
      names: `"${name}"`,
      says: ["exclude each other", "only one"],
      rule: true as const,
    }))
  ),
];

Deno.test("parseRunArguments() takes what is allowed as it stands and fills in defaults", () => {
  for (const input of GOOD) {
    assertEquals(parseRunArguments(input) as unknown, { ...DEFAULTS, ...input });
    assert(isValid(input).valid, JSON.stringify(input).slice(0, 200));
  }
});

Deno.test("parseRunArguments() takes false and undefined as not given", () => {
  const off = { continue_previous: false, no_session_persistence: false };
  assertEquals(parseRunArguments({ prompt: "x", ...off }) as unknown, { prompt: "x", ...DEFAULTS });
  assertEquals(
    parseRunArguments({ prompt: "x", ...off, resume_session_id: "a", model: undefined }) as unknown,
    { prompt: "x", resume_session_id: "a", ...DEFAULTS },
  );
});

Deno.test("parseRunArguments() refuses what is not allowed and names the argument and the bound", () => {
  for (const { input, names, says } of BAD) {
    const error = caught(() => parseRunArguments(input));
    assertEquals(error.code, "invalid_arguments");
    for (const part of [names, ...says]) assertStringIncludes(error.message, part);
    assert(error.message.length < 500, "the message repeats the value");
  }
});

Deno.test("parseRunArguments() and the JSON Schema refuse the same, but for the rules it cannot say", () => {
  for (const { input, rule } of BAD) {
    assertEquals(isValid(input).valid, rule === true, JSON.stringify(input)?.slice(0, 200));
  }
});

Deno.test("parseRunArguments() refuses numbers that JSON cannot carry", () => {
  for (const max_budget_usd of [NaN, Infinity]) {
    const { message } = caught(() => parseRunArguments({ prompt: "x", max_budget_usd }));
    assertStringIncludes(message, `"max_budget_usd": it must be a number of at least 0.000001`);
  }
});

Deno.test("runArgumentsJsonSchema() is closed, needs only a prompt, and gives every default that is applied", () => {
  const schema = runArgumentsJsonSchema();
  assertEquals(schema.required, ["prompt"]);
  assertEquals(schema.additionalProperties, false);
  const defaults = Object.entries(schema.properties as Record<string, { default?: unknown }>)
    .filter(([, property]) => property.default !== undefined)
    .map(([name, property]) => [name, property.default]);
  assertEquals(Object.fromEntries(defaults), {
    ...DEFAULTS,
    continue_previous: false,
    no_session_persistence: false,
  });
});
