import { assert, assertEquals } from "@std/assert";
import { isObject, type JsonObject } from "../../src/base/json.ts";
import { type FakeBehaviour, fakeClaude } from "../helpers/fake_claude.ts";
import { adapterCommand, McpClient } from "../helpers/mcp_client.ts";
import { liveProcesses, markedWith } from "../helpers/processes.ts";

/** An environment with nothing of the person's who runs the tests. */
export function cleanEnv(extra: Readonly<Record<string, string>> = {}): Record<string, string> {
  const keep = ["PATH", "DENO_DIR", "XDG_CACHE_HOME", "HOME", "TMPDIR"];
  const kept = keep.flatMap((name) => {
    const value = Deno.env.get(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(kept), NO_COLOR: "1", ...extra };
}

/** The adapter on a stand-in for the native CLI, past initialize. */
export function connect(behaviour: FakeBehaviour, ...args: string[]): Promise<McpClient> {
  return McpClient.connect({
    cwd: Deno.cwd(),
    env: cleanEnv(),
    args: ["serve", `--executable=${fakeClaude(behaviour)}`, ...args],
  });
}

/** Starts runs and waits until each says that it runs natively. */
export async function startRuns(client: McpClient, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < count; i++) {
    const session_id = crypto.randomUUID(); // the stand-in would say the same one for every run
    const { value } = await client.callTool("claude.run.start", { prompt: "stay", session_id });
    ids.push(String(value.run_id));
  }
  for (const run_id of ids) {
    const { value } = await client.callTool("claude.run.events", { run_id, wait_seconds: 20 });
    assert(value.events.length > 0, `run ${run_id} is live: ${JSON.stringify(value)}`);
    assert((await markedWith(run_id)).length > 0, "its processes can be seen");
  }
  return ids;
}

/** Asserts that an adapter and its runs left no process, and that its stdout was protocol only. */
export async function assertNothingLeft(
  client: McpClient,
  runIds: readonly string[],
): Promise<void> {
  for (const id of runIds) assertEquals(await markedWith(id), [], `processes of run ${id}`);
  const children = (await liveProcesses()).filter(({ ppid }) => ppid === client.pid);
  assertEquals(children, [], "children of the adapter");
  assertEquals(client.faults, [], "every line on stdout is JSON-RPC");
}

/** A `serve` process whose streams a test holds itself. */
export interface RawAdapter extends AsyncDisposable {
  readonly child: Deno.ChildProcess;
  readonly stdin: WritableStreamDefaultWriter<Uint8Array>;
  /** Sends one line. */
  send(line: string | object): Promise<void>;
}

/** Starts the adapter without reading anything from it. */
export function startRaw(options: { behaviour: FakeBehaviour; entry?: string }): RawAdapter {
  const [program = "", ...first] = adapterCommand();
  if (options.entry !== undefined) first[first.length - 1] = options.entry;
  const child = new Deno.Command(program, {
    args: [...first, "serve", `--executable=${fakeClaude(options.behaviour)}`],
    clearEnv: true,
    env: cleanEnv(),
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const stdin = child.stdin.getWriter();
  return {
    child,
    stdin,
    send: (line) => {
      const text = typeof line === "string" ? line : JSON.stringify({ jsonrpc: "2.0", ...line });
      return stdin.write(new TextEncoder().encode(`${text}\n`));
    },
    async [Symbol.asyncDispose]() {
      await stdin.close().catch(() => {});
      await Promise.all(
        [child.stdout, child.stderr].map((stream) => stream.locked ? null : stream.cancel()),
      );
      await child.status;
    },
  };
}

/** Every message on a stream of lines; each line must be one JSON-RPC object. */
export async function readMessages(stream: ReadableStream<Uint8Array>): Promise<JsonObject[]> {
  return parseMessages(await new Response(stream).text());
}

/** The messages in what the adapter wrote; each line must be one JSON-RPC object. */
export function parseMessages(text: string): JsonObject[] {
  return text.split("\n").filter((line) => line !== "").map((line) => {
    const message: unknown = JSON.parse(line);
    assert(isObject(message) && message.jsonrpc === "2.0", line);
    return message;
  });
}

/** The initialize request. */
export const INITIALIZE = {
  id: 0,
  method: "initialize",
  params: {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "t", version: "1" },
  },
};
