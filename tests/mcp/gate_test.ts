import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { encodeUtf8 } from "../../src/base/json.ts";
import { Gate, type GateStep } from "../../src/mcp/gate.ts";

const INITIALIZE = {
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: { protocolVersion: "2025-06-18" },
};

function take(gate: Gate, message: object | string): GateStep {
  return gate.take(encodeUtf8(typeof message === "string" ? message : JSON.stringify(message)));
}

/** A step in short: `deliver`, `ignore`, `result`, or the error's code and id. */
function show(step: GateStep): string {
  if (step.kind !== "answer") return step.kind;
  return "error" in step.answer
    ? `${step.answer.error.code} ${JSON.stringify(step.answer.id)}`
    : `result ${JSON.stringify(step.answer.id)}`;
}

function request(id: unknown, method: string, params?: unknown): object {
  return { jsonrpc: "2.0", id, method, ...(params !== undefined && { params }) };
}

function readyGate(): Gate {
  const gate = new Gate();
  assertEquals(show(take(gate, INITIALIZE)), "deliver");
  assert(gate.finish(0));
  return gate;
}

Deno.test("before initialize only initialize and ping are answered", () => {
  const gate = new Gate();
  for (const method of ["tools/list", "tools/call", "resources/list", "resources/read", "nope"]) {
    assertEquals(show(take(gate, request(1, method))), "-32002 1", method);
  }
  assertEquals(show(take(gate, request(1, "tools/list", []))), "-32002 1");
  assertEquals(show(take(gate, request("p", "ping"))), `result "p"`);
  assertEquals(show(take(gate, "{")), "-32700 null");
  const initialized = { jsonrpc: "2.0", method: "notifications/initialized" };
  assertEquals(show(take(gate, initialized)), "ignore");
  assertEquals(show(take(gate, INITIALIZE)), "deliver");
  assertEquals(show(take(gate, initialized)), "deliver");
  assertEquals(show(take(gate, request(1, "tools/list"))), "deliver");
});

Deno.test("a second initialize is refused, also while the first is in flight", () => {
  const gate = new Gate();
  take(gate, INITIALIZE);
  assertEquals(show(take(gate, { ...INITIALIZE, id: 9 })), "-32600 9");
  gate.finish(0);
  assertEquals(show(take(gate, INITIALIZE)), "-32600 0");
});

Deno.test("each rule of a ready connection answers with its code", () => {
  const cases: [object, string][] = [
    [request(1, "tools/call"), "deliver"],
    [request("1", "tools/call", {}), "deliver"],
    [request(2, "ping"), "result 2"],
    [request(2, "ping", []), "-32602 2"],
    [request(3, "logging/setLevel", {}), "-32601 3"],
    [request(3, "completion/complete", {}), "-32601 3"],
    [request(3, "tasks/list", {}), "-32601 3"],
    [request(3, "prompts/list", {}), "-32601 3"],
    [request(3, "resources/templates/list"), "-32601 3"],
    [request(3, "notifications/initialized"), "-32601 3"],
    [request(3, "__proto__"), "-32601 3"],
    [request(3, "nope", []), "-32601 3"],
    [request(3, "tools/list", []), "-32602 3"],
    [request(3, "tools/list", "x"), "-32602 3"],
    [request(3, "tools/list", null), "-32602 3"],
    [request(3, "tools/list", { _meta: 5 }), "-32602 3"],
    [request(3, "tools/list", { _meta: [] }), "-32602 3"],
    [request(3, "tools/list", { _meta: null }), "-32602 3"],
    [request(3, "tools/list", { _meta: { progressToken: 1.5 } }), "-32602 3"],
    [request(3, "tools/list", { _meta: { progressToken: null } }), "-32602 3"],
    [request(3, "tools/list", { _meta: { progressToken: 0 } }), "deliver"],
  ];
  const gate = readyGate();
  for (const [message, expected] of cases) {
    assertEquals(show(take(gate, message)), expected, JSON.stringify(message));
  }
});

Deno.test("an active id cannot be taken again, not even by ping, and is free when its request is done", () => {
  const gate = readyGate();
  take(gate, request(7, "tools/call"));
  assertEquals(show(take(gate, request(7, "tools/list"))), "-32600 7");
  assertEquals(show(take(gate, request(7, "ping"))), "-32600 7");
  assertEquals(show(take(gate, request("7", "ping"))), `result "7"`, "another type, another id");
  assertEquals(show(take(gate, request(8, "ping"))), "result 8");
  assert(gate.finish(7));
  assertEquals(show(take(gate, request(7, "ping"))), "result 7");
  assert(!gate.finish(7), "nothing is active under it");
});

Deno.test("the 17th request in flight is refused, a ping is not, and there is room again after an answer", () => {
  const gate = readyGate();
  for (let id = 0; id < 16; id++) {
    assertEquals(show(take(gate, request(id, "tools/call"))), "deliver");
  }
  const refused = take(gate, request(16, "tools/list"));
  assertEquals(show(refused), "-32000 16");
  assert(refused.kind === "answer" && "error" in refused.answer);
  assertStringIncludes(refused.answer.error.message, "16");
  assertEquals(show(take(gate, request("alive", "ping"))), `result "alive"`);
  assertEquals(gate.inFlight, 16);
  gate.finish(3);
  assertEquals(show(take(gate, request(16, "tools/list"))), "deliver");
});

Deno.test("a cancelled request keeps its id until it is done and is not answered", () => {
  for (const id of [0, 7, "x"]) {
    const gate = readyGate();
    take(gate, request(id, "tools/call"));
    const signal = gate.signal(id);
    assertEquals(signal.aborted, false);
    const cancelled = { jsonrpc: "2.0", method: "notifications/cancelled" };
    assertEquals(show(take(gate, { ...cancelled, params: { requestId: id } })), "ignore");
    assertEquals(signal.aborted, true);
    assertEquals(gate.isLive(id), false);
    assertEquals(show(take(gate, request(id, "ping"))), `-32600 ${JSON.stringify(id)}`);
    assertEquals(gate.finish(id), false, "no answer after a cancellation");
    assertEquals(show(take(gate, request(id, "ping"))), `result ${JSON.stringify(id)}`);
  }
});

Deno.test("cancellations of initialize, of unknown ids and of ids of another type do nothing", () => {
  const gate = new Gate();
  take(gate, INITIALIZE);
  const cancel = (params: unknown) =>
    show(take(gate, { jsonrpc: "2.0", method: "notifications/cancelled", params }));
  assertEquals(cancel({ requestId: 0 }), "ignore");
  assert(gate.finish(0), "initialize is answered");
  take(gate, request(7, "tools/call"));
  for (
    const params of [{ requestId: "7" }, { requestId: 8 }, { requestId: [7] }, {}, null, 7, "7"]
  ) {
    assertEquals(cancel(params), "ignore");
  }
  assert(gate.finish(7));
});

Deno.test("notifications and responses are never answered, however malformed", () => {
  const gate = readyGate();
  const lines = [
    { jsonrpc: "2.0", method: "notifications/cancelled", params: "x" },
    { jsonrpc: "2.0", method: "notifications/progress", params: { progressToken: 1, progress: 1 } },
    { jsonrpc: "2.0", method: "notifications/roots/list_changed" },
    { jsonrpc: "2.0", method: "tools/call", params: { name: "claude.run.list" } },
    { jsonrpc: "2.0", method: "nope", params: 5 },
    { jsonrpc: "2.0", method: "initialize" },
    { jsonrpc: "2.0", id: 1, result: {} },
    { jsonrpc: "2.0", id: 1, error: "x" },
  ];
  for (const line of lines) assertEquals(show(take(gate, line)), "ignore", JSON.stringify(line));
});

Deno.test("a closing gate refuses new requests and still answers ping", () => {
  const gate = readyGate();
  take(gate, request(1, "tools/call"));
  gate.close();
  assertEquals(show(take(gate, request(2, "tools/call"))), "-32000 2");
  assertEquals(show(take(gate, request(3, "ping"))), "result 3");
  gate.abortAll();
  assertEquals(gate.signal(1).aborted, true);
  assert(gate.finish(1), "what was in flight is still answered");
});

Deno.test("what is delivered holds only what the SDK understands", () => {
  const gate = readyGate();
  const step = take(gate, {
    ...request(1, "tools/call", {
      name: "claude.run.list",
      task: { ttl: 1 },
      _meta: { progressToken: "t", "io.modelcontextprotocol/related-task": 5, other: 1 },
    }),
    trace: "x",
  });
  assert(step.kind === "deliver");
  assertEquals(step.message, {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "claude.run.list", _meta: { progressToken: "t", other: 1 } },
  });
});
