import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { AdapterError } from "../../src/base/errors.ts";
import { turnArgv, turnEnv } from "../../src/executor/turn_invocation.ts";
import { checkTurnOptions, type TurnOptions } from "../../src/executor/turn_options.ts";

const BASE: TurnOptions = { model: "sonnet", apiKey: "sk-secret" };
const FILES = { mcpConfigPath: null, systemPromptPath: null, allowedTools: [] };

Deno.test("options that are left out have their defaults", () => {
  const { auth, ...checked } = checkTurnOptions(BASE);
  assertEquals(auth.set, { ANTHROPIC_API_KEY: "sk-secret" });
  assertEquals(checked, {
    model: "sonnet",
    maxTurns: null,
    maxBudgetUsd: null,
    fallbackModels: [],
    maxRetries: 3,
    jsonSchema: null,
    addDir: [],
    disallowedTools: [],
    extraArgv: [],
    startupTimeoutMs: 45_000,
    streamIdleTimeoutMs: 60_000,
    toolTimeoutMs: 600_000,
    mcpIdleTimeoutMs: 300_000,
    disposeGraceMs: 500,
    maxResultChars: 80_000,
    images: "native",
    unsupportedMediaPolicy: "throw",
    unsupportedResultMediaPolicy: "throw",
  });
});

Deno.test("each option that is wrong is refused by its name, and no secret is in the message", () => {
  const table: readonly (readonly [string, { readonly [name: string]: unknown }, string])[] = [
    ["model", { model: undefined }, "name a model"],
    ["model", { model: "-x" }, "model's name"],
    ["apiKey", { apiKey: undefined }, "exactly one"],
    ["apiKey", { authToken: "secret" }, "exactly one"],
    ["auth", { apiKey: "sk secret" }, "visible ASCII"],
    ["auth", { apiKey: "" }, "visible ASCII"],
    ["auth", { baseUrl: "ftp://secret" }, "http or https"],
    ["auth", { baseUrl: "http://me:secret@x" }, "without a name and password"],
    ["maxTurns", { maxTurns: 0 }, "from 1 to"],
    ["maxTurns", { maxTurns: 1.5 }, "whole number"],
    ["maxBudgetUsd", { maxBudgetUsd: 0 }, "0.000001"],
    ["maxBudgetUsd", { maxBudgetUsd: NaN }, "0.000001"],
    ["fallbackModel", { fallbackModel: "a,-b" }, "model's name"],
    ["fallbackModel", { fallbackModel: "a," }, "model's name"],
    ["fallbackModel", { fallbackModel: ["a", "-b"] }, "model's name"],
    ["maxRetries", { maxRetries: -1 }, "from 0 to 100"],
    ["startupTimeoutMs", { startupTimeoutMs: 999 }, "from 1000 to"],
    ["streamIdleTimeoutMs", { streamIdleTimeoutMs: "60" }, "whole number"],
    ["toolTimeoutMs", { toolTimeoutMs: 0 }, "from 1 to"],
    ["mcpIdleTimeoutMs", { mcpIdleTimeoutMs: -1 }, "from 0 to"],
    ["disposeGraceMs", { disposeGraceMs: 60_001 }, "to 60000"],
    ["maxResultChars", { maxResultChars: 400_001 }, "to 400000"],
    ["images", { images: "text" }, "native or policy"],
    ["unsupportedMediaPolicy", { unsupportedMediaPolicy: "drop" }, "throw or describe"],
    ["unsupportedResultMediaPolicy", { unsupportedResultMediaPolicy: "drop" }, "throw or describe"],
    ["addDir", { addDir: ["relative"] }, "absolute"],
    ["addDir", { addDir: "/x" }, "list"],
    ["addDir", { addDir: ["/a\0"] }, "absolute"],
    ["disallowedTools", { disallowedTools: "x" }, "list of names"],
    ["jsonSchema", { jsonSchema: "x" }, "JSON Schema as an object"],
    ["jsonSchema", { jsonSchema: {}, extraArgs: { "--json-schema": "{}" } }, "one of the two"],
    ["extraArgs", { extraArgs: { "--json-schema": "{" } }, "text of a JSON Schema"],
    ["extraArgs", { extraArgs: { "--json-schema": "[]" } }, "text of a JSON Schema"],
    ["extraArgs", { extraArgs: { "--tools": "x" } }, "not allowed"],
    ["permissionMode", { permissionMode: "bypassPermissions" }, "no such option"],
  ];
  for (const [name, change, says] of table) {
    const options = { ...BASE, ...change } as TurnOptions;
    const { code, message } = assertThrows(() => checkTurnOptions(options), AdapterError);
    assertEquals(code, "invalid_arguments");
    assertStringIncludes(message, `'${name}'`);
    assertStringIncludes(message, says);
    assert(!message.includes("secret"), message);
  }
});

Deno.test("the arguments shut everything but the lent tools, and no value stands alone", () => {
  const options = checkTurnOptions({
    ...BASE,
    fallbackModel: "a,b",
    maxTurns: 3,
    maxBudgetUsd: 0.5,
    jsonSchema: { type: "object" },
    addDir: ["/a", "/b"],
    extraArgs: { "--effort": "low" },
  });
  const argv = turnArgv(options, {
    mcpConfigPath: "/p/mcp.json",
    systemPromptPath: "/p/system.txt",
    allowedTools: ["mcp__tools__a", "mcp__tools__b"],
  });
  assertEquals(
    argv.slice(-11),
    [
      "--model=sonnet",
      "--mcp-config=/p/mcp.json",
      "--system-prompt-file=/p/system.txt",
      "--allowedTools=mcp__tools__a,mcp__tools__b",
      "--fallback-model=a,b",
      "--max-turns=3",
      "--max-budget-usd=0.5",
      '--json-schema={"type":"object"}',
      "--add-dir=/a",
      "--add-dir=/b",
      "--effort=low",
    ],
  );
  for (const argument of argv) assert(argument.startsWith("--"), argument);
  for (
    const fixed of [
      "--bare",
      "--tools=",
      "--strict-mcp-config",
      "--setting-sources=",
      "--permission-mode=dontAsk",
    ]
  ) assert(argv.includes(fixed), fixed);
  assert(!argv.join().includes("sk-secret"));
  const none = turnArgv(checkTurnOptions(BASE), FILES);
  assert(
    none.includes("--system-prompt=") && !none.some((each) => /mcp-config=|allowed/.test(each)),
  );
  const large = checkTurnOptions({ ...BASE, jsonSchema: { description: "x".repeat(131_072) } });
  assertThrows(() => turnArgv(large, FILES), AdapterError, "--json-schema");
});

Deno.test("the environment: exactly one way to log in is set, and every bound of the CLI that is ours", () => {
  const options = checkTurnOptions({
    model: "m",
    authToken: "t",
    baseUrl: "https://gateway.example/x",
    maxRetries: 0,
    mcpIdleTimeoutMs: 7_000,
    startupTimeoutMs: 9_000,
  });
  const env = turnEnv(options, { folder: "/p", longestToolMs: 5_000, noProxy: "a.example" });
  assertEquals(env["ANTHROPIC_API_KEY"], undefined);
  const wanted = {
    ANTHROPIC_AUTH_TOKEN: "t",
    ANTHROPIC_BASE_URL: "https://gateway.example/x",
    NO_PROXY: "a.example,127.0.0.1",
    CLAUDE_CONFIG_DIR: "/p/config",
    XDG_CACHE_HOME: "/p/cache",
    DISABLE_TELEMETRY: "1",
    DISABLE_ERROR_REPORTING: "1",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    CLAUDE_CODE_MAX_RETRIES: "0",
    CLAUDE_CODE_MCP_TOOL_IDLE_TIMEOUT: "7000",
    MCP_TOOL_TIMEOUT: "65000",
    MCP_TIMEOUT: "9000",
  };
  for (const [name, value] of Object.entries(wanted)) assertEquals(env[name], value, name);
});
