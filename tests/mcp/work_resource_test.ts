import { assert, assertEquals } from "@std/assert";
import { AdapterError } from "../../src/base/errors.ts";
import { isObject } from "../../src/base/json.ts";
import { runId } from "./fake_engine.ts";
import { Peer } from "./peer.ts";

const URI = "computer-mcp://runtime/work/v1";

Deno.test("resources/list has the work resource and nothing else", async () => {
  await using peer = await Peer.ready();
  const { result } = await peer.request(1, "resources/list");
  assert(isObject(result) && Array.isArray(result.resources));
  assertEquals(result.resources.length, 1);
  const [resource] = result.resources;
  assert(isObject(resource));
  assertEquals([resource.uri, resource.mimeType], [URI, "application/json"]);
});

Deno.test("resources/read gives the snapshot as one JSON text", async () => {
  await using peer = await Peer.ready();
  const invocation = "abcdef00-1234-4000-8000-00000000000f";
  const meta = { "io.github.computer-mcp/work-invocation": invocation };
  await peer.call(1, "claude.run.start", { prompt: "x" }, meta);
  await peer.next();
  const { result } = await peer.request(2, "resources/read", { uri: URI });
  assert(isObject(result) && Array.isArray(result.contents));
  assertEquals(result.contents.length, 1);
  const [content] = result.contents;
  assert(isObject(content));
  assertEquals([content.uri, content.mimeType], [URI, "application/json"]);
  assertEquals(JSON.parse(String(content.text)), {
    format_version: 1,
    instance_id: runId(999),
    revision: 1,
    resources: [{ kind: "claude.run", id: runId(1), acquired_by: invocation, state: "active" }],
  });
});

Deno.test("an unknown resource is -32602, a snapshot that cannot be given -32000", async () => {
  await using peer = await Peer.ready();
  for (const uri of ["computer-mcp://runtime/work/v2", "", 5, null, undefined, URI + "/"]) {
    const { error } = await peer.request(1, "resources/read", { uri });
    assert(isObject(error) && error.code === -32602, String(uri));
  }
  peer.engine.workFault = new AdapterError("work_unavailable", "1 run is unbound");
  const { error } = await peer.request(1, "resources/read", { uri: URI });
  assert(isObject(error));
  assertEquals(error, { code: -32000, message: "work_unavailable: 1 run is unbound" });
});

Deno.test("a snapshot past its bounds is -32000", async () => {
  await using peer = await Peer.ready();
  const row = { kind: "claude.run", id: "x", acquired_by: "y", state: "active" } as const;
  const bounds: [number, string][] = [[1_025, "x"], [1_024, "x".repeat(512)]];
  for (const [count, id] of bounds) {
    const resources = Array.from({ length: count }, () => ({ ...row, id }));
    peer.engine.work = () => ({ format_version: 1, instance_id: "x", revision: 1, resources });
    const { error } = await peer.request(1, "resources/read", { uri: URI });
    assert(isObject(error) && error.code === -32000);
  }
  const resources = Array.from({ length: 1_024 }, () => row);
  peer.engine.work = () => ({ format_version: 1, instance_id: "x", revision: 1, resources });
  assert(isObject((await peer.request(1, "resources/read", { uri: URI })).result));
});

Deno.test("an unexpected fault in a snapshot is -32603 without its details", async () => {
  await using peer = await Peer.ready();
  peer.engine.work = () => {
    throw new Error("secret /home/x");
  };
  const { error } = await peer.request(1, "resources/read", { uri: URI });
  assert(isObject(error) && error.code === -32603 && !String(error.message).includes("secret"));
  assert(peer.logged.some((line) => line.includes("secret")));
});
