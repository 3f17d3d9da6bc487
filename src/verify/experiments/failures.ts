/** API failures, and no login. */
import { answer, failure } from "../../loopback/mod.ts";
import { experiment } from "../experiment.ts";
import { always } from "./script.ts";

/** A key that is refused, which is not tried again. */
export const refused = experiment({
  id: "refused",
  script: always(failure(403, { message: "no access" })),
  run: (room) => room.run({ prompt: "say hello" }),
});

/** A rate limit that is not to be tried again. */
export const limited = experiment({
  id: "limited",
  script: always(failure(429, { headers: { "x-should-retry": "false" } })),
  run: (room) => room.run({ prompt: "say hello" }),
});

export const signedOut = experiment({
  id: "signed_out",
  script: always(answer("nobody asks")),
  async run(room) {
    const record = await room.run({ prompt: "say hello" }, { loggedIn: false });
    return { record, requests: room.model.messages };
  },
});
