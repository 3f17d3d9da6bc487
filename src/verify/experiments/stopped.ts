/** SIGTERM while a tool runs: the tool leads a session of its own, so only the CLI knows of it. */
import { answer, toolUse } from "../../loopback/mod.ts";
import { experiment } from "../experiment.ts";
import { always } from "./script.ts";

const LOOP = "while :; do sleep 0.2; done";

export const stopped = experiment({
  id: "stopped",
  script: always(
    answer([
      toolUse("Bash", {
        command: `( ${LOOP} ) & echo running > running.txt; ${LOOP}`,
        description: "Run on",
      }),
    ]),
  ),
  async run(room) {
    await room.allow("Bash");
    const record = await room.stopAfter("running.txt", { prompt: "run on" });
    return { record, ran: await room.read("running.txt") !== null };
  },
});
