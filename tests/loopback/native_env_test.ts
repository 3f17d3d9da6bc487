import { assert, assertEquals } from "@std/assert";
import { nativeEnv } from "../../src/loopback/mod.ts";

Deno.test("the environment holds nothing of this machine but PATH", () => {
  const env = nativeEnv({ home: "/fresh", url: "http://127.0.0.1:1" });
  assertEquals(env["PATH"], Deno.env.get("PATH"));
  assertEquals(env["HOME"], "/fresh");
  assertEquals(env["CLAUDE_CONFIG_DIR"], "/fresh/.claude");
  assertEquals(env["ANTHROPIC_BASE_URL"], "http://127.0.0.1:1");
  assertEquals(env["ANTHROPIC_API_KEY"], "sk-ant-made-up");
  assert(!Object.values(env).includes(Deno.env.get("HOME") ?? "\0"));
});

Deno.test("the key can be left out, and more variables win", () => {
  const extra = { LANG: "C", MORE: "1" };
  const env = nativeEnv({ home: "/fresh", url: "http://x", apiKey: undefined, extra });
  assert(!("ANTHROPIC_API_KEY" in env));
  assertEquals([env["LANG"], env["MORE"]], ["C", "1"]);
});
