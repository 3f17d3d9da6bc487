/** Starts a turn with whatever permissions it was given, and prints how that ended, as JSON. */
import { AdapterError, createExecutor } from "../../mod.ts";

try {
  await using executor = await createExecutor({
    model: "m",
    apiKey: "sk-ant-made-up",
    ...(Deno.args[0] !== undefined && { executable: Deno.args[0] }),
  });
  const tool = { name: "t", description: "d", inputSchema: { type: "object" }, handler: () => "" };
  await executor.execute({ prompt: "Go", tools: [tool] }).result;
} catch (caught) {
  const code = caught instanceof AdapterError ? caught.code : null;
  console.log(JSON.stringify({ code, message: String(caught) }));
}
