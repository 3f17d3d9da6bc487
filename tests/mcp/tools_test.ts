import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { AdapterError } from "../../src/base/errors.ts";
import { isObject, type JsonObject } from "../../src/base/json.ts";
import { PROGRESS_INTERVAL_MS } from "../../src/base/limits.ts";
import { runId } from "./fake_engine.ts";
import { Peer } from "./peer.ts";

const RUN = { prompt: "hi" };
const INVOCATION = "io.github.computer-mcp/work-invocation";

/** The tool result in an answer: its value, whether it is an error, and its text. */
function read(answer: JsonObject): { value: JsonObject; isError: unknown; text: string } {
  assert(isObject(answer.result), JSON.stringify(answer));
  const { structuredContent, isError, content } = answer.result;
  assert(isObject(structuredContent) && isObject(structuredContent.result));
  assert(Array.isArray(content) && isObject(content[0]) && content.length === 1);
  return { value: structuredContent.result, isError, text: String(content[0].text) };
}

async function call(peer: Peer, name: string, args?: object, meta?: object) {
  await peer.call("call", name, args, meta);
  const answer = await peer.next();
  assertEquals(answer.id, "call");
  return read(answer);
}

function errorCode(value: JsonObject): unknown {
  return isObject(value.error) ? value.error.code : undefined;
}

Deno.test("tools/list gives the seven tools in order with everything a host needs", async () => {
  await using peer = await Peer.ready();
  const { result } = await peer.request(1, "tools/list", {});
  assert(isObject(result) && Array.isArray(result.tools));
  assertEquals(Object.keys(result), ["tools"], "one page");
  const risks: Record<string, string> = {
    "claude.run": "full-shell",
    "claude.run.start": "full-shell",
    "claude.run.list": "read-only",
    "claude.run.result": "read-only",
    "claude.run.events": "read-only",
    "claude.run.cancel": "destructive",
    "claude.run.release": "destructive",
  };
  assertEquals(result.tools.map((tool) => isObject(tool) && tool.name), Object.keys(risks));
  for (const tool of result.tools) {
    assert(isObject(tool));
    const name = String(tool.name);
    const isReadOnly = risks[name] === "read-only";
    assertEquals<unknown>(tool.annotations, {
      title: tool.title,
      readOnlyHint: isReadOnly,
      destructiveHint: !isReadOnly,
      idempotentHint: isReadOnly,
      openWorldHint: !isReadOnly,
    });
    const continuation = {
      format_version: 1,
      selectors: [{ kind: "claude.run", handles: { id: "/run_id" } }],
    };
    const continues = ["result", "events", "cancel", "release"].some((verb) => name.endsWith(verb));
    assertEquals<unknown>(tool._meta, {
      "io.github.computer-mcp/risk": risks[name],
      "io.github.computer-mcp/work": { format_version: 1, uri: "computer-mcp://runtime/work/v1" },
      ...(continues && { "io.github.computer-mcp/continuation": continuation }),
    });
    assert(isObject(tool.inputSchema) && tool.inputSchema.type === "object");
    assertEquals(tool.inputSchema.additionalProperties, false, name);
    assert(isObject(tool.outputSchema) && tool.outputSchema.type === "object");
    assert(String(tool.title).length > 5 && String(tool.description).length > 100, name);
  }
});

Deno.test("tools/list and resources/list have one page, so any cursor is invalid", async () => {
  await using peer = await Peer.ready();
  for (const method of ["tools/list", "resources/list"]) {
    const { error } = await peer.request(1, method, { cursor: "x" });
    assert(isObject(error) && error.code === -32602);
  }
});

Deno.test("an unknown tool, a missing name and a bad invocation are -32602 and start nothing", async () => {
  await using peer = await Peer.ready();
  const bad: JsonObject[] = [
    { name: "claude.run.nope", arguments: RUN },
    { name: "__proto__", arguments: RUN },
    { name: 5, arguments: RUN },
    { arguments: RUN },
    ...["x", "", 5, null, {}, [], `{${runId(1)}}`, `urn:uuid:${runId(1)}`, `${runId(1)} `].map((
      id,
    ) => ({
      name: "claude.run.start",
      arguments: RUN,
      _meta: { [INVOCATION]: id },
    })),
  ];
  for (const params of bad) {
    const { error } = await peer.request(1, "tools/call", params);
    assert(isObject(error), JSON.stringify(params));
    assertEquals(error.code, -32602, JSON.stringify(params));
  }
  assertEquals(peer.engine.runs.size, 0);
});

Deno.test("invalid arguments are a tool error that names the argument, and start nothing", async () => {
  await using peer = await Peer.ready();
  const bad: [string, object | undefined, string][] = [
    ["claude.run", undefined, "prompt"],
    ["claude.run", { prompt: "" }, "prompt"],
    ["claude.run", { prompt: "a\u0000b" }, "prompt"],
    ["claude.run.start", { prompt: "x", permission_mode: "bypassPermissions" }, "permission_mode"],
    ["claude.run.start", { prompt: "x", timeout_seconds: 1801 }, "timeout_seconds"],
    ["claude.run.start", { prompt: "x", surprise: 1 }, "surprise"],
    ["claude.run.start", [], "object"],
    ["claude.run.list", { run_id: "x" }, "run_id"],
    ["claude.run.result", {}, "run_id"],
    ["claude.run.result", { run_id: "x", wait_seconds: 51 }, "wait_seconds"],
    ["claude.run.events", { run_id: "x", limit: 0 }, "limit"],
    ["claude.run.events", { run_id: "x", max_bytes: 1023 }, "max_bytes"],
    ["claude.run.cancel", { run_id: 5 }, "run_id"],
    ["claude.run.release", {}, "run_id"],
  ];
  for (const [name, args, named] of bad) {
    const { value, isError, text } = await call(peer, name, args);
    assertEquals(isError, true);
    assertEquals(value.is_error, true);
    assertEquals(errorCode(value), "invalid_arguments", name);
    assert(isObject(value.error));
    assertStringIncludes(String(value.error.message), named);
    assertStringIncludes(text, "invalid_arguments");
    assertStringIncludes(text, named);
  }
  assertEquals(peer.engine.runs.size, 0);
});

Deno.test("arguments that are null count as none", async () => {
  await using peer = await Peer.ready();
  await peer.send({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "claude.run.list", arguments: null },
  });
  assertEquals(read(await peer.next()).value, { runs: [] });
});

Deno.test("an unknown run is a tool error in every tool that takes a run", async () => {
  await using peer = await Peer.ready();
  for (const verb of ["result", "events", "cancel", "release"]) {
    const { value, isError, text } = await call(peer, `claude.run.${verb}`, { run_id: "nope" });
    assertEquals([isError, errorCode(value)], [true, "unknown_run"]);
    assertStringIncludes(text, "claude.run.list");
  }
});

Deno.test("start returns at once, and its invocation is kept in lower case", async () => {
  await using peer = await Peer.ready();
  const upper = "ABCDEF00-1234-4000-8000-00000000000F";
  const { value, isError, text } = await call(peer, "claude.run.start", RUN, {
    [INVOCATION]: upper,
  });
  assertEquals(isError, false);
  assertEquals(value.run_id, runId(1));
  assertEquals(value.completed, false);
  assertStringIncludes(text, runId(1));
  assertStringIncludes(text, "claude.run.result");
  const run = peer.engine.run(runId(1));
  assertEquals(run.acquiredBy, upper.toLowerCase());
  assertEquals(run.args.permission_mode, "dontAsk");
  await call(peer, "claude.run.start", RUN);
  assertEquals(peer.engine.run(runId(2)).acquiredBy, null);
});

Deno.test("run waits for the end and returns the whole value", async () => {
  await using peer = await Peer.ready();
  await peer.call(1, "claude.run", RUN);
  await peer.engine.started(1);
  assertEquals((await peer.request(2, "ping")).result, {});
  peer.engine.settle(runId(1), { result: "the answer" });
  const { value, isError, text } = read(await peer.next());
  assertEquals(isError, false);
  assertEquals(value.result, "the answer");
  assertEquals(value.completed, true);
  assertStringIncludes(text, "the answer");
});

Deno.test("a failed run is a tool error with its value, in run and in result", async () => {
  await using peer = await Peer.ready();
  await peer.call(1, "claude.run", RUN);
  await peer.engine.started(1);
  peer.engine.settle(runId(1), {
    state: "failed",
    is_error: true,
    result: null,
    error: { code: "timeout", message: "The deadline of 600 s passed" },
  });
  for (
    const answer of [
      read(await peer.next()),
      await call(peer, "claude.run.result", { run_id: runId(1) }),
    ]
  ) {
    assertEquals(answer.isError, true);
    assertEquals(errorCode(answer.value), "timeout");
    assertEquals(answer.value.run_id, runId(1));
    assertStringIncludes(answer.text, "timeout_seconds");
  }
});

Deno.test("a start that the engine refuses is a tool error with its code", async () => {
  await using peer = await Peer.ready();
  for (const code of ["capacity", "invalid_configuration", "session_busy"] as const) {
    for (const name of ["claude.run", "claude.run.start"]) {
      peer.engine.startFault = new AdapterError(code, "because");
      const { value, isError } = await call(peer, name, RUN);
      assertEquals([isError, value], [true, {
        is_error: true,
        error: { code, message: "because" },
      }]);
    }
  }
});

Deno.test("an unexpected fault is internal_error without its details, which go to the log", async () => {
  await using peer = await Peer.ready();
  peer.engine.list = () => {
    throw new TypeError("secret at /home/someone/file.ts");
  };
  const { value, text } = await call(peer, "claude.run.list");
  assertEquals(errorCode(value), "internal_error");
  assert(!JSON.stringify(value).includes("secret") && !text.includes("/home"));
  assert(peer.logged.some((line) => line.includes("secret")));
});

Deno.test("cancelling the call cancels its run, sends nothing late and frees the id", async () => {
  for (const id of [0, 5, "abc"]) {
    await using peer = await Peer.ready();
    peer.engine.settlesOnCancel = false;
    await peer.call(id, "claude.run", RUN);
    await peer.call("other", "claude.run", RUN);
    await peer.engine.started(2);
    const params = { requestId: id, reason: "no longer needed" };
    await peer.send({ jsonrpc: "2.0", method: "notifications/cancelled", params });
    assertEquals((await peer.request("p", "ping")).result, {});
    assertEquals(peer.engine.run(runId(1)).cancels, 1);
    assertEquals(peer.engine.run(runId(2)).cancels, 0);
    const reused = await peer.request(id, "ping");
    assert(isObject(reused.error) && reused.error.code === -32600, "active until its run is gone");
    peer.engine.settle(runId(1), { state: "cancelled", is_error: true });
    assertEquals((await peer.request("q", "tools/list")).id, "q");
    assertEquals((await peer.request(id, "ping")).result, {}, "free, and nothing came late");
    peer.engine.settle(runId(2));
    assertEquals((await peer.next()).id, "other");
  }
});

Deno.test("a call cancelled before its run is started stops that run too", async () => {
  await using peer = await Peer.ready();
  const lines = [
    { id: 1, method: "tools/call", params: { name: "claude.run", arguments: RUN } },
    { method: "notifications/cancelled", params: { requestId: 1 } },
    { id: 2, method: "ping" },
  ].map((message) => JSON.stringify({ jsonrpc: "2.0", ...message }));
  await peer.send(lines.join("\n"));
  assertEquals((await peer.next()).id, 2);
  const run = await peer.engine.started(1);
  await peer.request(3, "tools/list");
  assertEquals(run.info.state, "cancelled");
});

Deno.test("a run released while its call waits ends the call with unknown_run", async () => {
  await using peer = await Peer.ready();
  await peer.call(1, "claude.run", RUN);
  await peer.engine.started(1);
  const run = peer.engine.run(runId(1));
  peer.engine.runs.delete(runId(1));
  for (const wake of run.watchers.splice(0)) wake();
  run.info = { ...run.info, completed: true };
  const { value } = read(await peer.next());
  assertEquals(errorCode(value), "unknown_run");
});

Deno.test("result waits for the end, and returns a live run when the waiting is cancelled", async () => {
  await using peer = await Peer.ready();
  await call(peer, "claude.run.start", RUN);
  const now = await call(peer, "claude.run.result", { run_id: runId(1) });
  assertEquals([now.isError, now.value.completed], [false, false]);
  assertStringIncludes(now.text, "thinking for 3 s");

  await peer.call(1, "claude.run.result", { run_id: runId(1), wait_seconds: 50 });
  await peer.call(2, "claude.run.result", { run_id: runId(1), wait_seconds: 50 });
  await peer.send({
    jsonrpc: "2.0",
    method: "notifications/cancelled",
    params: { requestId: 1 },
  });
  assertEquals((await peer.request(3, "ping")).result, {});
  assertEquals(peer.engine.run(runId(1)).cancels, 0, "only the waiting is cancelled");
  peer.engine.settle(runId(1), { result: "done" });
  const answer = await peer.next();
  assertEquals(answer.id, 2);
  assertEquals(read(answer).value.result, "done");
});

Deno.test("events pages, waits for a newer event, and refuses a cursor from the future at once", async () => {
  await using peer = await Peer.ready();
  await call(peer, "claude.run.start", RUN);
  for (let i = 1; i <= 3; i++) peer.engine.emit(runId(1), { type: "assistant", n: i });
  const page = await call(peer, "claude.run.events", { run_id: runId(1), limit: 2 });
  assertEquals(page.value.next_cursor, 2);
  assertEquals(page.value.has_more, true);
  assertStringIncludes(page.text, "2 assistant");
  assert(!page.text.includes(`"n"`), "no events in the text");

  const future = { run_id: runId(1), after_cursor: 4, wait_seconds: 50 };
  assertEquals(errorCode((await call(peer, "claude.run.events", future)).value), "invalid_cursor");

  await peer.call(1, "claude.run.events", { run_id: runId(1), after_cursor: 3, wait_seconds: 50 });
  assertEquals((await peer.request(2, "ping")).result, {});
  peer.engine.emit(runId(1), { type: "user" });
  const { value } = read(await peer.next());
  assertEquals(value.events, [{ cursor: 4, event: { type: "user" } }]);
});

Deno.test("cancel and release say what they did", async () => {
  await using peer = await Peer.ready();
  peer.engine.settlesOnCancel = false;
  await call(peer, "claude.run.start", RUN);
  const active = await call(peer, "claude.run.release", { run_id: runId(1) });
  assertEquals([active.isError, errorCode(active.value)], [true, "run_active"]);
  const cancelled = await call(peer, "claude.run.cancel", { run_id: runId(1) });
  assertEquals([cancelled.isError, cancelled.value.cancel_requested], [false, true]);
  peer.engine.settle(runId(1));
  const late = await call(peer, "claude.run.cancel", { run_id: runId(1) });
  assertEquals(late.value.cancel_requested, false);
  const released = await call(peer, "claude.run.release", { run_id: runId(1) });
  assertEquals(released.value, { run_id: runId(1), released: true });
  assertStringIncludes(released.text, runId(1));
});

Deno.test("a waiting call reports progress that grows, only when a token was given, and never after its end", async () => {
  for (const token of ["t", 7, 0]) {
    await using peer = await Peer.ready();
    await peer.call(1, "claude.run", RUN, { progressToken: token });
    await peer.engine.started(1);
    let last = -1;
    for (let beat = 0; beat < 4; beat++) {
      if (beat > 0) await peer.clock.tick(PROGRESS_INTERVAL_MS);
      const { method, params } = await peer.next();
      assertEquals(method, "notifications/progress");
      assert(isObject(params));
      assertEquals(params.progressToken, token);
      assertEquals(params.message, "thinking for 3 s");
      assert(Number(params.progress) > last);
      last = Number(params.progress);
    }
    peer.engine.settle(runId(1));
    assertEquals((await peer.next()).id, 1);
    await peer.clock.tick(10 * PROGRESS_INTERVAL_MS);
    assertEquals((await peer.request(2, "ping")).id, 2, "nothing came after the answer");
    await peer.clock.tick(0);
    assertEquals(peer.clock.pending, 0);
  }
  await using silent = await Peer.ready();
  await silent.call(1, "claude.run.start", RUN);
  await silent.next();
  await silent.call(2, "claude.run.result", { run_id: runId(1), wait_seconds: 50 });
  await silent.request(3, "ping");
  await silent.clock.tick(PROGRESS_INTERVAL_MS * 4);
  assertEquals((await silent.request(4, "ping")).id, 4);
});
