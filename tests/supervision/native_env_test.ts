import { assertEquals } from "@std/assert";
import { MARKER_NAME } from "../../src/supervision/marker.ts";
import { nativeEnv } from "../../src/supervision/native_env.ts";

const TOKEN = "1.2.3.run";

/** Everything but the marker, which every run has. */
function childEnv(
  inherited: Record<string, string>,
  added: Record<string, string>,
): Record<string, string> {
  const env = { ...nativeEnv({ inherited, added, token: TOKEN }) };
  delete env[MARKER_NAME];
  return env;
}

/** What a person, a shell or a CI system sets; every one has to arrive. */
const USER = {
  PATH: "/bin",
  HOME: "/h",
  EMPTY: "",
  HTTPS_PROXY: "http://proxy",
  CLAUDE_CONFIG_DIR: "/c",
  CLAUDE_CODE_MAX_RETRIES: "0",
  CLAUDE_CODE_OAUTH_TOKEN: "t",
  CLAUDE_CODE_EFFORT_LEVEL: "max",
  CLAUDE_CODE_USE_BEDROCK: "1",
  CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: "1",
  CLAUDE_CODE_EXECUTABLE: "/claude",
  ANTHROPIC_API_KEY: "k",
  ANTHROPIC_BASE_URL: "http://127.0.0.1:9",
  MCP_TIMEOUT: "2000",
  IS_SANDBOX: "1",
  TRACEPARENT: "00-1",
  COMPUTER_MCP: "not the prefix",
  MY_COMPUTER_MCP_X: "not at the beginning",
  CLAUDECODE_X: "another name",
};

/** What an outer session or a host says about itself, as an MCP server below a real session got it. */
const MARKS = {
  AI_AGENT: "claude-code_2-1-332_harness",
  CLAUDECODE: "1",
  CLAUDE_CODE_ADAPTER_SUPERVISOR: "1.2.3.run",
  CLAUDE_CODE_BRIDGE_SESSION_ID: "u",
  CLAUDE_CODE_CHILD_NOTES_DIR: "/tmp/n",
  CLAUDE_CODE_CHILD_SESSION: "1",
  CLAUDE_CODE_ENTRYPOINT: "sdk-cli",
  CLAUDE_CODE_EXECPATH: "/claude",
  CLAUDE_CODE_LAUNCHED_BY_SESSION_IDS: "u",
  CLAUDE_CODE_MESSAGING_SOCKET: "/tmp/s",
  CLAUDE_CODE_MESSAGING_TOKEN: "t",
  CLAUDE_CODE_SESSION_ATTENDED: "0",
  CLAUDE_CODE_SESSION_ID: "u",
  CLAUDE_CODE_STARTER_MAY_HOLD_CONNECTOR_FILE: "1",
  CLAUDE_EFFORT: "high",
  CLAUDE_PID: "1",
  COMPUTER_MCP_: "x",
  COMPUTER_MCP_TOKEN: "x",
};

Deno.test("nativeEnv() passes on what a person set and drops what marks another session", () => {
  assertEquals(childEnv({ ...MARKS, ...USER }, {}), USER);
});

Deno.test("nativeEnv() lets additions win, the session's own variables included", () => {
  const additions = { PATH: "/other", CLAUDECODE: "0" };
  assertEquals(childEnv({ ...MARKS, PATH: "/bin" }, additions), additions);
});

Deno.test("nativeEnv() keeps another agent's AI_AGENT, as the CLI does", () => {
  for (const value of ["codex", "", "my-claude-code_x", "claude-codex"]) {
    assertEquals(childEnv({ AI_AGENT: value }, {}), { AI_AGENT: value });
  }
  for (const value of ["claude-code_2-1-332_agent", "claude-code/2.1.59/agent"]) {
    assertEquals(childEnv({ AI_AGENT: value }, {}), {});
  }
});

Deno.test("nativeEnv() takes any name as a variable and leaves its inputs alone", () => {
  const parent = Object.freeze(JSON.parse('{"__proto__":"p","toString":"s"}'));
  assertEquals(
    Object.entries(nativeEnv({ inherited: parent, added: {}, token: TOKEN })).slice(0, 2),
    [["__proto__", "p"], ["toString", "s"]],
  );
});
