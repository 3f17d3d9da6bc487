/** Sub-agents and background tasks. */

import { answer, delay, failure, route, type Rule, text, toolUse } from "../../src/loopback/mod.ts";
import type { Case } from "./case.ts";

const AGENT = {
  description: "Count the files",
  prompt: "SUBAGENT count the files",
  subagent_type: "general-purpose",
};

/** The sub-agent looks once, then says what it found. */
const SUBAGENT: readonly Rule[] = [
  {
    is: "prompt",
    says: "SUBAGENT",
    reply: answer([
      text("Looking."),
      toolUse("Bash", { command: "cat a.txt", description: "Show a" }),
    ]),
  },
  { is: "tool_result", says: "alpha", reply: answer("There is one file.") },
];

/** The cases. */
export const TASK_CASES: readonly Case[] = [
  {
    name: "subagent_foreground",
    note: "a sub-agent in the foreground: task events and events with parent_tool_use_id",
    prompt: "delegate",
    files: { "a.txt": "alpha\n" },
    script: () =>
      route([
        ...SUBAGENT,
        {
          is: "prompt",
          says: "delegate",
          reply: answer([toolUse("Agent", { ...AGENT, run_in_background: false })]),
        },
        { is: "tool_result", reply: answer("The sub-agent found one file.") },
      ]),
  },
  {
    name: "subagent_background",
    note: "a sub-agent in the background, as is the default: two results",
    prompt: "delegate",
    files: { "a.txt": "alpha\n" },
    script: () =>
      route([
        { is: "task_notification", reply: answer("The sub-agent is done: one file.") },
        ...SUBAGENT,
        { is: "prompt", says: "delegate", reply: answer([toolUse("Agent", AGENT)]) },
        { is: "tool_result", reply: answer("I started a sub-agent.") },
      ]),
  },
  {
    name: "subagent_background_off",
    note: "background tasks off: the same call runs in the foreground, one result",
    prompt: "delegate",
    files: { "a.txt": "alpha\n" },
    env: { CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: "1" },
    script: () =>
      route([
        ...SUBAGENT,
        { is: "prompt", says: "delegate", reply: answer([toolUse("Agent", AGENT)]) },
        { is: "tool_result", reply: answer("The sub-agent found one file.") },
      ]),
  },
  {
    name: "task_background",
    note: "a background Bash command that ends after the answer: two results",
    prompt: "start it",
    args: ["--allowedTools=Bash"],
    script: () =>
      route([
        { is: "task_notification", reply: answer("The task is done.") },
        { is: "tool_result", reply: answer("I started a task.") },
        {
          is: "prompt",
          reply: answer([
            toolUse("Bash", {
              command: "sleep 1; echo finished",
              description: "Work for a second",
              run_in_background: true,
            }),
          ]),
        },
      ]),
  },
  {
    name: "task_background_whole",
    note: "the same without partial messages",
    prompt: "start it",
    partial: false,
    args: ["--allowedTools=Bash"],
    script: () =>
      route([
        { is: "task_notification", reply: answer("The task is done.") },
        { is: "tool_result", reply: answer("I started a task.") },
        {
          is: "prompt",
          reply: answer([
            toolUse("Bash", {
              command: "sleep 1; exit 3",
              description: "Fail after a second",
              run_in_background: true,
            }),
          ]),
        },
      ]),
  },
  {
    name: "task_background_early",
    note: "a background Bash command that ends before the answer does",
    prompt: "start it",
    args: ["--allowedTools=Bash"],
    script: () =>
      route([
        { is: "task_notification", reply: answer("The task is done.") },
        {
          is: "tool_result",
          reply: answer([text("I started a task"), delay(1500), text(" a while ago.")]),
        },
        {
          is: "prompt",
          reply: answer([
            toolUse("Bash", {
              command: "echo finished",
              description: "Work",
              run_in_background: true,
            }),
          ]),
        },
      ]),
  },
  {
    name: "task_background_two",
    note: "two background Bash commands",
    prompt: "start them",
    args: ["--allowedTools=Bash"],
    script: () =>
      route([
        { is: "task_notification", reply: answer("A task is done.") },
        { is: "tool_result", reply: answer("I started two tasks.") },
        {
          is: "prompt",
          reply: answer([
            toolUse("Bash", {
              command: "sleep 1; echo first",
              description: "First",
              run_in_background: true,
            }),
            toolUse("Bash", {
              command: "sleep 3; echo second",
              description: "Second",
              run_in_background: true,
            }),
          ]),
        },
      ]),
  },
  {
    name: "task_background_off",
    note: "background tasks off: the command runs in the foreground, one result",
    prompt: "start it",
    args: ["--allowedTools=Bash"],
    env: { CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: "1" },
    script: () =>
      route([
        { is: "tool_result", reply: answer("It ran.") },
        {
          is: "prompt",
          reply: answer([
            toolUse("Bash", {
              command: "sleep 1; echo finished",
              description: "Work for a second",
              run_in_background: true,
            }),
          ]),
        },
      ]),
  },
  {
    name: "task_background_sigterm",
    note:
      "SIGTERM after the answer while a background command still runs: a result, then exit code 143",
    prompt: "start it",
    args: ["--allowedTools=Bash"],
    signal: { name: "SIGTERM", printed: '"type":"result"' },
    script: () =>
      route([
        { is: "task_notification", reply: answer("The task is done.") },
        { is: "tool_result", reply: answer("I started a task.") },
        {
          is: "prompt",
          reply: answer([
            toolUse("Bash", {
              command: "sleep 50; echo finished",
              description: "Work for long",
              run_in_background: true,
            }),
          ]),
        },
      ]),
  },
  {
    name: "subagent_failed",
    note: "a sub-agent in the foreground whose request fails",
    prompt: "delegate",
    script: () =>
      route([
        { is: "prompt", says: "SUBAGENT", reply: failure(403, { message: "no access" }) },
        {
          is: "prompt",
          says: "delegate",
          reply: answer([toolUse("Agent", { ...AGENT, run_in_background: false })]),
        },
        { is: "tool_result", reply: answer("The sub-agent failed.") },
      ]),
  },
  {
    name: "subagent_background_failed",
    note: "a sub-agent in the background whose request fails",
    prompt: "delegate",
    script: () =>
      route([
        { is: "task_notification", reply: answer("The sub-agent failed.") },
        { is: "prompt", says: "SUBAGENT", reply: failure(403, { message: "no access" }) },
        { is: "prompt", says: "delegate", reply: answer([toolUse("Agent", AGENT)]) },
        { is: "tool_result", reply: answer("I started a sub-agent.") },
      ]),
  },
  {
    name: "task_background_followup_error",
    note:
      "the turn after a background task fails: a good result, then an error result with an origin",
    prompt: "start it",
    args: ["--allowedTools=Bash"],
    script: () =>
      route([
        { is: "task_notification", reply: failure(403, { message: "no access" }) },
        { is: "tool_result", reply: answer("I started a task.") },
        {
          is: "prompt",
          reply: answer([
            toolUse("Bash", {
              command: "sleep 1; echo finished",
              description: "Work for a second",
              run_in_background: true,
            }),
          ]),
        },
      ]),
  },
];
