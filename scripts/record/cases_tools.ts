/** Tools that run, and tools that are denied. */

import { answer, type Reply, type Script, text, toolUse } from "../../src/loopback/mod.ts";
import type { Case } from "./case.ts";

const DONE = answer("Done.");

/** Not a bare `sleep 50`: the CLI refuses that one itself (measured). */
const LONG_COMMAND = answer([
  toolUse("Bash", { command: "touch begun; sleep 1; sleep 50", description: "Work for long" }),
]);

function calls(...replies: readonly Reply[]): () => Script {
  return () => [...replies, DONE];
}

/** The cases. */
export const TOOL_CASES: readonly Case[] = [
  {
    name: "tool_read",
    note: "one allowed tool",
    files: { "notes.txt": "one\ntwo\n" },
    script: (project) => [
      answer([text("Reading."), toolUse("Read", { file_path: `${project}/notes.txt` })]),
      DONE,
    ],
  },
  {
    name: "tools_parallel",
    note: "two tools in one answer: two tool_use blocks, two user events",
    files: { "a.txt": "alpha\n", "b.txt": "beta\n" },
    script: calls(
      answer([
        toolUse("Bash", { command: "cat a.txt", description: "Show a" }),
        toolUse("Bash", { command: "cat b.txt", description: "Show b" }),
      ]),
    ),
  },
  {
    name: "tool_allowed_bash",
    note: "a Bash command allowed by --allowedTools that prints on both streams and fails",
    args: ["--allowedTools=Bash"],
    script: calls(
      answer([
        toolUse("Bash", { command: "echo out; echo err >&2; exit 7", description: "Fail" }),
      ]),
    ),
  },
  {
    name: "tool_unknown",
    note: "a tool that does not exist",
    script: calls(answer([toolUse("Nope", { a: 1 })])),
  },
  {
    name: "tool_bad_input",
    note: "a tool called with input of the wrong shape",
    script: calls(answer([toolUse("Read", { nonsense: true })])),
  },
  {
    name: "denied_dont_ask",
    note: "dontAsk denies a Bash command: permission_denied and permission_denials",
    script: calls(
      answer([toolUse("Bash", { command: "touch made.txt", description: "Make a file" })]),
    ),
  },
  {
    name: "denied_plan_write",
    note: "plan mode denies Write",
    mode: "plan",
    script: (project) => [
      answer([toolUse("Write", { file_path: `${project}/made.txt`, content: "x\n" })]),
      DONE,
    ],
  },
  {
    name: "denied_plan_bash",
    note: "plan mode denies a Bash command that writes",
    mode: "plan",
    script: calls(
      answer([toolUse("Bash", { command: "touch made.txt", description: "Make a file" })]),
    ),
  },
  {
    name: "accept_edits_write",
    note: "acceptEdits lets Write make a file",
    mode: "acceptEdits",
    script: (project) => [
      answer([toolUse("Write", { file_path: `${project}/made.txt`, content: "x\n" })]),
      DONE,
    ],
  },
  {
    name: "accept_edits_bash",
    note: "acceptEdits lets a harmless Bash command run",
    mode: "acceptEdits",
    script: calls(
      answer([
        toolUse("Bash", { command: "touch made.txt && echo hi", description: "Make a file" }),
      ]),
    ),
  },
  {
    name: "tool_read_outside",
    note: "dontAsk denies reading outside the project",
    script: calls(answer([toolUse("Read", { file_path: "/etc/hostname" })])),
  },
  {
    name: "tool_sigterm",
    note: "SIGTERM while a tool runs: its result, exit code 143, no result event",
    args: ["--allowedTools=Bash"],
    signal: { name: "SIGTERM", made: "begun" },
    script: calls(LONG_COMMAND),
  },
  {
    name: "tool_sigint",
    note: "SIGINT while a tool runs: exit code 0 and an error result",
    args: ["--allowedTools=Bash"],
    signal: { name: "SIGINT", made: "begun" },
    script: calls(LONG_COMMAND),
  },
  {
    name: "tool_sigint_early",
    note: "SIGINT between the answer and its tool: exit code 0 and no result event",
    args: ["--allowedTools=Bash"],
    signal: { name: "SIGINT", printed: '"stop_reason":"tool_use"' },
    script: calls(LONG_COMMAND),
  },
  {
    name: "hook_session_start",
    note: "with a SessionStart hook its events come before init",
    args: [
      '--settings={"hooks":{"SessionStart":[{"hooks":[{"type":"command","command":"echo hooked"}]}]}}',
    ],
  },
  {
    name: "mcp_server_refused",
    note: "an MCP server that is not there shows only in init",
    args: [
      "--strict-mcp-config",
      '--mcp-config={"mcpServers":{"gone":{"type":"http","url":"http://127.0.0.1:9/mcp"}}}',
    ],
  },
];
