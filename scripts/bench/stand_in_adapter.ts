/** An adapter on a stand-in, and runs of it. */

import { McpClient } from "../support/mcp_client.ts";
import { adapterEnv, type Place } from "../support/place.ts";

/** Writes a stand-in for the CLI and connects an adapter to it; dispose of the client, then of the place. */
export async function connectTo(place: Place, standIn: string): Promise<McpClient> {
  const executable = `${place.root}/claude`;
  await Deno.writeTextFile(executable, standIn, { mode: 0o755 });
  return await McpClient.connect({
    cwd: place.project,
    env: await adapterEnv({ place, url: "http://127.0.0.1:9" }),
    args: ["serve", `--executable=${executable}`],
  });
}

/** Starts a run and waits until it has said so much. */
export async function startRun(
  client: McpClient,
  { prompt = "go", events = 1 }: { readonly prompt?: string; readonly events?: number } = {},
): Promise<string> {
  const { value, text } = await client.callTool("claude.run.start", { prompt });
  if (typeof value.run_id !== "string") throw new Error(text);
  for (let seen = 0; seen < events;) {
    const args = { run_id: value.run_id, after_cursor: seen, wait_seconds: 50 };
    const page = await client.callTool("claude.run.events", args);
    if (page.value.completed !== false) throw new Error(page.text);
    seen = page.value.next_cursor;
  }
  return value.run_id;
}

/** Cancels a run; resolves when its clean-up is confirmed, to the milliseconds that this took. */
export async function cancelRun(client: McpClient, run_id: string): Promise<number> {
  const before = performance.now();
  await client.callTool("claude.run.cancel", { run_id });
  const settled = await client.callTool("claude.run.result", { run_id, wait_seconds: 50 });
  const ms = performance.now() - before;
  if (settled.value.cleanup_confirmed !== true) throw new Error(settled.text);
  return ms;
}
