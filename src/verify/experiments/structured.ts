/** `--json-schema`: the answer as a value. */
import { jsonText } from "../../base/json.ts";
import { toolUse } from "../../loopback/mod.ts";
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
    const record = await room.call({
      argv: [
        "-p",
        "--output-format=stream-json",
        "--verbose",
        "--permission-mode=dontAsk",
        `--json-schema=${jsonText(SCHEMA)}`,
        "--",
        "give a value",
      ],
      stdin: null,
      env: {},
    });
    return { record, requests: room.model.messages };
  },
});
