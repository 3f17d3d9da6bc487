/** A conversation that is not saved, and resuming it. */
import { answer } from "../../loopback/mod.ts";
import { experiment } from "../experiment.ts";
import { resultsOf } from "../native_record.ts";
import { always } from "./script.ts";

const ID = "8e4f2a10-3c6b-4d7f-a1b2-9c8d7e6f5a33";

export const unsaved = experiment({
  id: "unsaved",
  script: always(answer("hello")),
  async run(room) {
    const begun = await room.run({
      prompt: "say hello",
      session_id: ID,
      no_session_persistence: true,
    });
    const id = resultsOf(begun)[0]?.sessionId ?? ID;
    const resumed = await room.run({ prompt: "and again", resume_session_id: id });
    return { begun, resumed };
  },
});

/** Resuming what never was. */
export const unknownConversation = experiment({
  id: "unknown",
  script: always(answer("hello")),
  async run(room) {
    const record = await room.run({
      prompt: "say hello",
      resume_session_id: "d2c1b0a9-8f7e-4d6c-b5a4-039281706f44",
    });
    return { record, requests: room.model.messages };
  },
});
