/** A program of its own that sends messages to a thread: `CONFIG CWD URL EXECUTABLE WORD COUNT`. */
import { createClaude } from "../../src/library/claude.ts";

const [configDir = "", cwd = "", baseUrl = "", executable = "", word = "", count = "0"] = Deno.args;
await using claude = createClaude({ executable });
const thread = claude.thread("room/raced", {
  configDir,
  cwd,
  auth: { kind: "apiKey", key: "sk-ant-made-up", baseUrl },
});
for (let n = 0; n < Number(count); n++) {
  for await (const update of thread.send(`${word}-${n}.`)) {
    if (update.kind === "result" && update.isError) throw new Error(update.errors.join());
  }
}
