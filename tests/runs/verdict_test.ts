import { assertEquals, assertStringIncludes } from "@std/assert";
import type { PrimaryResult } from "../../src/runs/primary_result.ts";
import { limitReset, readVerdict, type VerdictFacts } from "../../src/runs/verdict.ts";

const NO_LATCH = { errorWord: null, limitResetsAt: null, limitRejected: false };

function result(text: string | null, more: Partial<PrimaryResult> = {}): PrimaryResult {
  return {
    isError: true,
    subtype: "success",
    sessionId: "s",
    text,
    errors: [],
    terminalReason: "api_error",
    apiErrorStatus: null,
    apiErrorKind: null,
    ...more,
  };
}

function facts(more: Partial<VerdictFacts>): VerdictFacts {
  return {
    primary: null,
    latch: NO_LATCH,
    failedFollowUp: null,
    exitCode: 1,
    stderrTail: "",
    resumed: false,
    ...more,
  };
}

const TABLE: readonly (readonly [string, VerdictFacts, string | null])[] = [
  [
    "not logged in",
    facts({ primary: result("Not logged in · Please run /login") }),
    "authentication_required",
  ],
  [
    "not logged in, claimed as success with exit code 1",
    facts({
      primary: result("Not logged in · Please run /login", { isError: false }),
    }),
    "authentication_required",
  ],
  [
    "an invalid key by its word",
    facts({
      primary: result("anything"),
      latch: { ...NO_LATCH, errorWord: "authentication_failed" },
    }),
    "authentication_required",
  ],
  [
    "a 429 by its word",
    facts({
      primary: result("API Error: Request rejected (429)"),
      latch: { ...NO_LATCH, errorWord: "rate_limit" },
    }),
    "usage_limited",
  ],
  [
    "no credit by its word",
    facts({
      primary: result("Credit balance is too low"),
      latch: { ...NO_LATCH, errorWord: "billing_error" },
    }),
    "usage_limited",
  ],
  [
    "an older CLI without words",
    facts({ primary: result("Claude AI usage limit reached|1") }),
    "usage_limited",
  ],
  [
    "a rejected rate limit event",
    facts({
      primary: result("You have hit it"),
      latch: { ...NO_LATCH, limitRejected: true },
    }),
    "usage_limited",
  ],
  [
    "a server error",
    facts({
      primary: result("API Error: 500 rate limit reached not logged in"),
      latch: { ...NO_LATCH, errorWord: "server_error" },
    }),
    null,
  ],
  [
    "an unknown conversation",
    facts({
      primary: result(null, { errors: ["No conversation found with session ID: x"] }),
      resumed: true,
    }),
    "resume_failed",
  ],
  [
    "an unknown conversation on stderr only",
    facts({
      stderrTail: "No conversation found with session ID: x\n",
      resumed: true,
    }),
    "resume_failed",
  ],
  [
    "the same words in a run that resumed nothing",
    facts({
      primary: result(null, { errors: ["No conversation found with session ID: x"] }),
    }),
    null,
  ],
  [
    "a model that says the words, then exit code 1",
    facts({
      primary: result("No conversation found with session ID: x", { isError: false }),
      resumed: true,
    }),
    null,
  ],
  [
    "an error that quotes the words, and a tool that printed them",
    facts({
      primary: result("API Error: 400 No conversation found"),
      stderrTail: "No conversation found with session ID: x",
      resumed: true,
    }),
    null,
  ],
  [
    "a turn after the answer that says the words",
    facts({
      primary: result("fine", { isError: false }),
      failedFollowUp: "No conversation found",
      resumed: true,
    }),
    null,
  ],
  [
    "a model that talks about logins and succeeds",
    facts({
      primary: result("Not logged in: rate limit reached", { isError: false }),
      exitCode: 0,
    }),
    null,
  ],
  [
    "a model that talks about limits, then exit code 1",
    facts({
      primary: result("The rate limit reached by users who are not logged in", { isError: false }),
    }),
    null,
  ],
  [
    "a budget limit after a login problem that was overcome",
    facts({
      primary: result(null, { subtype: "error_max_budget_usd" }),
      latch: { ...NO_LATCH, errorWord: "authentication_failed" },
    }),
    null,
  ],
  [
    "a follow-up turn that could not log in",
    facts({
      primary: result("I started a task.", { isError: false }),
      failedFollowUp: "Failed to authenticate. API Error: 403 no access",
      latch: { ...NO_LATCH, errorWord: "authentication_failed" },
    }),
    "authentication_required",
  ],
  [
    "noise about limits on stderr without a result",
    facts({ stderrTail: "mcp: rate limit reached\n" }),
    null,
  ],
  ["nothing known yet", facts({ exitCode: null, primary: result("ok", { isError: false }) }), null],
];

for (const [name, given, code] of TABLE) {
  Deno.test(`verdict: ${name} is ${code ?? "no verdict"}`, () => {
    assertEquals(readVerdict(given)?.code ?? null, code);
  });
}

Deno.test("verdict: a limit says when it resets, and bad times do not throw", () => {
  const at = (limitResetsAt: number) =>
    readVerdict(facts({
      primary: result("limit"),
      latch: { errorWord: "rate_limit", limitResetsAt, limitRejected: true },
    }))?.message ?? "";
  assertStringIncludes(at(1_800_000_000), "2027-01-15T08:00:00.000Z");
  assertStringIncludes(at(1e300), "1e+300");
});

Deno.test("verdict: the message is the CLI's first line and what to do", () => {
  const verdict = readVerdict(facts({ primary: result("Invalid API key · Fix it\nmore") }));
  assertStringIncludes(verdict?.message ?? "", "Invalid API key · Fix it (log in");
});

Deno.test("a verdict quotes one line, without controls", () => {
  const verdict = readVerdict({
    primary: null,
    latch: { errorWord: null, limitResetsAt: null, limitRejected: false },
    failedFollowUp: null,
    exitCode: 1,
    stderrTail: "Not logged in \u001b[31m\u202e\rx\nmore",
    resumed: false,
  });
  assertEquals(
    verdict?.message.split(" (")[0],
    "Not logged in \\x1b[31m\\u202e x",
  );
});

const RESETS: readonly (readonly [string, VerdictFacts, number | null])[] = [
  [
    "from the event",
    facts({ latch: { ...NO_LATCH, limitResetsAt: 1_760_000_001 } }),
    1_760_000_001,
  ],
  [
    "behind an older version's sentence",
    facts({ primary: result("Claude AI usage limit reached|1760000000") }),
    1_760_000_000,
  ],
  [
    "not from a model's answer",
    facts({ primary: result("Claude AI usage limit reached|1760000000", { isError: false }) }),
    null,
  ],
  [
    "not from digits that are no time",
    facts({ primary: result("Claude AI usage limit reached|1") }),
    null,
  ],
];
for (const [where, given, expected] of RESETS) {
  Deno.test(`the time of a limit's reset: ${where}`, () => {
    assertEquals(limitReset(given), expected);
  });
}
