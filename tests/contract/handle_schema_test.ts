import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv";
import {
  type ArgumentsContract,
  EVENTS_ARGUMENTS,
  LIST_ARGUMENTS,
  RESULT_ARGUMENTS,
  RUN_ID_ARGUMENTS,
} from "../../src/contract/handle_schema.ts";
import { caught } from "./caught.ts";

const EVENTS = { run_id: "r", after_cursor: 0, limit: 128, max_bytes: 196_608, wait_seconds: 0 };

const GOOD: readonly [ArgumentsContract<unknown>, Record<string, unknown>, unknown][] = [
  [RESULT_ARGUMENTS, { run_id: "r" }, { run_id: "r", max_events: 128, wait_seconds: 0 }],
  [
    RESULT_ARGUMENTS,
    { run_id: "r", max_events: 256, wait_seconds: 50 },
    { run_id: "r", max_events: 256, wait_seconds: 50 },
  ],
  [RESULT_ARGUMENTS, { run_id: "r", wait_seconds: 0.25 }, {
    run_id: "r",
    max_events: 128,
    wait_seconds: 0.25,
  }],
  [EVENTS_ARGUMENTS, { run_id: "r" }, EVENTS],
  [EVENTS_ARGUMENTS, { ...EVENTS, limit: 1, max_bytes: 1024, after_cursor: 2 ** 53 }, {
    ...EVENTS,
    limit: 1,
    max_bytes: 1024,
    after_cursor: 2 ** 53,
  }],
  [RUN_ID_ARGUMENTS, { run_id: "x".repeat(256) }, { run_id: "x".repeat(256) }],
  [LIST_ARGUMENTS, {}, {}],
];

const BAD: readonly [ArgumentsContract<unknown>, unknown, string, string][] = [
  [RESULT_ARGUMENTS, {}, '"run_id"', "Missing"],
  [RESULT_ARGUMENTS, { run_id: 5 }, '"run_id"', "the number 5"],
  [RESULT_ARGUMENTS, { run_id: "r", max_events: 0 }, '"max_events"', "from 1 to 256"],
  [RESULT_ARGUMENTS, { run_id: "r", max_events: 257 }, '"max_events"', "from 1 to 256"],
  [RESULT_ARGUMENTS, { run_id: "r", wait_seconds: 50.1 }, '"wait_seconds"', "from 0 to 50"],
  [RESULT_ARGUMENTS, { run_id: "r", wait_seconds: -1 }, '"wait_seconds"', "from 0 to 50"],
  [RESULT_ARGUMENTS, { run_id: "r", after_cursor: 0 }, '"after_cursor"', "run_id, max_events"],
  [EVENTS_ARGUMENTS, { run_id: "r", after_cursor: -1 }, '"after_cursor"', "at least 0"],
  [EVENTS_ARGUMENTS, { run_id: "r", after_cursor: 0.5 }, '"after_cursor"', "integer"],
  [EVENTS_ARGUMENTS, { run_id: "r", limit: 0 }, '"limit"', "from 1 to 256"],
  [EVENTS_ARGUMENTS, { run_id: "r", limit: 257 }, '"limit"', "from 1 to 256"],
  [EVENTS_ARGUMENTS, { run_id: "r", max_bytes: 1023 }, '"max_bytes"', "from 1024 to 196608"],
  [EVENTS_ARGUMENTS, { run_id: "r", max_bytes: 196_609 }, '"max_bytes"', "from 1024 to 196608"],
  [EVENTS_ARGUMENTS, { run_id: "r", wait_seconds: "1" }, '"wait_seconds"', "a number"],
  [RUN_ID_ARGUMENTS, { run_id: "" }, '"run_id"', "1 to 256"],
  [RUN_ID_ARGUMENTS, { run_id: "x".repeat(257) }, '"run_id"', "1 to 256"],
  [RUN_ID_ARGUMENTS, { run_id: "r", wait_seconds: 1 }, '"wait_seconds"', "only run_id"],
  [RUN_ID_ARGUMENTS, null, "object", "null"],
  [LIST_ARGUMENTS, { run_id: "r" }, '"run_id"', "there are no arguments"],
];

function isValid(contract: ArgumentsContract<unknown>, input: unknown): boolean {
  const schema = structuredClone(contract.jsonSchema()) as Record<string, unknown>;
  return new AjvJsonSchemaValidator().getValidator(schema)(input).valid;
}

Deno.test("handle arguments that are allowed get their defaults", () => {
  for (const [contract, input, expected] of GOOD) {
    assertEquals(contract.parse(input), expected);
    assert(isValid(contract, input), JSON.stringify(input));
  }
});

Deno.test("handle arguments that are not allowed are named with their bound, and the schema says the same", () => {
  for (const [contract, input, names, says] of BAD) {
    const error = caught(() => contract.parse(input));
    assertEquals(error.code, "invalid_arguments");
    assertStringIncludes(error.message, names);
    assertStringIncludes(error.message, says);
    assert(!isValid(contract, input), JSON.stringify(input));
  }
});

Deno.test("a run id with NUL is refused", () => {
  assertStringIncludes(caught(() => RUN_ID_ARGUMENTS.parse({ run_id: "a\0" })).message, "NUL");
});

Deno.test("every handle argument is described", () => {
  for (const contract of [RESULT_ARGUMENTS, EVENTS_ARGUMENTS, RUN_ID_ARGUMENTS, LIST_ARGUMENTS]) {
    const { properties, additionalProperties } = contract.jsonSchema();
    assertEquals(additionalProperties, false);
    for (const property of Object.values(properties as Record<string, { description: string }>)) {
      assert(property.description.length > 10);
    }
  }
});
