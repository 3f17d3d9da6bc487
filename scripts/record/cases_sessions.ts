/** Sessions: resumed, continued, taken. */

import { answer } from "../../src/loopback/mod.ts";
import type { Case } from "./case.ts";

const SESSION = "5a1f0f0e-0000-4000-8000-000000000001";
const OTHER = "5a1f0f0e-0000-4000-8000-000000000002";

const FIRST = {
  prompt: "remember the word apple",
  args: [`--session-id=${SESSION}`],
  script: () => [answer("I will.")],
} as const;

/** The cases. */
export const SESSION_CASES: readonly Case[] = [
  { name: "session_id", note: "a chosen session id", args: [`--session-id=${SESSION}`] },
  {
    name: "session_id_taken",
    note: "a session id that is in use: nothing on stdout",
    before: [FIRST],
    args: [`--session-id=${SESSION}`],
  },
  {
    name: "session_id_invalid",
    note: "a session id that is no UUID: nothing on stdout",
    args: ["--session-id=nope"],
  },
  {
    name: "session_unsaved",
    note: "with --no-session-persistence",
    args: ["--no-session-persistence"],
  },
  { name: "resume", note: "a resumed session", before: [FIRST], args: [`--resume=${SESSION}`] },
  {
    name: "resume_forked",
    note: "a resumed session forked into a new id",
    before: [FIRST],
    args: [`--resume=${SESSION}`, "--fork-session"],
  },
  {
    name: "session_id_and_resume",
    note: "a chosen id together with a resumed one: nothing on stdout",
    args: [`--session-id=${OTHER}`, `--resume=${SESSION}`],
  },
  {
    name: "resume_unknown",
    note: "no such conversation: one error result, no init",
    args: [`--resume=${OTHER}`],
  },
  {
    name: "resume_not_uuid",
    note: "a resume value that is no UUID and no title",
    args: ["--resume=nope"],
  },
  { name: "continue", note: "the latest session continued", before: [FIRST], args: ["--continue"] },
  {
    name: "continue_nothing",
    note: "nothing to continue: a new session without a word",
    args: ["--continue"],
  },
  {
    name: "compact_asked",
    note: "a conversation that is compacted because the prompt is the command for it",
    before: [FIRST],
    args: [`--resume=${SESSION}`],
    prompt: "/compact",
    script: () => [answer("The word is apple."), answer("The word is apple.")],
  },
  {
    name: "compact_auto",
    note: "a conversation that has become too long and is compacted before the prompt is answered",
    before: [FIRST, {
      prompt: "read on",
      args: [`--resume=${SESSION}`],
      script: () => [answer("Read.", { usage: { input: 985_000 } })],
    }],
    args: [`--resume=${SESSION}`],
    script: () => (request) =>
      JSON.stringify(request.body).includes("Respond with TEXT ONLY")
        ? answer("The word is apple.")
        : answer("Hello there."),
  },
];
