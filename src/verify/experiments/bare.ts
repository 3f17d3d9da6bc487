/** `--bare` with one turn, in which the model wants a tool. */
import { toolUse } from "../../loopback/mod.ts";
import { experiment } from "../experiment.ts";
import { PROJECT_NOTE } from "./bridge.ts";
import { stepsThen } from "./script.ts";

export const bare = experiment({
  id: "bare",
  script: stepsThen([toolUse("Bash", { command: "echo one", description: "Say one" })], "two"),
  async run(room) {
    await room.allow("Bash");
    await room.write("CLAUDE.md", PROJECT_NOTE);
    const record = await room.call({
      argv: [
        "-p",
        "--output-format=stream-json",
        "--verbose",
        "--permission-mode=dontAsk",
        "--bare",
        "--max-turns=1",
        "--",
        "say one",
      ],
      stdin: null,
      env: {},
    });
    return { record, requests: room.model.messages };
  },
});
