import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { isObject } from "../../src/base/json.ts";
import { fakeClaude } from "../helpers/fake_claude.ts";
import { McpClient } from "../helpers/mcp_client.ts";
import { markedWith, until } from "../helpers/processes.ts";
import { sourceTest } from "../helpers/program.ts";
import {
  assertNothingLeft,
  cleanEnv,
  connect,
  INITIALIZE,
  parseMessages,
  readMessages,
  startRaw,
  startRuns,
} from "./adapter.ts";

Deno.test("a run over real stdio returns its answer, and the end of input ends the program with 0", async () => {
  await using client = await connect("ok");
  const { isError, value, text } = await client.callTool("claude.run", { prompt: "hi" });
  assertEquals(isError, false, text);
  assertEquals(value.result, "hello");
  assertEquals(value.cleanup_confirmed, true);
  assertStringIncludes(text, "hello");
  assertEquals(await client.close(), 0);
  await assertNothingLeft(client, [value.run_id]);
});

Deno.test("malformed lines are answered and the connection goes on", async () => {
  await using adapter = startRaw({ behaviour: "ok" });
  const { child, send, stdin } = adapter;
  await send(INITIALIZE);
  await send("{");
  await stdin.write(Uint8Array.of(0x7b, 0xff, 0x7d, 0x0a));
  await send("[]");
  await send({ id: "x".repeat(257), method: "ping" });
  await send({ id: 1, method: "nope" });
  await send({ id: 2, method: "tools/call", params: [] });
  await send({ id: 3, method: "ping" });
  await stdin.close();
  const messages = await readMessages(child.stdout);
  const codes = messages.map(({ id, error }) => [id, isObject(error) ? error.code : "result"]);
  assertEquals(codes.filter(([id]) => id === null), [
    [null, -32700],
    [null, -32700],
    [null, -32600],
    [null, -32600],
  ]);
  assertEquals(codes.filter(([id]) => id !== null).sort(), [
    [0, "result"],
    [1, -32601],
    [2, -32602],
    [3, "result"],
  ]);
  assertEquals((await child.status).code, 0);
});

Deno.test("a line past 1 MiB is refused before it ends, and the program ends after clean-up", async () => {
  await using adapter = startRaw({ behaviour: "ok" });
  await adapter.send(INITIALIZE);
  // The pipe closes while the rest is on its way; that is what is wanted.
  void adapter.stdin.write(new Uint8Array(1_100_000).fill(0x20)).catch(() => {});
  const messages = await readMessages(adapter.child.stdout);
  assertEquals(messages.map(({ id }) => id), [0, null]);
  assert(isObject(messages[1]?.error) && messages[1].error.code === -32600);
  assertEquals((await adapter.child.status).code, 0);
});

Deno.test("the end of input cancels active runs, leaves no process and exits 0", async () => {
  await using client = await connect("slow");
  const ids = await startRuns(client, 2);
  const pending = client.callTool("claude.run.result", { run_id: ids[0], wait_seconds: 50 });
  const [code, answer] = await Promise.all([client.close(), pending]);
  assertEquals(code, 0);
  assertEquals([answer.value.state, answer.value.error.code], ["cancelled", "cancelled"]);
  await assertNothingLeft(client, ids);
});

for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
  Deno.test(`${signal} cancels active runs, leaves no process and exits 0 with stdin still open`, async () => {
    await using client = await connect("slow");
    const ids = await startRuns(client, 1);
    client.kill(signal);
    client.kill(signal); // a second one cuts nothing short
    const { code, signal: by } = await client.ended;
    assertEquals([code, by], [0, null]);
    await assertNothingLeft(client, ids);
    await client.close();
  });
}

Deno.test("a host that closes our stdout ends the program with clean-up and 0", async () => {
  await using adapter = startRaw({ behaviour: "slow" });
  await adapter.send(INITIALIZE);
  const params = { name: "claude.run.start", arguments: { prompt: "stay" } };
  await adapter.send({ id: 1, method: "tools/call", params });
  const reader = adapter.child.stdout.getReader();
  let text = "";
  while (!text.includes('"run_id"')) {
    const { value } = await reader.read();
    text += new TextDecoder().decode(value);
  }
  const id = /"run_id":"([^"]+)"/.exec(text)?.[1] ?? "";
  await until(async () => (await markedWith(id)).length > 0, { what: "a process of the run" });
  await reader.cancel();
  await adapter.send({ id: 2, method: "ping" });
  assertEquals((await adapter.child.status).code, 0);
  assertEquals(await markedWith(id), []);
});

Deno.test("a host that stops reading is given 5 seconds, then the program ends with clean-up and 0", async () => {
  await using adapter = startRaw({ behaviour: "ok" });
  await adapter.send(INITIALIZE);
  // More answers than a pipe holds; nobody reads them.
  for (let id = 1; id <= 100; id++) {
    await adapter.send({ id, method: "tools/list" }).catch(() => {});
  }
  assertEquals((await adapter.child.status).code, 0);
});

sourceTest("console output of any kind goes to stderr", async () => {
  const entry = decodeURIComponent(new URL("./noisy_entry.ts", import.meta.url).pathname);
  await using adapter = startRaw({ behaviour: "ok", entry });
  const { child, send, stdin } = adapter;
  await send(INITIALIZE);
  const params = { name: "claude.run", arguments: { prompt: "hi" } };
  await send({ id: 1, method: "tools/call", params });
  const stderr = new Response(child.stderr).text();
  const decoder = new TextDecoder();
  const seen: string[] = [];
  for await (const bytes of child.stdout) {
    seen.push(decoder.decode(bytes, { stream: true }));
    if (seen.join("").includes('"id":1}')) await stdin.close().catch(() => {});
  }
  assertEquals(parseMessages(seen.join("")).map(({ id }) => id), [0, 1]);
  assertStringIncludes(await stderr, 'noise {"n":1}');
  assertEquals((await child.status).code, 0);
});

Deno.test("a relative executable lets a host list the tools, and every run says invalid_configuration", async () => {
  for (const how of ["flag", "variable"]) {
    await using client = await McpClient.connect({
      cwd: Deno.cwd(),
      env: cleanEnv(how === "variable" ? { CLAUDE_CODE_EXECUTABLE: "bin/claude" } : {}),
      args: how === "flag" ? ["serve", "--executable", "bin/claude"] : ["serve"],
    });
    assertEquals((await client.request("tools/list")).tools.length, 7);
    for (const name of ["claude.run", "claude.run.start"]) {
      const { isError, value } = await client.callTool(name, { prompt: "hi" });
      assertEquals([isError, value.error.code], [true, "invalid_configuration"]);
    }
    assertEquals((await client.callTool("claude.run.list")).value.runs, []);
    assertEquals(await client.close(), 0);
    assertStringIncludes(client.stderr, "absolute");
  }
});

Deno.test("a cancelled call stops its own run only, and the connection goes on", async () => {
  await using client = await connect("slow");
  const [other = ""] = await startRuns(client, 1);
  const controller = new AbortController();
  const args = { prompt: "stay", session_id: crypto.randomUUID() };
  const call = client.callTool("claude.run", args, { signal: controller.signal });
  const caught = assertRejects(() => call);
  const listed = async () => (await client.callTool("claude.run.list")).value.runs;
  await until(async () => (await listed()).length === 2, { what: "the second run" });
  controller.abort(new Error("enough"));
  await caught;
  const id = (await listed())[1].run_id;
  const { value } = await client.callTool("claude.run.result", { run_id: id, wait_seconds: 20 });
  assertEquals(value.error.code, "cancelled");
  assertEquals(await markedWith(id), []);
  assertEquals((await listed())[0].state, "running");
  assertEquals(await client.close(), 0);
  await assertNothingLeft(client, [id, other]);
});

Deno.test("--oversized-frames chooses between leaving an event out and failing the run", async () => {
  for (const [choice, isError] of [["skip", false], ["fail", true]] as const) {
    await using client = await connect("oversized_user", `--oversized-frames=${choice}`);
    const answer = await client.callTool("claude.run", { prompt: "hi" });
    assertEquals(answer.isError, isError, answer.text);
    if (isError) assertEquals(answer.value.error.code, "frame_too_large");
    assertEquals(await client.close(), 0);
  }
});

Deno.test("the program serves without the word serve when its input is no terminal", async () => {
  await using client = await McpClient.connect({
    cwd: Deno.cwd(),
    env: cleanEnv({ CLAUDE_CODE_EXECUTABLE: fakeClaude("ok") }),
    args: [],
  });
  assertEquals((await client.callTool("claude.run", { prompt: "hi" })).value.result, "hello");
  assertEquals(await client.close(), 0);
});
