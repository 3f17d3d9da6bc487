import { assertEquals } from "@std/assert";
import {
  encodeToken,
  MARKER_NAME,
  markerValue,
  MAX_TOKENS,
  parseMarkerValue,
  parseToken,
} from "../../src/supervision/marker.ts";
import { nativeEnv } from "../../src/supervision/native_env.ts";

const OWNER = { namespace: 4026531836, adapter: { pid: 50, start: 500 }, runId: "a-b_C9" };

Deno.test("marker: a token reads back as what it was made of", () => {
  assertEquals(parseToken(encodeToken(OWNER)!), OWNER);
});

Deno.test("marker: a run id that could be mistaken for something else makes no token", () => {
  for (const runId of ["", "a.b", "a,b", "a b", "a\nb", "é", "x".repeat(129)]) {
    assertEquals(encodeToken({ ...OWNER, runId }), null);
  }
});

Deno.test("marker: what is not a token is none", () => {
  for (
    const token of ["", "1.2.3", "1.2.3.", "x.2.3.run", "1.2.3.run.4", " 1.2.3.run", "1.2.3.run\n"]
  ) {
    assertEquals(parseToken(token), null, JSON.stringify(token));
  }
});

Deno.test("marker: a run inside a run carries both, the outer one first", () => {
  assertEquals(markerValue("1.2.3.outer", "1.4.5.inner"), "1.2.3.outer,1.4.5.inner");
  assertEquals(parseMarkerValue("1.2.3.outer,1.4.5.inner"), ["1.2.3.outer", "1.4.5.inner"]);
});

Deno.test("marker: what was inherited and is malformed is dropped", () => {
  for (const inherited of [undefined, "", "hello", "1.2.3.outer,", "1.2.3.outer;rm"]) {
    assertEquals(markerValue(inherited, "1.4.5.inner"), "1.4.5.inner");
  }
});

Deno.test("marker: deep nesting forgets the outermost", () => {
  let value: string | undefined;
  for (let depth = 0; depth < MAX_TOKENS + 3; depth++) {
    value = markerValue(value, `1.2.3.run${depth}`);
  }
  const tokens = parseMarkerValue(value!);
  assertEquals([tokens.length, tokens[0], tokens.at(-1)], [
    MAX_TOKENS,
    "1.2.3.run3",
    "1.2.3.run10",
  ]);
});

Deno.test("environment: everything goes through but the host's and the outer session's", () => {
  const env = nativeEnv({
    inherited: {
      PATH: "/bin",
      EMPTY: "",
      "odd name.with-all": "a=b\nc",
      BASH_ENV: "/x",
      CLAUDE_CODE_MAX_RETRIES: "2",
      CLAUDE_CONFIG_DIR: "/c",
      COMPUTER_MCP_TOKEN: "secret",
      COMPUTER_MCP_: "x",
      CLAUDECODE: "1",
      CLAUDE_CODE_ENTRYPOINT: "sdk-cli",
      CLAUDE_CODE_SESSION_ID: "s",
      CLAUDE_CODE_MESSAGING_TOKEN: "t",
      AI_AGENT: "claude-code_2-1-332_agent",
      REPLACED: "old",
    },
    added: { REPLACED: "new", ADDED: "1" },
    token: "1.2.3.run",
  });
  assertEquals({ ...env }, {
    PATH: "/bin",
    EMPTY: "",
    "odd name.with-all": "a=b\nc",
    BASH_ENV: "/x",
    CLAUDE_CODE_MAX_RETRIES: "2",
    CLAUDE_CONFIG_DIR: "/c",
    REPLACED: "new",
    ADDED: "1",
    [MARKER_NAME]: "1.2.3.run",
  });
});

Deno.test("environment: AI_AGENT stays when no claude is around us", () => {
  const env = nativeEnv({ inherited: { AI_AGENT: "mine" }, added: {}, token: "1.2.3.run" });
  assertEquals(env.AI_AGENT, "mine");
});

Deno.test("environment: a variable called __proto__ is a variable", () => {
  const inherited = JSON.parse('{"__proto__":"x"}');
  const env = nativeEnv({ inherited, added: {}, token: "1.2.3.run" });
  assertEquals(Object.keys(env), ["__proto__", MARKER_NAME]);
});
