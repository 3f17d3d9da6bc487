/** What the loopback model says in the demo. */

import { answer, route, type Script, text, thinking, toolUse } from "../../src/loopback/mod.ts";

/** The file that the first run reads. */
export const NOTES = "Bake the bread at seven.\nCall Ada about the boat.\n";

/** The prompt of each run. */
export const PROMPTS = {
  read: "What do my notes.txt say I should do today?",
  work: "Run the long job.",
} as const;

/**
 * A command that only a determined clean-up ends: it waits in the foreground, and leaves a daemon in a session
 * of its own, without a parent, that ignores SIGTERM.
 */
const LONG_JOB = `(setsid sh -c 'trap "" TERM; echo daemon > daemon; sleep 600; sleep 600' &)
while ! [ -s daemon ]; do sleep 0.05; done; echo started > started; sleep 1; sleep 600`;

/** Speaks at the pace of a reader. */
const SPOKEN = { chunk: 6, pauseMs: 40 };

/** The model's side, given the project folder. */
export function story(project: string): Script {
  return route([
    {
      is: "prompt",
      says: PROMPTS.work,
      reply: answer([
        text("I start it now.", SPOKEN),
        toolUse("Bash", { command: LONG_JOB, description: "Run the long job" }),
      ]),
    },
    {
      is: "prompt",
      says: PROMPTS.read,
      reply: answer([
        thinking("The notes are in a file, so I read it first."),
        text("I look into your notes.", SPOKEN),
        toolUse("Read", { file_path: `${project}/notes.txt` }),
      ], { usage: { input: 1200, output: 60 } }),
    },
    {
      is: "tool_result",
      reply: answer([
        text("Two things: bake the bread at seven, and call Ada about the boat.", SPOKEN),
      ], { usage: { input: 1400, output: 30 } }),
    },
  ]);
}
