import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { decideOutcome, type OutcomeFacts } from "../../src/runs/outcome.ts";
import type { PrimaryResult } from "../../src/runs/primary_result.ts";

const ANSWER: PrimaryResult = {
  isError: false,
  subtype: "success",
  sessionId: "s",
  text: "hi",
  errors: [],
  terminalReason: "completed",
  apiErrorStatus: null,
  apiErrorKind: null,
};
const GOOD: OutcomeFacts = {
  cause: null,
  primary: ANSWER,
  exit: { code: 0, signal: null },
  cleanup: { confirmed: true, retired: 0, escalated: false, survivors: [] },
  verdict: null,
  brokenTail: null,
  stderrTail: "",
};
const TIMEOUT = { code: "timeout", message: "too long" } as const;
const CANCEL = { code: "cancelled", message: "stop" } as const;
const LEFT = {
  confirmed: false,
  retired: 1,
  escalated: true,
  survivors: [{ pid: 7, name: "sleep" }],
};

const TABLE: readonly (readonly [string, Partial<OutcomeFacts>, string, string | null])[] = [
  ["everything right", {}, "completed", null],
  [
    "a timeout, whatever followed",
    { cause: TIMEOUT, exit: { code: 143, signal: null } },
    "failed",
    "timeout",
  ],
  ["a cancel, whatever followed", { cause: CANCEL, primary: null }, "cancelled", "cancelled"],
  [
    "a cause beats a verdict",
    {
      cause: TIMEOUT,
      verdict: { code: "usage_limited", message: "" },
    },
    "failed",
    "timeout",
  ],
  [
    "a verdict though the CLI says success",
    {
      verdict: { code: "authentication_required", message: "" },
    },
    "failed",
    "authentication_required",
  ],
  ["an error result", { primary: { ...ANSWER, isError: true } }, "failed", "vendor_failed"],
  [
    "an error result with exit code 0",
    {
      primary: { ...ANSWER, isError: true, subtype: "error_during_execution", text: null },
    },
    "failed",
    "vendor_failed",
  ],
  ["success with exit code 1", { exit: { code: 1, signal: null } }, "failed", "vendor_failed"],
  ["success, then killed", { exit: { code: 137, signal: "SIGKILL" } }, "failed", "vendor_failed"],
  ["success, but nobody saw the exit", { exit: null }, "failed", "vendor_failed"],
  ["no result and exit code 0", { primary: null }, "failed", "vendor_failed"],
  [
    "no result and a broken last line",
    { primary: null, brokenTail: '{"ty' },
    "failed",
    "invalid_vendor_response",
  ],
  [
    "no result, a broken last line and a crash",
    {
      primary: null,
      brokenTail: '{"ty',
      exit: { code: 139, signal: "SIGSEGV" },
    },
    "failed",
    "vendor_failed",
  ],
  ["success, but something is left", { cleanup: LEFT }, "failed", "cleanup_unconfirmed"],
  ["success, but nobody could look", { cleanup: null }, "failed", "cleanup_unconfirmed"],
];

for (const [name, facts, state, code] of TABLE) {
  Deno.test(`outcome: ${name} is ${code ?? state}`, () => {
    const outcome = decideOutcome({ ...GOOD, ...facts });
    assertEquals([outcome.state, outcome.error?.code ?? null], [state, code]);
  });
}

Deno.test("outcome: a failed clean-up is reported beside an earlier error and names who is left", () => {
  const outcome = decideOutcome({ ...GOOD, cause: TIMEOUT, cleanup: LEFT });
  assertEquals(outcome.error?.code, "timeout");
  assertEquals(outcome.cleanupError?.code, "cleanup_unconfirmed");
  assertStringIncludes(outcome.cleanupError?.message ?? "", "sleep (pid 7)");
});

Deno.test("outcome: a missing result quotes the last line of stderr and the exit code", () => {
  const outcome = decideOutcome({
    ...GOOD,
    primary: null,
    exit: { code: 1, signal: null },
    stderrTail: "warning\nError: Session ID x is already in use.\n",
  });
  assertStringIncludes(outcome.error?.message ?? "", "already in use");
  assertStringIncludes(outcome.error?.message ?? "", "exit code 1");
});

Deno.test("outcome: success needs all four conditions at once", () => {
  const broken: readonly Partial<OutcomeFacts>[] = [
    { primary: null },
    { primary: { ...ANSWER, isError: true } },
    { exit: { code: 1, signal: null } },
    { cleanup: LEFT },
  ];
  for (let mask = 0; mask < 1 << broken.length; mask++) {
    const facts = broken.reduce<OutcomeFacts>(
      (all, part, i) => (mask & (1 << i)) === 0 ? all : { ...all, ...part },
      GOOD,
    );
    assert((decideOutcome(facts).state === "completed") === (mask === 0), `mask ${mask}`);
  }
});

Deno.test("outcome: a lost supervisor says what was found in its place", () => {
  const clean = GOOD.cleanup!;
  const cases = [
    [clean, "nothing of the run was left"],
    [{ ...clean, retired: 1 }, "1 process of the run had to be ended, and nothing is left"],
    [{ ...clean, retired: 3 }, "3 processes of the run had to be ended, and nothing is left"],
    [LEFT, "what is left of the run is not confirmed"],
    [null, "what is left of the run is not confirmed"],
  ] as const;
  for (const primary of [null, ANSWER]) {
    for (const [cleanup, said] of cases) {
      const { error } = decideOutcome({ ...GOOD, primary, exit: null, cleanup });
      assertEquals(error?.code, "vendor_failed");
      assertStringIncludes(
        error?.message ?? "",
        `its supervisor was lost, so the exit status is unknown; ${said}`,
      );
    }
  }
});

Deno.test("what a message quotes is one line without controls, whoever said it", () => {
  const nasty = "\u001b[31mred\r\nnext\u202e";
  const failed = { ...ANSWER, isError: true, subtype: `error\u001b${"x".repeat(300)}` };
  const unclean = {
    ...LEFT,
    survivors: [{ pid: 7, name: "sl\u001beep" }],
  };
  for (
    const facts of [
      { ...GOOD, primary: { ...failed, errors: [nasty, "more"] } },
      { ...GOOD, primary: { ...failed, text: nasty } },
      { ...GOOD, primary: null, stderrTail: nasty },
      { ...GOOD, exit: { code: 1, signal: null }, stderrTail: nasty },
      { ...GOOD, cause: { code: "startup_failed" as const, message: nasty } },
      { ...GOOD, cleanup: unclean },
    ]
  ) {
    const { error, cleanupError } = decideOutcome(facts);
    for (const { message } of [error, cleanupError].filter((cause) => cause !== null)) {
      // deno-lint-ignore no-control-regex
      assert(!/[\u0000-\u001f\u202e]/.test(message), message);
      assert(/\\x1b|\\u202e/.test(message), message);
    }
  }
});

Deno.test("several lines of a native error are one readable sentence", () => {
  const primary = { ...ANSWER, isError: true, subtype: "error_x", text: "first\n  second" };
  const { error } = decideOutcome({ ...GOOD, primary });
  assertStringIncludes(error?.message ?? "", ": first second");
});

Deno.test("a session id that is taken comes with the way to go on with it", () => {
  const stderrTail = "Error: Session ID x is already in use.\n";
  const facts = { ...GOOD, primary: null, exit: { code: 1, signal: null }, stderrTail };
  assertStringIncludes(decideOutcome(facts).error?.message ?? "", "resume_session_id");
  const other = decideOutcome({ ...facts, stderrTail: "Error: port 80 is already in use\n" });
  assert(!other.error?.message.includes("resume_session_id"));
});
