/** `print`, with a command that the model wants in the background and one that outlasts its time. */
import { answer, toolUse } from "../../loopback/mod.ts";
import { experiment } from "../experiment.ts";
import { byRules } from "./script.ts";

/** The one answer; what a shell or a terminal would change is in it. */
export const PRINTED_ANSWER = "printed: é\u2028 done";

/** Past its timeout a command is moved to the background where that is possible, and ends there (measured). */
const TIMEOUT_MS = 300;

export const printed = experiment({
  id: "print",
  script: byRules([
    { is: "task_notification", reply: answer("a background task has ended") },
    { is: "tool_result", reply: answer(PRINTED_ANSWER) },
    {
      reply: answer([
        toolUse("Bash", {
          command: "echo one",
          description: "Say a word",
          run_in_background: true,
        }),
        toolUse("Bash", {
          command: "for i in 1 2 3 4 5 6 7 8 9 10; do sleep 0.1; done; echo two",
          description: "Say a word later",
          timeout: TIMEOUT_MS,
        }),
      ]),
    },
  ]),
  async run(room) {
    await room.allow("Bash");
    const record = await room.print({ prompt: "say two words", permission_mode: "dontAsk" });
    return { record, requests: room.model.messages };
  },
});
