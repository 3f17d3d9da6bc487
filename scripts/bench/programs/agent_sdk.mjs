// Runs prompts through the agent SDK: a line is a prompt, as JSON; the answer says what it took, in milliseconds.
//
// node agent_sdk.mjs SDK EXECUTABLE
import { createInterface } from "node:readline";

const [sdk, executable] = process.argv.slice(2);
const { query } = await import(sdk);
for await (const line of createInterface({ input: process.stdin })) {
  const started = performance.now();
  let first = null;
  let result = null;
  const options = {
    pathToClaudeCodeExecutable: executable,
    permissionMode: "dontAsk",
    includePartialMessages: true,
    // Else it reads no settings, which the others do.
    settingSources: ["user", "project", "local"],
  };
  for await (const message of query({ prompt: JSON.parse(line), options })) {
    first ??= performance.now() - started;
    if (message.type === "result") result = message.result;
  }
  console.log(JSON.stringify({ first, ms: performance.now() - started, result }));
}
