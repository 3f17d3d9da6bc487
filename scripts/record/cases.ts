/** Every recording. */

import type { Case } from "./case.ts";
import { ANSWER_CASES } from "./cases_answers.ts";
import { FAILURE_CASES } from "./cases_failures.ts";
import { SESSION_CASES } from "./cases_sessions.ts";
import { STORY_CASES } from "./cases_story.ts";
import { TASK_CASES } from "./cases_tasks.ts";
import { TOOL_CASES } from "./cases_tools.ts";

/** All cases, in the order they are recorded. */
export const CASES: readonly Case[] = [
  ...ANSWER_CASES,
  ...TOOL_CASES,
  ...TASK_CASES,
  ...FAILURE_CASES,
  ...SESSION_CASES,
  ...STORY_CASES,
];
