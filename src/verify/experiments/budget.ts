/**
 * A reply that costs more than the budget and wants a tool. Whether the tool still runs is no matter of the budget: the
 * CLI starts it while the reply is being streamed (measured: it runs when the end of the reply is 0.4 s late).
 */
import { answer, toolUse } from "../../loopback/mod.ts";
import { experiment } from "../experiment.ts";
import { byRules } from "./script.ts";

export const overBudget = experiment({
  id: "budget",
  script: byRules([
    { is: "tool_result", reply: answer("made it") },
    {
      reply: answer([toolUse("Bash", { command: "touch made.txt", description: "Make a file" })], {
        usage: { input: 100_000, output: 10_000 },
      }),
    },
  ]),
  async run(room) {
    await room.allow("Bash");
    const record = await room.run({
      prompt: "make a file",
      max_budget_usd: 0.0001,
      model: "opus",
    });
    return { record, requests: room.model.messages };
  },
});
