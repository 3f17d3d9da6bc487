/** A message on standard input, no tools but those of an MCP server, one of which is allowed. */
import { jsonText } from "../../base/json.ts";
import { answer, lastToolResults, serveLoopback, toolUse } from "../../loopback/mod.ts";
import { experiment } from "../experiment.ts";
import { createMcpHandler } from "../mcp_handler.ts";

export const BRIDGE_PROMPT = "ask the bridge\nplease";
export const BRIDGE_ANSWER = "the bridge has answered";
/** What the allowed tool is called with, and answers. */
export const ASKED = { question: "verify?" };
export const REPLIED = "verify: yes";
export const PROJECT_NOTE = "verify-note-in-the-project";
/** Names as the model sees them. */
export const ALLOWED_TOOL = "mcp__bridge__ask";
export const OTHER_TOOL = "mcp__bridge__other";

/** Asks the allowed tool, then the other one, then is done. */
function script() {
  let results = 0;
  return (request: Parameters<typeof lastToolResults>[0]) => {
    results += lastToolResults(request).length > 0 ? 1 : 0;
    if (results === 0) return answer([toolUse(ALLOWED_TOOL, ASKED)]);
    return results === 1 ? answer([toolUse(OTHER_TOOL, ASKED)]) : answer(BRIDGE_ANSWER);
  };
}

export const bridge = experiment({
  id: "bridge",
  script,
  async run(room) {
    const mcp = createMcpHandler({ tools: ["ask", "other"], reply: REPLIED });
    await using server = serveLoopback(mcp.handle);
    const servers = { bridge: { type: "http", url: `${server.url}/mcp` } };
    await room.write("bridge.json", jsonText({ mcpServers: servers }));
    await room.write("CLAUDE.md", PROJECT_NOTE);
    const message = { role: "user", content: [{ type: "text", text: BRIDGE_PROMPT }] };
    const record = await room.call({
      argv: [
        "-p",
        "--input-format=stream-json",
        "--output-format=stream-json",
        "--verbose",
        "--permission-mode=dontAsk",
        "--tools=",
        `--mcp-config=${room.project}/bridge.json`,
        "--strict-mcp-config",
        `--allowedTools=${ALLOWED_TOOL}`,
        "--setting-sources=",
      ],
      stdin: `${jsonText({ type: "user", message })}\n`,
      env: {},
    });
    return { record, requests: room.model.messages, calls: mcp.calls };
  },
});
