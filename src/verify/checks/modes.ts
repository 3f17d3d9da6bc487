/** Permission modes and levels of effort: each word of the tree is known, and means what it says. */
import { readPermissionDenied } from "../../frames/native.ts";
import { type Check, checkOf } from "../check.ts";
import { conversation, TURNS } from "../experiments/conversation.ts";
import { edited, MADE, planned } from "../experiments/modes.ts";
import { plain } from "../experiments/plain.ts";
import { expectSame, expectThat, firstFinding } from "../finding.ts";
import { deniedTool, effortIs, firstTold, initSays } from "./judge.ts";

const MODE_RELIES = "Claude does more, or less, than the caller has allowed";
const EFFORT_RELIES = "Claude thinks less, or more expensively, than was asked for";

export const MODE_CHECKS: readonly Check[] = [
  checkOf(
    {
      id: "permission_mode.dontAsk",
      title: "--permission-mode=dontAsk denies a command that changes files",
      relies: MODE_RELIES,
    },
    plain,
    ({ record, ran }) =>
      firstFinding(
        () => expectThat(!ran, "--permission-mode=dontAsk: the command ran without being allowed"),
        () => initSays(record, "dontAsk"),
        () => deniedTool(record, "Bash"),
      ),
  ),
  checkOf(
    {
      id: "permission_mode.plan",
      title: "--permission-mode=plan refuses a file edit",
      relies: MODE_RELIES,
    },
    planned,
    ({ record, made }) =>
      firstFinding(
        () => expectThat(made === null, "--permission-mode=plan: the file was written"),
        () => initSays(record, "plan"),
      ),
  ),
  checkOf(
    {
      id: "permission_mode.acceptEdits",
      title: "--permission-mode=acceptEdits lets a file in the directory be written",
      relies: MODE_RELIES,
    },
    edited,
    ({ record, made }) =>
      firstFinding(
        () => initSays(record, "acceptEdits"),
        () =>
          expectSame("--permission-mode=acceptEdits: the file that was to be written", made, MADE),
      ),
  ),
  ...TURNS.map(({ prompt, effort }) =>
    checkOf(
      { id: `effort.${effort}`, title: `--effort=${effort} is asked for`, relies: EFFORT_RELIES },
      conversation,
      ({ requests }) => {
        const request = firstTold(requests, prompt);
        return effortIs(request === undefined ? [] : [request], effort);
      },
    )
  ),
  checkOf(
    { id: "effort.xhigh", title: "--effort=xhigh is asked for", relies: EFFORT_RELIES },
    planned,
    ({ requests }) => effortIs(requests, "xhigh"),
  ),
  checkOf(
    { id: "effort.max", title: "--effort=max is asked for", relies: EFFORT_RELIES },
    edited,
    ({ requests }) => effortIs(requests, "max"),
  ),
  checkOf(
    {
      id: "denial.event",
      title: "system/permission_denied tells of a denied tool call at once",
      relies: "a run does not say what it is not allowed to do",
    },
    plain,
    ({ record }) => {
      const [denial] = record.frames.map(readPermissionDenied).filter((one) => one !== null);
      return firstFinding(
        () => expectThat(denial !== undefined, "there is no system/permission_denied event"),
        () => expectSame("tool_name of system/permission_denied", denial?.toolName, "Bash"),
      );
    },
  ),
  checkOf(
    {
      id: "denial.result",
      title: "permission_denials of the result lists what was denied",
      relies: "a settled run does not say what was not allowed",
    },
    plain,
    ({ record }) => deniedTool(record, "Bash"),
  ),
];
