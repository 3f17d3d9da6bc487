/** What a file edit comes to in the modes that differ in it. */
import { toolUse } from "../../loopback/mod.ts";
import { experiment } from "../experiment.ts";
import { stepsThen } from "./script.ts";

/** What the file is to hold. */
export const MADE = "made\n";

/** A run in which the model makes a file in the project. */
function editing(permission_mode: "plan" | "acceptEdits", effort: "xhigh" | "max") {
  return experiment({
    id: permission_mode,
    script: (project) =>
      stepsThen(
        [toolUse("Write", { file_path: `${project}/made.txt`, content: MADE })],
        "done",
      )(project),
    async run(room) {
      const record = await room.run({
        prompt: "make a file",
        permission_mode,
        effort,
        model: "opus",
      });
      return { record, requests: room.model.messages, made: await room.read("made.txt") };
    },
  });
}

export const planned = editing("plan", "xhigh");
export const edited = editing("acceptEdits", "max");
