/** The official MCP TypeScript client over real stdio: negotiation, validation, progress and cancellation. */
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
// @ts-types="@modelcontextprotocol/sdk/client"
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
// @ts-types="@modelcontextprotocol/sdk/client/stdio"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { isObject } from "../../src/base/json.ts";
import { type FakeBehaviour, fakeClaude } from "../helpers/fake_claude.ts";
import { adapterCommand } from "../helpers/mcp_client.ts";
import { markedWith, until, waitGone } from "../helpers/processes.ts";
import { cleanEnv } from "./adapter.ts";

/** A connection, and what a test may want to see or change on the way. */
interface Connection extends AsyncDisposable {
  readonly client: Client;
  /** The protocol version that both sides agreed on. */
  readonly version: string | undefined;
  /** Everything the client complained about. */
  readonly errors: readonly string[];
  /** Changes each incoming message. */
  tamper: ((message: Record<string, unknown>) => void) | null;
}

async function connect(executable: string): Promise<Connection> {
  const [command = "", ...args] = adapterCommand();
  let agreed: string | undefined;
  const errors: string[] = [];
  const connection: { tamper: Connection["tamper"] } = { tamper: null };
  class Watched extends StdioClientTransport {
    setProtocolVersion(version: string): void {
      agreed = version;
    }
    override async start(): Promise<void> {
      const deliver = this.onmessage;
      this.onmessage = (message) => {
        connection.tamper?.(message as unknown as Record<string, unknown>);
        deliver?.(message);
      };
      await super.start();
    }
  }
  const transport = new Watched({
    command,
    args: [...args, "serve", `--executable=${executable}`],
    env: cleanEnv(),
    stderr: "pipe",
  });
  const client = new Client({ name: "official", version: "1" });
  client.onerror = (error) => errors.push(error.message);
  await client.connect(transport);
  const pid = transport.pid ?? 0;
  return Object.assign(connection, {
    client,
    version: agreed,
    errors,
    async [Symbol.asyncDispose]() {
      await client.close();
      await waitGone(pid);
    },
  });
}

function fake(behaviour: FakeBehaviour): Promise<Connection> {
  return connect(fakeClaude(behaviour));
}

function valueOf(result: unknown): Record<string, unknown> {
  assert(isObject(result) && isObject(result.structuredContent));
  return result.structuredContent.result as Record<string, unknown>;
}

Deno.test("the client proposes a newer protocol and both agree on the newest that the server speaks", async () => {
  await using connection = await fake("ok");
  const { client, version, errors } = connection;
  assertEquals(version, "2025-06-18");
  assertEquals(Object.keys(client.getServerCapabilities() ?? {}).sort(), ["resources", "tools"]);
  assertStringIncludes(client.getInstructions() ?? "", "claude.run.start");
  assertEquals(errors, []);
});

Deno.test("the client validates every value against its outputSchema, and would say if one did not fit", async () => {
  for (const behaviour of ["ok", "auth_error", "no_result", "followup_result"] as const) {
    await using connection = await fake(behaviour);
    const { client, errors } = connection;
    await client.listTools(); // from here on it validates
    const run = await client.callTool({ name: "claude.run", arguments: { prompt: "hi" } });
    const { run_id, is_error } = valueOf(run);
    assertEquals([run.isError, is_error], [
      behaviour !== "ok" && behaviour !== "followup_result",
      run.isError,
    ]);
    for (const name of ["claude.run.result", "claude.run.events", "claude.run.cancel"]) {
      await client.callTool({ name, arguments: { run_id } });
    }
    await client.callTool({ name: "claude.run.list", arguments: {} });
    connection.tamper = ({ result }) => {
      if (isObject(result) && isObject(result.structuredContent)) {
        Object.assign(result.structuredContent.result as object, { run_id: 1 });
      }
    };
    const release = { name: "claude.run.release", arguments: { run_id } };
    const caught = await assertRejects(() => client.callTool(release));
    assertStringIncludes(caught.message, "output schema");
    assertEquals(errors, []);
  }
});

Deno.test("progress keeps a call alive past the client's own timeout, and never comes after the answer", async () => {
  const folder = await Deno.makeTempDir({ prefix: "adapter-progress-" });
  try {
    // Does something else every half second, for longer than the client waits without progress.
    const executable = `${folder}/claude`;
    const lib = decodeURIComponent(
      new URL("../../fixtures/fake_claude/lib/claude.sh", import.meta.url).pathname,
    );
    const steps = `for n in 1 2 3 4 5 6 7 8 9 10 11 12; do
  frame '{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t'$n'","name":"Tool'$n'","input":{}}]},"session_id":"s"}'
  sleep 0.5
  frame '{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t'$n'","content":"x"}]},"session_id":"s"}'
done`;
    await Deno.writeTextFile(
      executable,
      `#!/bin/sh\n. "${lib}"\ninit\n${steps}\nresult done\n`,
      { mode: 0o755 },
    );
    await using connection = await connect(executable);
    const { client, errors } = connection;
    const heard: { progress: number; message: string }[] = [];
    const call = (resetTimeoutOnProgress: boolean) =>
      client.callTool({ name: "claude.run", arguments: { prompt: "hi" } }, undefined, {
        timeout: 4_000,
        resetTimeoutOnProgress,
        onprogress: ({ progress, message }) => heard.push({ progress, message: String(message) }),
      });
    assertEquals(valueOf(await call(true)).result, "done");
    assert(heard.every(({ progress }, i) => i === 0 || progress > heard[i - 1]!.progress));
    const tools = heard.flatMap(({ message }) => /^running (Tool\d+) for/.exec(message)?.[1] ?? []);
    assert(new Set(tools).size >= 3, `several activities in ${JSON.stringify(heard)}`);
    // Without it the same call is given up, and that ends its run.
    await assertRejects(() => call(false), Error, "timed out");
    const runs = valueOf(await client.callTool({ name: "claude.run.list", arguments: {} })).runs;
    const last = (runs as { run_id: string }[]).at(-1)!.run_id;
    const ended = await client.callTool({
      name: "claude.run.result",
      arguments: { run_id: last, wait_seconds: 20 },
    });
    assertEquals(valueOf(ended).state, "cancelled");
    assertEquals(errors, []);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("an aborted call cancels its run with every process of it, and the connection goes on", async () => {
  await using connection = await fake("slow");
  const { client, errors } = connection;
  const controller = new AbortController();
  const started = Promise.withResolvers<void>();
  const pending = client.callTool(
    { name: "claude.run", arguments: { prompt: "stay" } },
    undefined,
    {
      signal: controller.signal,
      onprogress: ({ message }) => {
        if (message?.startsWith("waiting for the model")) started.resolve();
      },
    },
  );
  const caught = assertRejects(() => pending);
  await started.promise;
  const { runs } = valueOf(await client.callTool({ name: "claude.run.list", arguments: {} }));
  const [{ run_id } = { run_id: "" }] = runs as { run_id: string }[];
  assert((await markedWith(run_id)).length > 0);
  controller.abort("enough");
  await caught;
  const value = valueOf(
    await client.callTool({ name: "claude.run.result", arguments: { run_id, wait_seconds: 20 } }),
  );
  assertEquals([value.state, value.cleanup_confirmed], ["cancelled", true]);
  await until(async () => (await markedWith(run_id)).length === 0, {
    what: "no process of the run",
  });
  assertEquals(errors, []);
});
