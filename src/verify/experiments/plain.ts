/** A supervised run with a prompt that begins with a hyphen, a model, a session id, and a tool call that is denied. */
import { text, thinking, toolUse } from "../../loopback/mod.ts";
import { experiment } from "../experiment.ts";
import { stepsThen } from "./script.ts";

/** What is asked for, and has to arrive. */
export const PLAIN = {
  prompt: "-verify: --is this a prompt?",
  model: "claude-verify-1",
  append_system_prompt: "verify appended this: é “1”\nand a second line",
  session_id: "5f1d6a50-7c1e-4b8e-9d52-3f0c6a7b9e11",
  permission_mode: "dontAsk",
} as const;

/** What the model says. */
export const PLAIN_TEXT = "a text that comes in several pieces, each of sixteen characters";
/** The text of the last answer. */
export const PLAIN_ANSWER = "the end of it";
/** What the tool would make. */
const DENIED_FILE = "denied.txt";

export const plain = experiment({
  id: "plain",
  script: stepsThen([
    thinking("some thoughts"),
    text(PLAIN_TEXT),
    toolUse("Bash", { command: `touch ${DENIED_FILE} && echo made`, description: "Write" }),
  ], PLAIN_ANSWER),
  async run(room) {
    const record = await room.run(PLAIN);
    return {
      record,
      requests: room.model.messages,
      ran: await room.read(DENIED_FILE) !== null,
    };
  },
});
