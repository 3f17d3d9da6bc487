import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { AdapterError } from "../../src/base/errors.ts";
import { AUTH_VARIABLES, authEnv, type ThreadAuth } from "../../src/threads/auth_env.ts";
import { mcpConfigText, type McpServers } from "../../src/threads/mcp_config.ts";
import { type ThreadArguments, threadArgv } from "../../src/threads/thread_invocation.ts";

const ID = "5a1f0f0e-0000-4000-8000-000000000001";
const OTHER = "5a1f0f0e-0000-4000-8000-000000000002";
const ROUND = { session: { kind: "resume", id: ID }, mcpConfigPath: null } as const;
const START = [
  "--print",
  "--verbose",
  "--input-format=stream-json",
  "--output-format=stream-json",
  "--include-partial-messages",
];

function argv(options: ThreadArguments = {}): readonly string[] {
  return threadArgv(options, ROUND).slice(START.length);
}

Deno.test("a round, word for word", () => {
  assertEquals(threadArgv({}, ROUND), [
    ...START,
    `--resume=${ID}`,
    "--permission-mode=dontAsk",
    "--setting-sources=user,project",
  ]);
});

Deno.test("a session is resumed, begun or forked", () => {
  const of = (session: Parameters<typeof threadArgv>[1]["session"]) =>
    threadArgv({}, { session, mcpConfigPath: null }).slice(START.length, -2);
  assertEquals(of({ kind: "fresh", id: ID }), [`--session-id=${ID}`]);
  assertEquals(of({ kind: "fork", id: OTHER, from: ID }), [
    `--resume=${ID}`,
    "--fork-session",
    `--session-id=${OTHER}`,
  ]);
});

/** Every option, with one option of the CLI for each. */
const EVERYTHING: Required<ThreadArguments> = {
  model: "claude-opus-5-5[1m]",
  effort: "high",
  fallbackModels: ["sonnet", "haiku"],
  appendSystemPrompt: "--resume=x\nBe kind",
  systemPromptSnapshot: "off",
  allowedTools: ["mcp__notes", "Bash(git log, --oneline *)", "Read(//etc/**)"],
  disallowedTools: ["WebFetch(domain:example.com)"],
  permissionMode: "plan",
  settingSources: [],
  strictMcpConfig: true,
  forwardSubagentText: true,
  maxTurns: 3,
  maxBudgetUsd: 0.5,
};

Deno.test("every option, each value behind its own name", () => {
  const made = threadArgv(EVERYTHING, { ...ROUND, mcpConfigPath: "/tmp/a b/mcp.json" });
  assertEquals(made.slice(START.length + 1), [
    "--permission-mode=plan",
    "--setting-sources=",
    "--strict-mcp-config",
    "--forward-subagent-text",
    "--model=claude-opus-5-5[1m]",
    "--effort=high",
    "--fallback-model=sonnet,haiku",
    "--append-system-prompt=--resume=x\nBe kind",
    "--system-prompt-snapshot=off",
    "--allowedTools=mcp__notes,Bash(git log, --oneline *),Read(//etc/**)",
    "--disallowedTools=WebFetch(domain:example.com)",
    "--max-turns=3",
    "--max-budget-usd=0.5",
    "--mcp-config=/tmp/a b/mcp.json",
  ]);
});

Deno.test("what says nothing is no argument", () => {
  const empty: ThreadArguments = {
    fallbackModels: [],
    appendSystemPrompt: " \n",
    allowedTools: [],
    disallowedTools: [],
    strictMcpConfig: false,
    forwardSubagentText: false,
  };
  assertEquals(argv(empty), argv());
});

const REFUSED: readonly (readonly [options: Record<string, unknown>, says: string])[] = [
  [{ permissionMode: "bypassPermissions" }, "'permissionMode': it must be one of dontAsk"],
  [{ permissionMode: "auto" }, "'permissionMode'"],
  [{ effort: "most" }, "'effort'"],
  [{ settingSources: ["user", "remote"] }, "'settingSources'"],
  [{ settingSources: "user" }, "'settingSources'"],
  [{ systemPromptSnapshot: "maybe" }, "'systemPromptSnapshot'"],
  [{ model: "" }, "'model'"],
  [{ model: "-p" }, "'model'"],
  [{ fallbackModels: ["a,b"] }, "'fallbackModels'"],
  [{ maxTurns: 0 }, "'maxTurns': it must be an integer of at least 1"],
  [{ maxTurns: 1.5 }, "'maxTurns'"],
  [{ maxBudgetUsd: 0 }, "'maxBudgetUsd'"],
  [{ maxBudgetUsd: NaN }, "'maxBudgetUsd'"],
  [{ strictMcpConfig: "yes" }, "'strictMcpConfig'"],
  [{ appendSystemPrompt: "a\0b" }, "NUL"],
  [{ appendSystemPrompt: 7 }, "it must be text"],
  [{ appendSystemPrompt: "a".repeat(131_072) }, "holds at most 131071"],
  [{ allowedTools: "Bash" }, "'allowedTools': it must be a list"],
  [{ allowedTools: Array(257).fill("Bash") }, "at most 256"],
];
for (const [options, says] of REFUSED) {
  Deno.test(`refused: ${JSON.stringify(options).slice(0, 60)}`, () => {
    const error = assertThrows(() => argv(options as ThreadArguments), AdapterError, says);
    assertEquals((error as AdapterError).code, "invalid_arguments");
  });
}

Deno.test("ids and paths are checked", () => {
  for (const id of ["", "latest", `${ID} `, "--continue"]) {
    const session = { kind: "resume", id } as const;
    assertThrows(() => threadArgv({}, { session, mcpConfigPath: null }), AdapterError, "UUID");
  }
  assertThrows(() => threadArgv({}, { ...ROUND, mcpConfigPath: "mcp.json" }), AdapterError);
});

const RULES: readonly (readonly [rule: unknown, good: boolean])[] = [
  ["Bash", true],
  ["Bash(git log *)", true],
  ["Bash(a, b)", true],
  ["mcp__my-server__tool.name", true],
  ["mcp__server__*", true],
  ["Skill(name:arg)", true],
  ["", false],
  [" Bash", false],
  ["Bash,Write", false],
  ["Bash Write", false],
  ["Bash(a) Write", false],
  ["Bash(echo (x), Write)", false],
  ["Bash(a))", false],
  ["Bash(a", false],
  ["Bash()", false],
  ["Bash( )", false],
  ["Bash(a\nb)", false],
  ["Bash(a\0)", false],
  ["Bash(\u2028)", false],
  ["--resume", false],
  ["*", false],
  [`Bash(${"a".repeat(1_000)})`, false],
  [7, false],
];
for (const [rule, good] of RULES) {
  Deno.test(`rule ${JSON.stringify(rule).slice(0, 40)} is ${good ? "one" : "none"}`, () => {
    for (const name of ["allowedTools", "disallowedTools"]) {
      const make = () => argv({ [name]: ["Read", rule] });
      if (good) assert(make().includes(`--${name}=Read,${rule}`));
      else assertThrows(make, AdapterError, `'${name}': rule 1 must be`);
    }
  });
}

Deno.test("MCP servers as a file, word for word", () => {
  const text = mcpConfigText({
    web: {
      type: "http",
      url: "https://example.com/mcp",
      headers: { Authorization: "Bearer s3cret" },
      alwaysLoad: true,
    },
    local: { type: "stdio", command: "deno", args: ["run", "a.ts"], env: { B: "2", A: "1" } },
  });
  assertEquals(JSON.parse(text), {
    mcpServers: {
      local: { type: "stdio", command: "deno", args: ["run", "a.ts"], env: { A: "1", B: "2" } },
      web: {
        type: "http",
        url: "https://example.com/mcp",
        headers: { Authorization: "Bearer s3cret" },
        alwaysLoad: true,
      },
    },
  });
  assertEquals(mcpConfigText({}), '{\n  "mcpServers": {}\n}\n');
});

const SECRET = "s3cret-value";
const SERVERS: readonly (readonly [what: string, servers: unknown, says: string])[] = [
  ["no object", [], "it must be an object of servers"],
  ["a name with two underscores", { a__b: { type: "stdio", command: "x" } }, "a server's name"],
  ["an empty name", { "": { type: "stdio", command: "x" } }, "a server's name"],
  ["__proto__", JSON.parse('{"__proto__":{"type":"stdio","command":"x"}}'), "a server's name"],
  ["no server", { a: null }, "server 'a': it must be an object"],
  ["no type", { a: { command: "x" } }, "its 'type' must be stdio or http"],
  ["a type of every object", { a: { type: "toString" } }, "its 'type' must be"],
  ["sse", { a: { type: "sse", url: "https://x" } }, "its 'type' must be"],
  ["no command", { a: { type: "stdio" } }, "'command' must be text"],
  ["an empty command", { a: { type: "stdio", command: "" } }, "'command' is empty"],
  ["args that are none", { a: { type: "stdio", command: "x", args: "y" } }, "'args' must be"],
  ["an unknown member", { a: { type: "stdio", command: "x", cwd: "/" } }, "it may have only"],
  ["a name of a variable", { a: { type: "stdio", command: "x", env: { "A=": SECRET } } }, "'env'"],
  ["no address", { a: { type: "http", url: "example.com" } }, "'url' must be an http"],
  ["a file's address", { a: { type: "http", url: "file:///etc/passwd" } }, "'url' must be"],
  ["a password", { a: { type: "http", url: `https://me:${SECRET}@x` } }, "a name or password"],
  [
    "a header's name",
    { a: { type: "http", url: "https://x", headers: { "A B": SECRET } } },
    "name",
  ],
  [
    "a header of two lines",
    { a: { type: "http", url: "https://x", headers: { A: `${SECRET}\r\nB: c` } } },
    "control character",
  ],
  [
    "a variable of the environment",
    { a: { type: "http", url: "https://x", headers: { A: SECRET + "${ANTHROPIC_API_KEY}" } } },
    "replaces with variables",
  ],
  ["too much", { a: { type: "stdio", command: "x".repeat(300_000) } }, "more than 262144 bytes"],
];
for (const [what, servers, says] of SERVERS) {
  Deno.test(`no MCP servers: ${what}`, () => {
    const error = assertThrows(() => mcpConfigText(servers as McpServers), AdapterError, says);
    assert(!(error as AdapterError).message.includes(SECRET), "a secret in a message");
  });
}

const AUTHS: readonly (readonly [auth: ThreadAuth, set: Record<string, string>])[] = [
  [{ kind: "oauthToken", token: SECRET }, { CLAUDE_CODE_OAUTH_TOKEN: SECRET }],
  [{ kind: "apiKey", key: SECRET }, { ANTHROPIC_API_KEY: SECRET }],
  [{ kind: "authToken", token: SECRET, baseUrl: "https://gateway.example" }, {
    ANTHROPIC_AUTH_TOKEN: SECRET,
    ANTHROPIC_BASE_URL: "https://gateway.example",
  }],
];
for (const [auth, set] of AUTHS) {
  Deno.test(`auth by ${auth.kind}: everything else is taken away first`, () => {
    assertEquals(authEnv(auth), { remove: AUTH_VARIABLES, set });
    for (const name of Object.keys(set)) assert(AUTH_VARIABLES.includes(name), name);
  });
}

Deno.test("auth that is inherited takes nothing away", () => {
  assertEquals(authEnv({ kind: "inherit" }), { remove: [], set: {} });
  assertEquals(authEnv({ kind: "inherit", baseUrl: "http://127.0.0.1:1" }).set, {
    ANTHROPIC_BASE_URL: "http://127.0.0.1:1",
  });
});

const NO_AUTH: readonly unknown[] = [
  null,
  {},
  { kind: "none" },
  { kind: "toString" },
  { kind: "apiKey" },
  { kind: "apiKey", key: "" },
  { kind: "apiKey", key: `${SECRET}\n` },
  { kind: "apiKey", key: SECRET, token: SECRET },
  { kind: "inherit", key: SECRET },
  { kind: "oauthToken", token: `${SECRET} ${SECRET}` },
  { kind: "authToken", token: SECRET, baseUrl: "example.com" },
  { kind: "authToken", token: SECRET, baseUrl: `https://a:${SECRET}@b` },
];
for (const [i, auth] of NO_AUTH.entries()) {
  Deno.test(`no auth: ${i}`, () => {
    const error = assertThrows(() => authEnv(auth as ThreadAuth), AdapterError) as AdapterError;
    assertEquals(error.code, "invalid_arguments");
    assertStringIncludes(error.message, "'auth'");
    assert(!error.message.includes(SECRET), "a secret in a message");
  });
}
