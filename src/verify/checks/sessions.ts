/** Conversations that do not exist, or exist already. */
import { type Check, checkOf } from "../check.ts";
import { conversation } from "../experiments/conversation.ts";
import { unknownConversation } from "../experiments/unsaved.ts";
import { expectSame, expectThat, firstFinding } from "../finding.ts";
import { rawResultsOf, resultsOf } from "../native_record.ts";
import { exitedWith, failedAs, saidInstead } from "./judge.ts";

export const SESSION_CHECKS: readonly Check[] = [
  checkOf(
    {
      id: "session.unknown",
      title: "--resume of an unknown conversation fails and asks no model",
      relies: "a wrong session_id begins a new conversation, and nobody notices",
    },
    unknownConversation,
    ({ record, requests }) =>
      firstFinding(
        () => expectSame("--resume of an unknown id: requests to the model", requests.length, 0),
        () =>
          expectSame(
            "--resume of an unknown id: subtype of the result",
            rawResultsOf(record)[0]?.["subtype"],
            "error_during_execution",
          ),
        () => failedAs(record, { code: "resume_failed", resumed: true }),
      ),
  ),
  checkOf(
    {
      id: "session.taken",
      title: "--session-id of an existing conversation is refused with exit code 1",
      relies: "two conversations get the same id",
    },
    conversation,
    ({ reused }) =>
      firstFinding(
        () =>
          expectThat(
            resultsOf(reused).length === 0,
            "--session-id of an existing conversation: it ran all the same",
          ),
        () =>
          expectThat(
            /already in use/i.test(reused.stderr),
            `--session-id of an existing conversation: ${saidInstead(reused)}`,
          ),
        () => exitedWith(reused, 1),
      ),
  ),
];
