import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { isObject } from "../../src/base/json.ts";
import { Peer } from "./peer.ts";

Deno.test("initialize answers each implemented date with itself and any other with the newest", async () => {
  const proposals: [string, string][] = [
    ["2024-11-05", "2024-11-05"],
    ["2025-03-26", "2025-03-26"],
    ["2025-06-18", "2025-06-18"],
    ["2025-11-25", "2025-06-18"],
    ["2024-10-07", "2025-06-18"],
    ["DRAFT-2026-v1", "2025-06-18"],
    ["", "2025-06-18"],
  ];
  for (const [proposed, expected] of proposals) {
    await using peer = new Peer();
    const { result } = await peer.initialize(proposed);
    assert(isObject(result));
    assertEquals(result.protocolVersion, expected, proposed);
  }
});

Deno.test("initialize announces exactly what the server does", async () => {
  await using peer = new Peer();
  const { result } = await peer.initialize();
  assert(isObject(result));
  assertEquals(result.capabilities, {
    tools: { listChanged: false },
    resources: { subscribe: false, listChanged: false },
  });
  assertEquals(result.serverInfo, {
    name: "claude-code-adapter",
    title: "Claude Code adapter",
    version: "0.0.0-test",
  });
  assertStringIncludes(String(result.instructions), "claude.run.start");
});

Deno.test("initialize with parameters that name no date is refused and can be tried again", async () => {
  await using peer = new Peer();
  for (const params of [undefined, {}, { protocolVersion: 20250618 }, { protocolVersion: null }]) {
    const { error } = await peer.request(1, "initialize", params);
    assert(isObject(error));
    assertEquals(error.code, -32602);
    assertStringIncludes(String(error.message), "protocolVersion");
  }
  assert(isObject((await peer.initialize()).result));
});

Deno.test("requests sent together with initialize, as a script does, are answered", async () => {
  await using peer = new Peer();
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: {} };
  const lines = [
    { jsonrpc: "2.0", id: 1, method: "initialize", params },
    { jsonrpc: "2.0", method: "notifications/initialized" },
    ...Array.from({ length: 30 }, (_, i) => ({ jsonrpc: "2.0", id: i + 2, method: "tools/list" })),
  ].map((message) => JSON.stringify(message) + "\n");
  await peer.send(new TextEncoder().encode(lines.join("")));
  for (let id = 1; id <= 31; id++) {
    const answer = await peer.next();
    assertEquals(answer.id, id);
    assert(isObject(answer.result), JSON.stringify(answer));
  }
});
