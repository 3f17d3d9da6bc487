/** `--output-format=json`. */
import { contentText, lastToolResults } from "../../loopback/mod.ts";
import { type Check, checkOf } from "../check.ts";
import { printed, PRINTED_ANSWER } from "../experiments/printed.ts";
import { expectSame, expectThat, firstFinding } from "../finding.ts";
import { exitedWith, expectMembers, primaryOf, saidInstead } from "./judge.ts";

const OFF = "CLAUDE_CODE_DISABLE_BACKGROUND_TASKS=1";

export const PRINT_CHECKS: readonly Check[] = [
  checkOf(
    {
      id: "print.json",
      title: "--output-format=json prints one result object on one line",
      relies: "print and hosts that use the command tree get no answer",
    },
    printed,
    ({ record }) =>
      firstFinding(
        () =>
          expectThat(
            record.frames.length === 1 && record.strays.length === 0,
            `--output-format=json printed ${record.frames.length} objects and ${record.strays.length} other lines: ${
              saidInstead(record)
            }`,
          ),
        () =>
          expectMembers("the object of --output-format=json", record.frames[0], {
            type: "string",
            subtype: "string",
            is_error: "boolean",
            result: "string",
            session_id: "string",
            num_turns: "number",
            duration_ms: "number",
            total_cost_usd: "number",
            usage: "object",
            permission_denials: "array",
          }),
        () => primaryOf(record).finding,
        () => exitedWith(record, 0),
      ),
  ),
  checkOf(
    {
      id: "print.foreground",
      title: "CLAUDE_CODE_DISABLE_BACKGROUND_TASKS=1 lets no command go to the background",
      relies: "print shows the answer to a background task instead of the answer to the prompt",
    },
    printed,
    ({ record, requests }) => {
      const [asked, outlasting] = requests[1] === undefined ? [] : lastToolResults(requests[1]);
      return firstFinding(
        () => expectThat(requests.length > 0, `the model was not asked: ${saidInstead(record)}`),
        () =>
          expectThat(
            asked?.is_error === true || /^one$/m.test(contentText(asked?.content)),
            `${OFF}: a command that is to run in the background neither ran in the foreground nor was refused`,
          ),
        () =>
          expectThat(
            outlasting?.is_error === true,
            `${OFF}: a command that outlasts its time was not ended, but goes on in the background`,
          ),
        () =>
          expectSame(`${OFF}: the result's text`, primaryOf(record).result?.text, PRINTED_ANSWER),
      );
    },
  ),
];
