/** A command in the background that ends after the answer, and the turn that its end causes. */
import { answer, toolUse } from "../../loopback/mod.ts";
import { experiment } from "../experiment.ts";
import { byRules } from "./script.ts";

export const MAIN_ANSWER = "started it";
export const FOLLOW_UP_ANSWER = "it has ended";

export const background = experiment({
  id: "background",
  script: byRules([
    { is: "task_notification", reply: answer(FOLLOW_UP_ANSWER) },
    { is: "tool_result", reply: answer(MAIN_ANSWER) },
    {
      reply: answer([
        toolUse("Bash", {
          // Bounded, in case nobody says go.
          command: "for i in $(seq 400); do [ -e go ] && break; sleep 0.05; done; echo gone",
          description: "Wait for go",
          run_in_background: true,
        }),
      ]),
    },
  ]),
  async run(room) {
    await room.allow("Bash");
    let told: Promise<void> | null = null;
    const record = await room.run({ prompt: "start it", background_tasks: "allow" }, {
      onFrame: ({ type }) => {
        if (type === "result") told ??= room.write("go", "");
      },
    });
    await told;
    return { record, requests: room.model.messages };
  },
});
