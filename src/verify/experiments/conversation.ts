/** A conversation that is begun, resumed, continued, and whose id is then asked for again. */
import { answer } from "../../loopback/mod.ts";
import { experiment } from "../experiment.ts";
import { resultsOf } from "../native_record.ts";
import { byRules } from "./script.ts";

/** The id that is asked for at the begin. */
const ID = "0b9d1c1e-58d2-4a53-8a0e-6c2f1d3b4a22";
/** What is asked for in each turn, and at which level of effort. */
export const TURNS = [
  { prompt: "remember verify-heron", effort: "low" },
  { prompt: "say it again", effort: "medium" },
  { prompt: "go on", effort: "high" },
] as const;
const [BEGIN, RESUME, CONTINUE] = TURNS;

/** What the first turn leaves in the conversation. */
export const FIRST_ANSWER = "noted: the word is verify-heron";
export const SECOND_ANSWER = "said again";
/** An alias that every version knows, so that every level of effort is one the model takes. */
const MODEL = "opus";

export const conversation = experiment({
  id: "conversation",
  script: byRules([
    { says: BEGIN.prompt, reply: answer(FIRST_ANSWER) },
    { says: RESUME.prompt, reply: answer(SECOND_ANSWER) },
    { reply: answer("and on") },
  ]),
  async run(room) {
    const begun = await room.run({
      ...BEGIN,
      session_id: ID,
      model: MODEL,
    });
    // The id that it has, not the one that was asked for: another check is about that.
    const id = resultsOf(begun)[0]?.sessionId ?? ID;
    const resumed = await room.run({
      ...RESUME,
      resume_session_id: id,
      model: MODEL,
    });
    const continued = await room.run({
      ...CONTINUE,
      continue_previous: true,
      model: MODEL,
    });
    const reused = await room.run({ prompt: "once more", session_id: id });
    return { id, begun, resumed, continued, reused, requests: room.model.messages };
  },
});
