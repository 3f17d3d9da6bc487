/** A made-up stream of partial messages, in the shapes of the real one. */

const SESSION = "24de6ced-bbdc-4fbe-a83b-7a104c3ec437";
const encoder = new TextEncoder();

function line(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}

function delta(number: number): string {
  const text = `word ${number} and then `;
  return line({
    type: "stream_event",
    event: { type: "content_block_delta", index: 0, delta: { type: "text_delta", text } },
    session_id: SESSION,
    parent_tool_use_id: null,
    uuid: crypto.randomUUID(),
    api_message_id: "msg_loopback_0001",
  });
}

/** The first frame of a stream. */
export const FIRST: string = line({
  type: "system",
  subtype: "init",
  cwd: "/home/user/project",
  session_id: SESSION,
  tools: ["Bash", "Read"],
  mcp_servers: [],
  model: "claude-opus-5-5",
  permissionMode: "dontAsk",
  claude_code_version: "2.1.332",
});

/** The last frame of a stream. */
export const LAST: string = line({
  type: "result",
  subtype: "success",
  is_error: false,
  result: "It was a long story.",
  session_id: SESSION,
  total_cost_usd: 0.01,
  num_turns: 1,
  permission_denials: [],
});

/** Frames of one delta each, of about 250 bytes, at least so many bytes in all. */
export function partials(bytes: number): Uint8Array<ArrayBuffer> {
  const lines: string[] = [];
  for (let length = 0; length < bytes;) {
    const next = delta(lines.length);
    lines.push(next);
    length += next.length;
  }
  return encoder.encode(lines.join(""));
}

/**
 * A stand-in for the CLI, as a shell script: it knows its version, and any run prints `part` so many times
 * between the first and the last frame.
 *
 * @param part Path of a file with whole frames.
 * @param times How often.
 */
export function fakeClaude(part: string, times: number): string {
  return `#!/bin/sh
if [ "$*" = --version ]; then echo '2.1.332 (Claude Code)'; exit; fi
printf '%s' '${FIRST}'
cat ${Array(times).fill(part).join(" ")}
printf '%s' '${LAST}'
`;
}
