/** The options that the command tree declares: each has its effect. */
import { jsonText, stringMember } from "../../base/json.ts";
import type { LoggedRequest } from "../../loopback/mod.ts";
import { type Check, checkOf } from "../check.ts";
import { conversation, FIRST_ANSWER, TURNS } from "../experiments/conversation.ts";
import { overBudget } from "../experiments/budget.ts";
import { PLAIN, plain } from "../experiments/plain.ts";
import { LONG_ANSWER, LONG_PROMPT, longPrompt } from "../experiments/long_prompt.ts";
import { unsaved } from "../experiments/unsaved.ts";
import { expectSame, expectThat, firstFinding, shown } from "../finding.ts";
import { initOf, rawResultsOf, resultsOf } from "../native_record.ts";
import {
  effortIs,
  exitedWith,
  failedAs,
  firstTold,
  initSays,
  primaryOf,
  saidInstead,
  succeededWith,
} from "./judge.ts";

/** Whether the request carries what was said before. */
function remembers(request: LoggedRequest | undefined): boolean {
  return jsonText(request?.body?.messages).includes(FIRST_ANSWER);
}

export const OPTION_CHECKS: readonly Check[] = [
  checkOf(
    {
      id: "option.prompt",
      title: "a prompt after -- that begins with hyphens reaches the model as it is",
      relies: "prompts are changed, or read as options",
    },
    plain,
    ({ record, requests }) =>
      firstFinding(
        () => expectThat(requests.length > 0, `the model was not asked: ${saidInstead(record)}`),
        () =>
          expectThat(
            firstTold(requests, PLAIN.prompt) !== undefined,
            `the prompt ${shown(PLAIN.prompt)} did not reach the model as it is`,
          ),
      ),
  ),
  checkOf(
    {
      id: "option.permission_mode",
      title: "--permission-mode decides the mode that system/init names",
      relies: "Claude does more, or less, than the caller has allowed",
    },
    plain,
    ({ record }) => initSays(record, PLAIN.permission_mode),
  ),
  checkOf(
    {
      id: "option.model",
      title: "--model decides which model is asked",
      relies: "another model answers, at another price",
    },
    plain,
    ({ record, requests }) =>
      firstFinding(
        () =>
          expectSame("--model: the model of the request", requests[0]?.body?.model, PLAIN.model),
        () => expectSame("--model: the model of system/init", initOf(record)?.model, PLAIN.model),
      ),
  ),
  checkOf(
    {
      id: "option.effort",
      title: "--effort is what every request of a run asks for",
      relies: "Claude thinks less, or more expensively, than was asked for",
    },
    conversation,
    ({ requests }) =>
      firstFinding(...TURNS.map(({ prompt, effort }) => () => {
        const request = firstTold(requests, prompt);
        return effortIs(request === undefined ? [] : [request], effort);
      })),
  ),
  checkOf(
    {
      id: "option.append_system_prompt",
      title: "--append-system-prompt reaches the model in the system prompt",
      relies: "instructions of the caller are lost",
    },
    plain,
    ({ requests }) => {
      const wanted = jsonText(PLAIN.append_system_prompt).slice(1, -1);
      return expectThat(
        jsonText(requests[0]?.body?.["system"]).includes(wanted),
        "--append-system-prompt: its text is not in the system prompt of the request",
      );
    },
  ),
  checkOf(
    {
      id: "option.max_budget_usd",
      title: "--max-budget-usd ends a run after the reply that goes past it, with exit code 1",
      relies: "a run spends more than the caller has allowed",
    },
    overBudget,
    ({ record, requests }) => {
      const { result, finding } = primaryOf(record);
      return firstFinding(
        () => finding,
        () =>
          expectSame(
            "--max-budget-usd: subtype of the result",
            result?.subtype,
            "error_max_budget_usd",
          ),
        () => expectSame("--max-budget-usd: is_error of the result", result?.isError, true),
        () => expectSame("--max-budget-usd: requests to the model", requests.length, 1),
        () => exitedWith(record, 1),
      );
    },
  ),
  checkOf(
    {
      id: "option.resume_session_id",
      title: "--resume goes on with a saved conversation under the same id",
      relies: "a conversation cannot be resumed",
    },
    conversation,
    ({ id, resumed, requests }) =>
      firstFinding(
        () => primaryOf(resumed).finding,
        () =>
          expectSame("--resume: session_id of the result", resultsOf(resumed)[0]?.sessionId, id),
        () =>
          expectThat(
            remembers(firstTold(requests, TURNS[1].prompt)),
            "--resume: the model is not told what was said before",
          ),
        () => exitedWith(resumed, 0),
      ),
  ),
  checkOf(
    {
      id: "option.continue_previous",
      title: "--continue goes on with the latest conversation of the directory",
      relies: "a conversation cannot be continued, or another one is",
    },
    conversation,
    ({ id, continued, requests }) =>
      firstFinding(
        () => primaryOf(continued).finding,
        () =>
          expectSame(
            "--continue: session_id of the result",
            resultsOf(continued)[0]?.sessionId,
            id,
          ),
        () =>
          expectThat(
            remembers(firstTold(requests, TURNS[2].prompt)),
            "--continue: the model is not told what was said before",
          ),
        () => exitedWith(continued, 0),
      ),
  ),
  checkOf(
    {
      id: "option.session_id",
      title: "--session-id decides the id of a new conversation",
      relies: "callers cannot know a conversation before it has begun",
    },
    plain,
    ({ record, requests }) =>
      firstFinding(
        () =>
          expectSame(
            "--session-id: session_id of the result",
            rawResultsOf(record)[0] === undefined
              ? undefined
              : stringMember(rawResultsOf(record)[0], "session_id"),
            PLAIN.session_id,
          ),
        () =>
          expectSame(
            "--session-id: the header of the request",
            requests[0]?.headers["x-claude-code-session-id"],
            PLAIN.session_id,
          ),
      ),
  ),
  checkOf(
    {
      id: "option.no_session_persistence",
      title: "--no-session-persistence leaves nothing that could be resumed",
      relies: "conversations that must not be saved are saved",
    },
    unsaved,
    ({ begun, resumed }) =>
      firstFinding(
        () => succeededWith(begun, "hello"),
        () =>
          expectThat(
            resultsOf(resumed)[0]?.isError !== false,
            "--no-session-persistence: the conversation could be resumed all the same",
          ),
        () => failedAs(resumed, { code: "resume_failed", resumed: true }),
      ),
  ),
  checkOf(
    {
      id: "prompt.long",
      title: "a prompt of 200 KB arrives whole from standard input",
      relies: "long prompts are cut or refused",
    },
    longPrompt,
    ({ record, requests }) =>
      firstFinding(
        () =>
          expectThat(
            firstTold(requests.slice(-1), LONG_PROMPT) !== undefined,
            `the prompt on standard input did not reach the model whole: ${saidInstead(record)}`,
          ),
        () => succeededWith(record, LONG_ANSWER),
      ),
  ),
];
