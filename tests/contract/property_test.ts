/** Properties of the contract over random values; the seed is in every failure message. */
import { assert, assertEquals } from "@std/assert";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv";
import { MAX_ARGUMENT_BYTES } from "../../src/base/limits.ts";
import { utf8Length } from "../../src/base/json.ts";
import { buildRunInvocation } from "../../src/contract/invocation.ts";
import { parseRunArguments, runArgumentsJsonSchema } from "../../src/contract/run_schema.ts";
import type { RunArguments } from "../../src/contract/run_arguments.ts";
import { Random } from "../helpers/random.ts";
import { caught } from "./caught.ts";

const SEED = 20_260_101;
const PIECES = [
  "a",
  "-",
  "--",
  "-p",
  "--model=x",
  "--resume",
  "=",
  " ",
  "\n",
  "\r\n",
  "\t",
  '"',
  "'",
  "$HOME",
  "\\",
  "`id`",
  ";",
  "é",
  "😀",
  "\ud83d",
  "\udc00",
  "\u2028",
  "\u0085",
  "\x1b[0m",
  "/clear",
  "@../x",
  "*",
];
const EFFORTS = ["low", "medium", "high", "xhigh", "max"];

function randomText(random: Random, pieces: number): string {
  return Array.from({ length: pieces }, () => random.pick(PIECES)).join("");
}

function randomUuid(random: Random): string {
  const hex = Array.from({ length: 32 }, () => random.pick([..."0123456789abcdefABCDEF"])).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** Arguments that are allowed, of every shape. */
function validArguments(random: Random): Record<string, unknown> {
  const input: Record<string, unknown> = { prompt: `${randomText(random, random.int(0, 20))}x` };
  const maybe = (name: string, value: () => unknown) => {
    if (random.chance(0.4)) input[name] = value();
  };
  maybe("permission_mode", () => random.pick(["dontAsk", "plan", "acceptEdits"]));
  maybe("model", () => `${randomText(random, random.int(0, 10))}m`);
  maybe("effort", () => random.pick(EFFORTS));
  maybe("append_system_prompt", () => randomText(random, random.int(0, 30)));
  maybe("max_budget_usd", () => random.pick([0.000001, 0.1, 1, 1e9, random.next() + 0.000001]));
  maybe("background_tasks", () => random.pick(["allow", "off"]));
  maybe("timeout_seconds", () => random.int(1, 1800));
  maybe("max_events", () => random.int(1, 256));
  const conversation = random.int(0, 4);
  if (conversation === 1) {
    input.resume_session_id = `${randomText(random, 5).replace(/\p{Cc}/gu, "")}r`;
  }
  if (conversation === 2) input.continue_previous = true;
  if (conversation === 3) input.session_id = randomUuid(random);
  if (conversation === 0 || conversation === 3) {
    maybe("no_session_persistence", () => random.chance(0.5));
  }
  return input;
}

/** The option values, by native flag, that a run must have; nothing else may be there. */
function nativeOptions(args: RunArguments): Set<string> {
  const options = [
    `--permission-mode=${args.permission_mode}`,
    ...(args.model === undefined ? [] : [`--model=${args.model}`]),
    ...(args.effort === undefined ? [] : [`--effort=${args.effort}`]),
    ...(args.append_system_prompt === undefined
      ? []
      : [`--append-system-prompt=${args.append_system_prompt}`]),
    ...(args.max_budget_usd === undefined ? [] : [`--max-budget-usd=${args.max_budget_usd}`]),
    ...(args.resume_session_id === undefined ? [] : [`--resume=${args.resume_session_id}`]),
    ...(args.continue_previous ? ["--continue"] : []),
    ...(args.session_id === undefined ? [] : [`--session-id=${args.session_id}`]),
    ...(args.no_session_persistence ? ["--no-session-persistence"] : []),
  ];
  return new Set(options);
}

Deno.test("any allowed arguments become exactly the stream options, their own options, -- and the prompt", () => {
  const random = new Random(SEED);
  for (let round = 0; round < 3_000; round++) {
    const input = validArguments(random);
    const args = parseRunArguments(input);
    const { argv, stdin, env } = buildRunInvocation(args);
    const where = `seed ${SEED}, round ${round}: ${JSON.stringify(input)}`;
    const end = argv.indexOf("--");
    assertEquals(argv.slice(end), ["--", input.prompt as string], where);
    assertEquals(stdin, null, where);
    const options = argv.slice(0, end);
    assertEquals(options.slice(0, 4), [
      "-p",
      "--output-format=stream-json",
      "--verbose",
      "--include-partial-messages",
    ]);
    assert(options.every((option) => option.startsWith("-")), `a positional before --, ${where}`);
    assertEquals(new Set(options.slice(4)), nativeOptions(args), where);
    assertEquals(options.length - 4, nativeOptions(args).size, where);
    assertEquals(Object.keys(env).length, args.background_tasks === "off" ? 1 : 0, where);
  }
});

Deno.test("any prompt arrives whole: as one argument, or on stdin when it is too long for one", () => {
  const random = new Random(SEED + 1);
  for (let round = 0; round < 100; round++) {
    const unit = randomText(random, 3) + "x";
    const target = random.pick([1, 1_000, MAX_ARGUMENT_BYTES - 60, MAX_ARGUMENT_BYTES + 60]);
    const text = unit.repeat(Math.max(1, Math.floor(target / utf8Length(unit))));
    const prompt = `${text}${"y".repeat(random.int(0, 60))}`.slice(0, 131_072);
    const { argv, stdin } = buildRunInvocation(parseRunArguments({ prompt }));
    const fits = utf8Length(prompt) <= MAX_ARGUMENT_BYTES;
    const where = `seed ${SEED + 1}, round ${round}`;
    assert(stdin === (fits ? null : prompt), where);
    assertEquals(argv.filter((argument) => argument === prompt).length, fits ? 1 : 0, where);
    assertEquals(argv.includes("--"), fits, where);
    assert(argv.every((argument) => utf8Length(argument) <= MAX_ARGUMENT_BYTES), where);
  }
});

const WRONG: readonly ((random: Random) => unknown)[] = [
  () => null,
  () => [],
  () => ({}),
  (random) => random.int(2_000, 9_999) * -1,
  (random) => `${randomText(random, 3)}\0`,
];

Deno.test("one wrong value is always reported as invalid_arguments with the name of its argument", () => {
  const random = new Random(SEED + 2);
  const names = Object.keys(runArgumentsJsonSchema().properties as Record<string, unknown>);
  for (let round = 0; round < 3_000; round++) {
    const name = random.chance(0.1) ? `extra${round}` : random.pick(names);
    const input = { ...validArguments(random), [name]: random.pick(WRONG)(random) };
    const { code, message } = caught(() => parseRunArguments(input));
    const where = `seed ${SEED + 2}, round ${round}: ${message}`;
    assertEquals(code, "invalid_arguments", where);
    assert(message.includes(JSON.stringify(name)), where);
  }
});

Deno.test("whatever the parser takes, the JSON Schema takes too", () => {
  const random = new Random(SEED + 3);
  const schema = structuredClone(runArgumentsJsonSchema()) as Record<string, unknown>;
  const validate = new AjvJsonSchemaValidator().getValidator(schema);
  for (let round = 0; round < 3_000; round++) {
    const input = validArguments(random);
    const { valid, errorMessage } = validate(input);
    assert(valid, `seed ${SEED + 3}, round ${round}: ${errorMessage}`);
  }
});
