/**
 * A run of the real CLI that starts everything that a run can leave: a foreground and a background command of the Bash
 * tool, a daemon in a session of its own without a parent that ignores SIGTERM, and an MCP server that does not end
 * when its stdin does and has a child in a session of its own.
 */

import { answer, route, type Script, toolUse } from "../../src/loopback/mod.ts";

/** What is started; each writes its pid into a file of this name in the project. */
export type Part = "foreground" | "background" | "daemon" | "mcp" | "mcp_child";

/** What lives while the run goes on. */
export const PARTS: readonly Part[] = ["foreground", "background", "daemon", "mcp", "mcp_child"];
/** What lives when the CLI has answered and ended: it waits for a background command, up to ten minutes. */
export const PARTS_AT_THE_END: readonly Part[] = ["daemon", "mcp", "mcp_child"];

/** Not a bare `sleep 600`: the CLI refuses that one itself (measured). */
const STAY = "sleep 1; sleep 600";
const DAEMON =
  `(setsid sh -c 'trap "" TERM HUP INT; echo $$ > daemon; sleep 600; sleep 600' > /dev/null 2>&1 &)`;

/** Speaks just enough of the protocol to be connected, and lives on. */
const MCP_SERVER = `#!/bin/sh
echo $$ > mcp
setsid sh -c 'echo $$ > mcp_child; sleep 600; sleep 600' < /dev/null > /dev/null 2>&1 &
while read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\\([0-9]*\\).*/\\1/p')
  [ -n "$id" ] || continue
  case $line in
    *'"method":"initialize"'*)
      result='{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"helper","version":"1.0.0"}}' ;;
    *'"method":"tools/list"'*) result='{"tools":[]}' ;;
    *)
      printf '{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no such method"}}\\n' "$id"
      continue ;;
  esac
  printf '{"jsonrpc":"2.0","id":%s,"result":%s}\\n' "$id" "$result"
done
sleep 600; sleep 600
`;

/** Puts the MCP server where the CLI finds it without a question: \`.mcp.json\` in the working directory. */
export async function addMcpServer(project: string): Promise<void> {
  const path = `${project}/helper.sh`;
  await Deno.writeTextFile(path, MCP_SERVER, { mode: 0o755 });
  const config = { mcpServers: { helper: { command: path, args: [] } } };
  await Deno.writeTextFile(`${project}/.mcp.json`, JSON.stringify(config));
}

/** Starts all the {@linkcode PARTS}, and does not end. */
export function staying(): Script {
  return route([{
    is: "prompt",
    reply: answer([
      bash(`echo $$ > background; ${STAY}`, { run_in_background: true }),
      bash(`${DAEMON}; echo $$ > foreground; ${STAY}`),
    ]),
  }]);
}

/** Starts the {@linkcode PARTS_AT_THE_END}, waits for each, and answers. */
export function answering(): Script {
  const wait = PARTS_AT_THE_END.map((part) => `while ! [ -s ${part} ]; do sleep 0.05; done`);
  return route([
    { is: "tool_result", reply: answer("It runs.") },
    { is: "prompt", reply: answer([bash([DAEMON, ...wait].join("; "))]) },
  ]);
}

function bash(command: string, more: Readonly<Record<string, unknown>> = {}) {
  return toolUse("Bash", { command, description: "Start something", ...more });
}
