import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { AdapterError } from "../../src/base/errors.ts";
import { jsonBytes } from "../../src/base/json.ts";
import { MAX_MESSAGE_BYTES, MAX_VALUE_BYTES } from "../../src/base/limits.ts";
import { errorResult, valueResult } from "../../src/mcp/results.ts";
import { settledRun } from "./fake_engine.ts";

Deno.test("a value is the structured result, and its digest the only text", () => {
  const value = settledRun();
  const result = valueResult(value);
  assertEquals(result.structuredContent, { result: value });
  assertEquals(result.isError, false);
  assertEquals(result.content.length, 1);
});

Deno.test("a failed run is an error, and so is a rejection", () => {
  assertEquals(valueResult(settledRun({ is_error: true })).isError, true);
  const rejected = errorResult(new AdapterError("capacity", "4 runs are active"));
  assertEquals(rejected.isError, true);
  assertEquals(rejected.structuredContent, {
    result: { is_error: true, error: { code: "capacity", message: "4 runs are active" } },
  });
});

Deno.test("a value of 512 KiB is returned, a larger one is result_too_large and never cut", () => {
  const room = MAX_VALUE_BYTES - jsonBytes({ x: "" });
  assertEquals(valueResult({ x: "y".repeat(room) }).isError, false);
  const { isError, structuredContent } = valueResult({ x: "y".repeat(room + 1) });
  assertEquals(isError, true);
  assertStringIncludes(JSON.stringify(structuredContent), "result_too_large");
});

Deno.test("the largest value with the most expensive text fits into one message", () => {
  const filler = settledRun({ result: "\u0001".repeat(70_000) });
  const room = MAX_VALUE_BYTES - jsonBytes({ ...filler, pad: "" });
  const result = valueResult({ ...filler, pad: "y".repeat(room) });
  assertEquals(result.isError, false);
  const size = jsonBytes({ jsonrpc: "2.0", id: "i".repeat(256), result });
  assert(size <= MAX_MESSAGE_BYTES, `${size} bytes`);
});
