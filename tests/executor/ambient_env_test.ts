import { assertEquals } from "@std/assert";
import { isAmbient } from "../../src/executor/ambient_env.ts";
import { turnEnv } from "../../src/executor/turn_invocation.ts";
import { checkTurnOptions } from "../../src/executor/turn_options.ts";
import { AUTH_VARIABLES } from "../../src/threads/auth_env.ts";
import { MARKER_NAME } from "../../src/supervision/marker.ts";

Deno.test("what only the CLI reads is ambient, every way to log in first of all", () => {
  const ambient = [
    ...AUTH_VARIABLES,
    "ANTHROPIC_BETAS",
    "ANTHROPIC_MODEL",
    "ANTHROPIC_SMALL_FAST_MODEL",
    "API_TIMEOUT_MS",
    "BUN_OPTIONS",
    "CLAUDECODE",
    "CLAUDE_CODE_EXTRA_BODY",
    "CLAUDE_CODE_MAX_OUTPUT_TOKENS",
    "CLAUDE_CODE_MAX_TURNS",
    "CLAUDE_CODE_OF_A_VERSION_TO_COME",
    "DISABLE_PROMPT_CACHING",
    "ENABLE_TOOL_SEARCH",
    "MAX_MCP_OUTPUT_TOKENS",
    "MAX_THINKING_TOKENS",
    "MCP_TIMEOUT",
    "OTEL_LOG_USER_PROMPTS",
  ];
  assertEquals(ambient.filter((name) => !isAmbient(name)), []);
});

Deno.test("what belongs to the machine, its network, or somebody else is not", () => {
  const kept = [
    MARKER_NAME,
    "ADAPTER_TEST_PLACE",
    "APIARY",
    "CLAUDE_CODE_CERT_STORE",
    "CLAUDE_CODE_CLIENT_CERT",
    "CLAUDE_CODE_EXECUTABLE",
    "HOME",
    "HTTPS_PROXY",
    "LANG",
    "MCPX",
    "NODE_EXTRA_CA_CERTS",
    "PATH",
    "SSL_CERT_FILE",
    "TMPDIR",
    "XDG_STATE_HOME",
  ];
  assertEquals(kept.filter(isAmbient), []);
});

Deno.test("every variable that a turn sets is one that it does not inherit, or replaces what it inherits", () => {
  const set = turnEnv(checkTurnOptions({ model: "m", apiKey: "k", baseUrl: "http://a.example" }), {
    folder: "/p",
    longestToolMs: 1,
    noProxy: "",
  });
  const others = Object.keys(set).filter((name) => !isAmbient(name));
  assertEquals(others.sort(), ["NO_PROXY", "XDG_CACHE_HOME", "no_proxy"]);
});
