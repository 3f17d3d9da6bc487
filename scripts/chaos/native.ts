/**
 * The model's side of the chaos run on the real CLI.
 *
 * @module
 */
import { answer, hold, route, type Script, text, toolUse } from "../../src/loopback/mod.ts";

/** Not a bare `sleep 50`: the CLI refuses that one itself (measured). */
const LONG = "sleep 1; sleep 600";
/** In a session of its own, without a parent, and deaf to SIGTERM. */
const DAEMON = `(setsid sh -c 'trap "" TERM HUP INT; sleep 600; sleep 600' > /dev/null 2>&1 &)`;

function bash(command: string, more: Record<string, unknown> = {}) {
  return answer([toolUse("Bash", { command, description: "Work", ...more })]);
}

/** Answers each of the native kinds of a plan. */
export function nativeScript(): Script {
  return route([
    { is: "tool_result", reply: answer("It runs.") },
    { says: "hello", reply: answer("Hello there.") },
    { says: "stream", reply: answer([text("Once upon"), hold(new Promise(() => {}))]) },
    { says: "foreground tool", reply: bash(LONG) },
    { says: "background tool", reply: bash(LONG, { run_in_background: true }) },
    { says: "daemon of a tool", reply: bash(`${DAEMON}; ${LONG}`) },
    { says: "daemon left behind", reply: bash(`${DAEMON}; echo started`) },
  ]);
}
