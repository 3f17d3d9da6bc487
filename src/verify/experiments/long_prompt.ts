/** A prompt that fits in no argument, to an API that is overloaded at first. */
import { answer, failure } from "../../loopback/mod.ts";
import { experiment } from "../experiment.ts";
import { byRules } from "./script.ts";

/** 210 KB in fewer characters than a prompt may have, and an end that says whether it arrived whole. */
export const LONG_PROMPT = `${"€€€€€€€€ long ".repeat(7_000)}and its end`;
export const LONG_ANSWER = "read it all";

export const longPrompt = experiment({
  id: "long_prompt",
  script: byRules([{ reply: [failure(529)] }, { reply: answer(LONG_ANSWER) }]),
  async run(room) {
    const record = await room.run({ prompt: LONG_PROMPT });
    return { record, requests: room.model.messages };
  },
});
