import { assertEquals, assertMatch, assertThrows } from "@std/assert";
import { AdapterError } from "../../src/base/errors.ts";
import { bridgeName, bridgeNames, modelName } from "../../src/bridge/tool_names.ts";

Deno.test("plain names stay; every other one gets a spelling of its own that the API takes", () => {
  const odd = ["a.b", "a b", "ä", "a/b", "x".repeat(100), "x".repeat(101), "mcp__tools__a\n", "-"];
  const spelled = bridgeNames(["plain_Name-1", ...odd]);
  assertEquals(spelled[0], "plain_Name-1");
  assertEquals(new Set(spelled).size, odd.length + 1);
  for (const name of spelled) {
    assertMatch(modelName(name), /^[a-zA-Z0-9_-]{1,64}$/);
    assertEquals(bridgeName(modelName(name)), name);
  }
  assertEquals(bridgeNames(odd), spelled.slice(1), "the same in every turn");
  assertEquals([bridgeName("Bash"), bridgeName("mcp__other__a")], [null, null]);
});

Deno.test("names that are none, too long, or there twice are refused", () => {
  const [taken] = bridgeNames(["a.b"]);
  for (
    const [names, says] of [
      [[""], "1 to 256"],
      [[5], "1 to 256"],
      [[undefined], "1 to 256"],
      [["x".repeat(257)], "1 to 256"],
      [["a", "a"], "two tools are called 'a'"],
      [["a.b", taken], "cannot be told apart"],
    ] as const
  ) {
    const error = assertThrows(() => bridgeNames(names as readonly string[]), AdapterError);
    assertEquals([error.code, error.message.includes(says)], ["invalid_arguments", true], says);
  }
});
