/** Uses a part of the library with the permissions that it was started with, and prints the error. */
import { AdapterError, createClaude, createExecutor } from "../../mod.ts";

const [part, executable] = Deno.args as [string, string];
try {
  await use();
} catch (caught) {
  const { code, message } = caught instanceof AdapterError
    ? caught
    : { code: "untyped", message: String(caught) };
  console.log(JSON.stringify({ code, message }));
}

async function use(): Promise<void> {
  if (part === "executor") {
    await using executor = await createExecutor({ model: "m", apiKey: "made-up", executable });
    await executor.execute({ prompt: "x" }).result;
    return;
  }
  await using claude = createClaude({ executable });
  if (part === "thread") await claude.thread("a/b").send("x").collect();
  else {
    const { error } = await claude.run({ prompt: "x" }).result;
    if (error !== undefined) throw new AdapterError(error.code, error.message);
  }
}
