/** Stand-ins for the CLI: made-up streams of partial messages, in the shapes of the real ones. */

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
const FIRST: string = line({
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
const LAST: string = line({
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

/** A line in shell words; runs at once must not claim the same session, so each takes its own process's id for it. */
function printed(text: string): string {
  return `printf '%s' '${text.replaceAll(SESSION, () => `'"$$"'`)}'`;
}

/** The script's answer to the version check, and the way to its end otherwise. */
function script(...body: readonly string[]): string {
  return `#!/bin/sh
if [ "$*" = --version ]; then echo '2.1.332 (Claude Code)'; exit; fi
${body.join("\n")}
`;
}

/** How a stand-in writes. */
export interface StreamOptions {
  /** Path of a file with whole frames. */
  readonly part: string;
  /** How often it is written. */
  readonly times: number;
  /**
   * Bytes of each write.
   *
   * @default {what `cat` takes, 128 KiB}
   */
  readonly writeBytes?: number;
}

/** A stand-in for the CLI that writes a file between the first and the last frame. */
export function streamer({ part, times, writeBytes }: StreamOptions): string {
  const parts = Array(times).fill(part).join(" ");
  const write = writeBytes === undefined
    ? `cat ${parts}`
    : `cat ${parts} | dd ibs=1048576 obs=${writeBytes} 2>/dev/null`;
  return script(printed(FIRST), write, printed(LAST));
}

/** A stand-in that writes the file for ever. */
export function flooder(part: string): string {
  return script(printed(FIRST), `while :; do cat ${part} || exit; done`);
}

/** A stand-in that says nothing more, for ever. */
export function sleeper(): string {
  return script(printed(FIRST), "exec sleep 86400");
}

/** A stand-in that answers at once and in one line, as `print` asks for it. */
export function answerer(): string {
  return script(printed(LAST));
}
