import { assert, assertEquals } from "@std/assert";
import { fakeClaude } from "../helpers/fake_claude.ts";
import { adapterCommand } from "../helpers/mcp_client.ts";
import { cleanEnv } from "./adapter.ts";

/** Runs the stand-in that lists its descriptors, under an adapter whose host left some open. */
async function descriptorsOfNative(hostOpens: string): Promise<string> {
  const child = new Deno.Command("/bin/bash", {
    args: [
      "-c",
      `${hostOpens} exec "$@"`,
      "bash",
      ...adapterCommand(),
      "serve",
      `--executable=${fakeClaude("lists_fds")}`,
    ],
    clearEnv: true,
    env: cleanEnv(),
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const params = {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "t", version: "1" },
  };
  const call = { name: "claude.run", arguments: { prompt: "x", session_id: crypto.randomUUID() } };
  const writer = child.stdin.getWriter();
  for (const [id, method, body] of [[1, "initialize", params], [2, "tools/call", call]] as const) {
    const line = JSON.stringify({ jsonrpc: "2.0", id, method, params: body }) + "\n";
    await writer.write(new TextEncoder().encode(line));
  }
  let text = "";
  for await (const part of child.stdout.pipeThrough(new TextDecoderStream())) {
    text += part;
    if (text.includes('"id":2')) break;
  }
  await writer.close();
  assertEquals((await child.status).code, 0);
  const answer = text.split("\n").find((line) => line.includes('"id":2'));
  assert(answer !== undefined, text);
  return JSON.parse(answer).result.structuredContent.result.result;
}

Deno.test("the native process sees descriptors 0, 1 and 2 only, whatever the host left open", async () => {
  for (const opens of ["", "exec 3</dev/null 9</dev/null 57</dev/null;"]) {
    assertEquals(await descriptorsOfNative(opens), "[0,1,2]", opens);
  }
});
