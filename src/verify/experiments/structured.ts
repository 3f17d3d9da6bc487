/** `--json-schema`: the answer as a value; and a server in the project that `--strict-mcp-config` keeps out. */
import { jsonText } from "../../base/json.ts";
import { serveLoopback, toolUse } from "../../loopback/mod.ts";
import { experiment } from "../experiment.ts";
import { stepsThen } from "./script.ts";

/** The value that the model gives. */
export const VALUE = { answer: 42, words: ["verify"] };

const SCHEMA = {
  type: "object",
  properties: { answer: { type: "integer" }, words: { type: "array", items: { type: "string" } } },
  required: ["answer", "words"],
  additionalProperties: false,
};

export const structured = experiment({
  id: "structured",
  script: stepsThen([toolUse("StructuredOutput", VALUE)], "given"),
  async run(room) {
    const strangers: string[] = [];
    await using server = serveLoopback((request) => {
      strangers.push(request.url);
      return new Response(null, { status: 404 });
    });
    // Read without a question by a CLI that is not told to be strict (measured).
    const stranger = { type: "http", url: `${server.url}/stranger` };
    await room.write(".mcp.json", jsonText({ mcpServers: { stranger } }));
    const record = await room.call({
      argv: [
        "-p",
        "--output-format=stream-json",
        "--verbose",
        "--permission-mode=dontAsk",
        "--strict-mcp-config",
        `--json-schema=${jsonText(SCHEMA)}`,
        "--",
        "give a value",
      ],
      stdin: null,
      env: {},
    });
    return { record, strangers };
  },
});
