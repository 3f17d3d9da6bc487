/** What a call throws, for tests that look at the code and at the message. */
import { assert } from "@std/assert";
import { AdapterError } from "../../src/base/errors.ts";

/** The `AdapterError` that `call` throws; fails when it returns or throws anything else. */
export function caught(call: () => unknown): AdapterError {
  let value: unknown;
  try {
    value = call();
  } catch (error) {
    assert(error instanceof AdapterError, `not an AdapterError: ${error}`);
    return error;
  }
  throw new Error(`nothing was thrown, the value is ${JSON.stringify(value)?.slice(0, 200)}`);
}
