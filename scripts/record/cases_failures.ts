/** Every way a run fails that needs no long wait. */

import { answer, failure, failuresThen, type Reply, toolUse } from "../../src/loopback/mod.ts";
import type { Case } from "./case.ts";

/** With no retries each verdict comes within a second; with the usual ten it takes three minutes (measured). */
const AT_ONCE = { CLAUDE_CODE_MAX_RETRIES: "0" };

function always(reply: Reply): Pick<Case, "script"> {
  return { script: () => () => reply };
}

/** The cases. */
export const FAILURE_CASES: readonly Case[] = [
  { name: "not_logged_in", note: "no key and no login", loggedIn: false },
  {
    name: "error_400",
    note: "400: tried several times with fewer beta headers",
    ...always(failure(400, { message: "bad thing" })),
  },
  {
    name: "error_400_credit",
    note: "400 for want of credit",
    ...always(
      failure(400, {
        message:
          "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.",
      }),
    ),
  },
  {
    name: "error_400_prompt_too_long",
    note: "400 because the prompt is too long",
    ...always(failure(400, { message: "prompt is too long: 208310 tokens > 200000 maximum" })),
  },
  {
    name: "error_401",
    note: "401",
    env: AT_ONCE,
    ...always(failure(401, { message: "invalid x-api-key" })),
  },
  { name: "error_403", note: "403", ...always(failure(403, { message: "no access" })) },
  {
    name: "error_404",
    note: "404: a model that does not exist",
    args: ["--model=no-such-model"],
    ...always(failure(404, { message: "model: no-such-model" })),
  },
  { name: "error_413", note: "413", ...always(failure(413, { message: "Request too large" })) },
  {
    name: "error_429",
    note: "429",
    env: AT_ONCE,
    ...always(failure(429, { message: "slow down" })),
  },
  {
    name: "error_429_retry_after",
    note: "429 with a retry-after of an hour fails at once",
    ...always(failure(429, { message: "slow down", headers: { "retry-after": "3600" } })),
  },
  {
    name: "error_429_no_retry",
    note: "429 with x-should-retry false fails at once",
    ...always(failure(429, { message: "slow down", headers: { "x-should-retry": "false" } })),
  },
  {
    name: "error_500",
    note: "500",
    env: AT_ONCE,
    ...always(failure(500, { message: "internal trouble" })),
  },
  {
    name: "error_529",
    note: "529",
    env: AT_ONCE,
    ...always(failure(529, { message: "Overloaded" })),
  },
  {
    name: "error_refused",
    note: "nobody listens at the API's address",
    env: AT_ONCE,
    script: "refused",
  },
  {
    name: "error_timeout",
    note: "no reply within the CLI's own time limit",
    env: { ...AT_ONCE, API_TIMEOUT_MS: "1000" },
    script: () => () => new Promise<never>(() => {}),
  },
  {
    name: "error_retries_exhausted",
    note: "one retry allowed, both fail",
    env: { CLAUDE_CODE_MAX_RETRIES: "1" },
    ...always(failure(529, { message: "Overloaded" })),
  },
  {
    name: "error_after_tool",
    note: "a tool ran, then the API fails",
    env: AT_ONCE,
    files: { "a.txt": "alpha\n" },
    script: () => [
      answer([toolUse("Bash", { command: "cat a.txt", description: "Show a" })]),
      ...failuresThen(3, failure(401, { message: "invalid x-api-key" })),
    ],
  },
  {
    name: "max_turns",
    note: "the turn limit: the tool runs, then an error result without a text",
    args: ["--max-turns=1"],
    files: { "a.txt": "alpha\n" },
    script: () => () => answer([toolUse("Bash", { command: "cat a.txt", description: "Show a" })]),
  },
  {
    name: "budget_exceeded",
    note: "the budget: an error result, the answer is only in the assistant event",
    args: ["--max-budget-usd=0.0001"],
    script: () => [answer("Expensive.", { usage: { input: 100_000, output: 1000 } })],
  },
  {
    name: "unknown_flag",
    note: "a flag that does not exist: nothing on stdout",
    args: ["--no-such-flag"],
  },
  {
    name: "blank_prompt",
    note: "a prompt of white space: nothing on stdout",
    prompt: "   ",
  },
];
