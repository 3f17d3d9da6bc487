import { assertEquals, assertThrows } from "@std/assert";
import { AdapterError } from "../../src/base/errors.ts";
import type { RunArguments } from "../../src/contract/run_arguments.ts";
import { assertSessionFree, holderOf, type SessionClaim } from "../../src/runs/session_claims.ts";

const ARGS: RunArguments = {
  prompt: "x",
  permission_mode: "dontAsk",
  background_tasks: "allow",
  timeout_seconds: 1,
  max_events: 1,
};
const holds = (...sessionIds: string[]): SessionClaim => ({
  runId: "a",
  sessionIds,
  isUnknown: false,
  isSaved: true,
});
const unknown: SessionClaim = { runId: "a", sessionIds: [], isUnknown: true, isSaved: true };
const unsaved: SessionClaim = { ...holds("s1"), isSaved: false };

const TABLE: readonly (readonly [string, Partial<RunArguments>, SessionClaim, boolean])[] = [
  ["resume of a held session", { resume_session_id: "S1" }, holds("s1"), true],
  ["resume of a held session in white space", { resume_session_id: " s1 " }, holds("s1"), true],
  ["a new session id that is held", { session_id: "s1" }, holds("s1"), true],
  ["another session", { resume_session_id: "s2" }, holds("s1"), false],
  ["no session at all", {}, holds("s1"), false],
  ["two that continue the latest", { continue_previous: true }, unknown, true],
  ["continuing while another resumes", { continue_previous: true }, holds("s1"), true],
  ["continuing while a fresh run is active", { continue_previous: true }, holds(), true],
  ["continuing while an unsaved run is active", { continue_previous: true }, unsaved, false],
  [
    "resuming while nobody knows what another continues",
    { resume_session_id: "s2" },
    unknown,
    true,
  ],
  ["a fresh run while nobody knows what another continues", {}, unknown, false],
  ["a new id while nobody knows what another continues", { session_id: "s2" }, unknown, false],
  ["continue_previous: false", { continue_previous: false }, unknown, false],
];

for (const [name, args, claim, isBusy] of TABLE) {
  Deno.test(`sessions: ${name} is ${isBusy ? "busy" : "free"}`, () => {
    const check = () => assertSessionFree({ ...ARGS, ...args }, [claim]);
    if (!isBusy) return check();
    const error = assertThrows(check, AdapterError, "'a'");
    assertEquals(error.code, "session_busy");
  });
}

Deno.test("sessions: a session seen in a run's frames is found, but not as its own rival", () => {
  assertEquals(holderOf("S1", "b", [holds("s1")]), "a");
  assertEquals(holderOf("s1", "a", [holds("s1")]), null);
  assertEquals(holderOf("s2", "b", [holds("s1")]), null);
});
