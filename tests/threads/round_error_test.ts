import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { AdapterError } from "../../src/base/errors.ts";
import type { JsonObject } from "../../src/base/json.ts";
import { roundError, type RoundFacts } from "../../src/threads/round_error.ts";
import {
  AuthenticationRequired,
  IdleTimeout,
  NativeError,
  NoConversation,
  SessionTaken,
  ThreadBusy,
  UsageLimited,
} from "../../src/threads/thread_error.ts";
import { init, result, says } from "../helpers/frames.ts";
import { recordedCases } from "../helpers/replay.ts";
import { readCase, readFrames } from "./rounds.ts";

type Expected = readonly [name: string, facts?: JsonObject];

/** Every recording of a failure; all others went well. */
const FAILED: { readonly [recording: string]: Expected } = {
  not_logged_in: ["AuthenticationRequired", { status: null }],
  error_401: ["AuthenticationRequired", { status: 401 }],
  error_403: ["AuthenticationRequired", { status: 403 }],
  error_after_tool: ["AuthenticationRequired", { status: 401 }],
  task_background_followup_error: ["AuthenticationRequired", { status: 403 }],
  subagent_background_failed: ["none"],
  error_429: ["UsageLimited", { status: 429, resetsAt: null }],
  error_429_no_retry: ["UsageLimited", { status: 429 }],
  error_429_retry_after: ["UsageLimited", { status: 429 }],
  error_400_credit: ["UsageLimited", { status: 400 }],
  error_400: ["NativeError", { status: 400, retryable: false, subtype: "success" }],
  error_400_prompt_too_long: ["NativeError", { status: 400, retryable: false }],
  error_404: ["NativeError", { status: 404, retryable: false }],
  error_413: ["NativeError", { status: 413, retryable: false }],
  error_500: ["NativeError", { status: 500, retryable: true }],
  error_529: ["NativeError", { status: 529, retryable: true }],
  error_retries_exhausted: ["NativeError", { status: 529, retryable: true }],
  error_refused: ["NativeError", { status: null, retryable: true }],
  error_timeout: ["NativeError", { status: null, retryable: true }],
  max_tokens_always: ["NativeError", { retryable: false }],
  refusal_twice: ["NativeError", { retryable: false }],
  max_turns: ["NativeError", { subtype: "error_max_turns", retryable: false }],
  budget_exceeded: ["NativeError", { subtype: "error_max_budget_usd", retryable: false }],
  json_schema_exhausted: ["NativeError", { subtype: "error_max_structured_output_retries" }],
  resume_unknown: ["NoConversation"],
  resume_not_uuid: ["NoConversation"],
  session_id_taken: ["SessionTaken"],
  session_id_invalid: ["NativeError", { subtype: null, retryable: false }],
  session_id_and_resume: ["NativeError", { subtype: null }],
  unknown_flag: ["NativeError", { subtype: null }],
  blank_prompt: ["NativeError", { subtype: null }],
  sigint_streaming: ["NativeError", { subtype: "error_during_execution" }],
  tool_sigint: ["NativeError", { subtype: "error_during_execution" }],
  tool_sigint_early: ["NativeError"],
  sigterm_streaming: ["NativeError", { subtype: null }],
  sigterm_retrying: ["NativeError", { subtype: null }],
  tool_sigterm: ["NativeError", { subtype: null }],
  task_background_sigterm: ["NativeError"],
};

Deno.test("every recording ends in its error, or in none", async () => {
  const names = await recordedCases();
  for (const name of Object.keys(FAILED)) assert(names.includes(name), name);
  for (const name of names) {
    const [expected, facts = {}] = FAILED[name] ?? ["none"];
    const { error } = await readCase(name);
    assertEquals(error?.name ?? "none", expected, `${name}: ${error?.message}`);
    for (const [member, value] of Object.entries(facts)) {
      const found = (error as unknown as Record<string, unknown>)[member];
      assertEquals(found, value, `${name}: ${member}`);
    }
  }
});

const CONFIRMED = { confirmed: true, retired: 0, escalated: false, survivors: [] };

function facts(frames: readonly JsonObject[], more: Partial<RoundFacts> = {}): RoundFacts {
  return {
    record: readFrames(frames).reader.record,
    cause: null,
    exit: { code: 0, signal: null },
    cleanup: CONFIRMED,
    stderrTail: "",
    resumed: false,
    ...more,
  };
}

const LOGIN = "Not logged in · Please run /login";
const MISSING = "No conversation found with session ID: x";
const EXIT_1 = { exit: { code: 1, signal: null } };
const NOTHING = { is_error: true, subtype: "error_during_execution", result: null };

const TABLE: readonly (readonly [what: string, facts: RoundFacts, code: string | null])[] = [
  ["a good round", facts([init(), says("a"), result()]), null],
  [
    "not logged in, said as an error",
    facts([result({ is_error: true, result: LOGIN })], EXIT_1),
    "authentication_required",
  ],
  [
    "not logged in, said as a success",
    facts([result({ result: LOGIN })], EXIT_1),
    "authentication_required",
  ],
  ["a model that says so and succeeds", facts([init(), result({ result: LOGIN })]), null],
  [
    "no conversation, in the result",
    facts([result({ ...NOTHING, errors: [MISSING] })], { ...EXIT_1, resumed: true }),
    "resume_failed",
  ],
  [
    "no conversation, on stderr",
    facts([], { ...EXIT_1, resumed: true, stderrTail: MISSING }),
    "resume_failed",
  ],
  [
    "no conversation, but nobody asked for one",
    facts([result({ ...NOTHING, errors: [MISSING] })], { ...EXIT_1, stderrTail: MISSING }),
    "vendor_failed",
  ],
  [
    "a model's words about conversations, then a failed exit",
    facts([result({ result: MISSING })], { ...EXIT_1, resumed: true }),
    "vendor_failed",
  ],
  [
    "the words anywhere, once a turn began",
    facts([init(), says(MISSING), result({ ...NOTHING, errors: [MISSING] })], {
      ...EXIT_1,
      resumed: true,
      stderrTail: MISSING,
    }),
    "vendor_failed",
  ],
  [
    "the words of a tool on stderr, and no result once a turn began",
    facts([init()], { ...EXIT_1, resumed: true, stderrTail: MISSING }),
    "vendor_failed",
  ],
  ["no result and a good exit", facts([init()]), "vendor_failed"],
  [
    "processes that may be left",
    facts([init(), result()], { cleanup: null }),
    "cleanup_unconfirmed",
  ],
  [
    "cancelled",
    facts([init()], { ...EXIT_1, cause: { code: "cancelled", message: "By you" } }),
    "cancelled",
  ],
];
for (const [what, given, code] of TABLE) {
  Deno.test(`round error: ${what} is ${code ?? "none"}`, () => {
    assertEquals(roundError(given)?.code ?? null, code);
  });
}

Deno.test("an error that ended the round is its error, as it is", () => {
  const error = new IdleTimeout(120_000);
  assert(roundError(facts([init()], { cause: error })) === error);
});

Deno.test("a result that was too large: the exit code is the verdict", () => {
  const given = facts([init()]);
  const lost = { ...given, record: { ...given.record, lostResult: true } };
  assertEquals(roundError(lost), null);
  assertEquals(roundError({ ...lost, ...EXIT_1 })?.code, "frame_too_large");
  assertEquals(roundError({ ...lost, cleanup: null })?.code, "cleanup_unconfirmed");
});

Deno.test("a limit says when it resets", () => {
  const event = {
    type: "rate_limit_event",
    rate_limit_info: { status: "rejected", resetsAt: 1_760_000_000 },
  };
  const failed = result({ is_error: true, result: "You've hit your limit" });
  const error = roundError(facts([init(), event, failed], EXIT_1));
  assert(error instanceof UsageLimited);
  assertEquals(error.resetsAt, 1_760_000_000);
  const old = result({ is_error: true, result: "Claude AI usage limit reached|1760000001" });
  const older = roundError(facts([init(), old], EXIT_1));
  assert(older instanceof UsageLimited);
  assertEquals(older.resetsAt, 1_760_000_001);
});

Deno.test("every error is an AdapterError with a code, a name and advice", () => {
  const errors: readonly (readonly [AdapterError, string])[] = [
    [new AuthenticationRequired("x", 401), "authentication_required"],
    [new UsageLimited("x"), "usage_limited"],
    [new NativeError("x", { status: null, retryable: false, subtype: null }), "vendor_failed"],
    [new IdleTimeout(1_500, "a tool"), "timeout"],
    [new ThreadBusy("id", { pid: 7, since: 0 }), "session_busy"],
    [new NoConversation("x"), "resume_failed"],
    [new SessionTaken("x"), "session_busy"],
  ];
  for (const [error, code] of errors) {
    assert(error instanceof AdapterError);
    assertEquals([error.code, error.name], [code, error.constructor.name]);
  }
  assertStringIncludes(errors[3]![0].message, "silent for 1500 ms while a tool ran");
  assertStringIncludes(
    new IdleTimeout(120_000).message,
    "silent for 120 s, which is the idle bound",
  );
  assertStringIncludes(errors[4]![0].message, "(in process 7 since 1970-01-01T00:00:00.000Z)");
  assertStringIncludes(new ThreadBusy("id", { since: 0 }).message, "conversation (since 1970");
  assertStringIncludes(new ThreadBusy("id").message, "conversation; two at once");
});

/** Names of the tools and of their values, which nobody who has a thread knows. */
const INTERNAL = /final_event|_id\b|_seconds|max_events|\bin 'result'|claude\.run/;

Deno.test("what an error says names nothing that a thread does not have", async () => {
  const said: string[] = [];
  for (const name of Object.keys(FAILED)) {
    // What the CLI itself says of its options when they are wrong is the CLI's.
    if (!/^(session_id|unknown_flag)/.test(name)) {
      said.push((await readCase(name)).error?.message ?? "");
    }
  }
  const given = TABLE.map(([, facts]) => facts);
  const answered = facts([init(), says("Yes."), result()], {
    ...EXIT_1,
    stderrTail: "one\nlast words\n",
  });
  const record = { ...answered.record, failedFollowUp: "API Error: 500" };
  given.push(answered, { ...answered, record });
  said.push(...given.map((one) => roundError(one)?.message ?? ""));
  said.push((await readCase("session_id_taken")).error!.message);
  for (const message of said) assert(!INTERNAL.test(message), message);
  assertStringIncludes(
    roundError(answered)!.message,
    "(exit code 1): last words; the answer is in",
  );
  assertStringIncludes(roundError({ ...answered, record })!.message, "task failed: API Error: 500");
});
