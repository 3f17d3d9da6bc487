import { assertEquals, assertStrictEquals, assertStringIncludes } from "@std/assert";
import { AdapterError, toAdapterError } from "../../src/base/errors.ts";

Deno.test("an AdapterError carries its code and is told apart by class", () => {
  const error = new AdapterError("capacity", "full");
  assertEquals([error.name, error.code, error.message], ["AdapterError", "capacity", "full"]);
  assertStrictEquals(toAdapterError(error), error);
});

Deno.test("a permission that this program was not given is a matter of its configuration", () => {
  const error = toAdapterError(
    new Deno.errors.NotCapable("Requires run access, run again with the --allow-run flag"),
  );
  assertEquals(error.code, "invalid_configuration");
  assertStringIncludes(error.message, "--allow-run");
});

Deno.test("anything else that was thrown becomes internal_error with its message", () => {
  for (
    const [thrown, message] of [[new TypeError("x"), "x"], ["y", "y"], [undefined, "undefined"]]
  ) {
    const error = toAdapterError(thrown);
    assertEquals([error.code, error.message], ["internal_error", `Internal fault: ${message}`]);
  }
});
