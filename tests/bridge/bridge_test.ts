/** The bridge over real connections: the official client, and strangers. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
// @ts-types="@modelcontextprotocol/sdk/client"
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
// @ts-types="@modelcontextprotocol/sdk/client/streamableHttp"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { Bridge } from "../../src/bridge/bridge.ts";
import { isSame } from "../../src/bridge/door.ts";
import type { LentTool } from "../../src/bridge/lent_tool.ts";
import type { SessionsOptions } from "../../src/bridge/sessions.ts";
import { ToolBench } from "../../src/bridge/tool_bench.ts";
import { systemClock } from "../../src/host/clock.ts";

const log = { write: () => {} };

function open(tools: readonly Partial<LentTool>[], options: Partial<SessionsOptions> = {}): Bridge {
  const bench = new ToolBench(
    tools.map((tool) => ({
      name: "t",
      description: "d",
      inputSchema: { type: "object" },
      handler: () => "ok",
      ...tool,
    })),
    { clock: systemClock },
  );
  return new Bridge({ bench, clock: systemClock, log, ...options });
}

async function connect(bridge: Bridge): Promise<Client> {
  const client = new Client({ name: "test", version: "1" });
  const { url, authorization } = bridge.address;
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { Authorization: authorization } },
  });
  await client.connect(transport as Parameters<Client["connect"]>[0]);
  return client;
}

Deno.test("the official client lists and calls, is told of progress, and a cancel reaches the handler", async () => {
  const cancelled = Promise.withResolvers<void>();
  const [began, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await using bridge = open([
    {
      name: "slow",
      handler: async () => {
        await released.promise;
        return "done";
      },
    },
    {
      name: "endless",
      handler: (_, { signal }) => {
        signal.addEventListener("abort", () => cancelled.resolve());
        began.resolve();
        return new Promise(() => {});
      },
    },
  ], { keepAliveMs: 20 });
  assertEquals(bridge.listed, false);
  const client = await connect(bridge);
  assertEquals((await client.listTools()).tools.map(({ name }) => name), ["slow", "endless"]);
  assertEquals(bridge.listed, true);
  const seen: number[] = [];
  const result = await client.callTool({ name: "slow", arguments: {} }, undefined, {
    onprogress: ({ progress }) => {
      seen.push(progress);
      if (seen.length === 3) released.resolve();
    },
  });
  assertEquals([result.content, seen.slice(0, 3)], [[{ type: "text", text: "done" }], [1, 2, 3]]);
  const stop = new AbortController();
  const call = client.callTool({ name: "endless" }, undefined, { signal: stop.signal });
  const refused = call.catch(() => "refused");
  await began.promise;
  stop.abort();
  await cancelled.promise;
  assertEquals(await refused, "refused");
  await client.close();
});

Deno.test("closing answers the calls that run, then nobody listens any more", async () => {
  const began = Promise.withResolvers<void>();
  const bridge = open([{
    handler: () => {
      began.resolve();
      return new Promise(() => {});
    },
  }]);
  const client = await connect(bridge);
  const call = client.callTool({ name: "t" });
  await began.promise;
  await Promise.all([bridge.close("The turn was cancelled"), bridge.close()]);
  assertEquals((await call).content, [{ type: "text", text: "The turn was cancelled" }]);
  await client.close();
  const again = await fetch(bridge.address.url).then(() => "answered", () => "refused");
  assertEquals(again, "refused");
});

Deno.test("whoever keeps a connection open does not keep the bridge, and does not bring the program down", async () => {
  const bridge = open([{}]);
  const client = await connect(bridge);
  const { host, hostname, port, pathname } = new URL(bridge.address.url);
  const key = `Authorization: ${bridge.address.authorization}\r\n`;
  const head = `POST ${pathname} HTTP/1.1\r\nHost: ${host}\r\n`;
  const beginnings = [
    "",
    head,
    `${head}Content-Length: 9\r\n\r\n{`,
    `${head}${key}Content-Length: 9\r\n\r\n{`,
  ];
  const opened = await Promise.all(beginnings.map(async (text) => {
    const connection = await Deno.connect({ hostname, port: Number(port) });
    await connection.write(new TextEncoder().encode(text));
    return connection;
  }));
  assertEquals((await client.listTools()).tools.length, 1, "it serves all the same");
  await bridge.close();
  for (const connection of opened) {
    const rest = await new Response(connection.readable).text().catch(() => "");
    assert(!rest.includes("200 OK"), rest);
  }
  await client.close();
});

Deno.test("strangers find nothing: wrong hosts, origins, paths, tokens, methods and bodies", async () => {
  await using bridge = open([]);
  const { url, authorization: Authorization } = bridge.address;
  const { origin, pathname, host } = new URL(url);
  const json = { "content-type": "application/json" };
  const initialize = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "x", version: "1" },
    },
  });
  const table: readonly (readonly [string, RequestInit, number])[] = [
    [origin, {}, 404],
    ...["oauth-authorization-server", "oauth-protected-resource", "openid-configuration"].map((
      name,
    ) => [`${origin}/.well-known/${name}`, {}, 404] as const),
    [
      `${origin}/.well-known/oauth-protected-resource${pathname}`,
      { headers: { Authorization } },
      404,
    ],
    [`${origin}/register`, { method: "POST", body: "{}" }, 404],
    [`${url}/`, { headers: { Authorization } }, 404],
    [url, {}, 401],
    [url, { headers: { Authorization: `${Authorization}x` } }, 401],
    [url, { headers: { Authorization: Authorization.slice(0, -1) } }, 401],
    [url, { headers: { Authorization: Authorization.toLowerCase() } }, 401],
    [url, { headers: { Authorization, Origin: "http://evil.example" } }, 403],
    [url, { headers: { Authorization, Origin: origin } }, 403],
    [url, { method: "PUT", headers: { Authorization }, body: "x" }, 405],
    [url, { headers: { Authorization } }, 400],
    [url, { headers: { Authorization, "mcp-session-id": "nobody" } }, 404],
    [url, { method: "POST", headers: { Authorization, ...json }, body: "not json" }, 400],
    [url, { method: "POST", headers: { Authorization, ...json }, body: " ".repeat(5e6) }, 413],
    [url, {
      method: "POST",
      headers: { Authorization, ...json },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "server/discover" }),
    }, 400],
    // Every client may come in that says that it takes JSON, or says nothing.
    ...[{}, { accept: "application/json" }, { accept: "*/*" }].map((accept) =>
      [url, {
        method: "POST",
        headers: { Authorization, ...json, ...accept },
        body: initialize,
      }, 200] as const
    ),
  ];
  for (const [address, init, status] of table) {
    const response = await fetch(address, init);
    const body = await response.text();
    assertEquals(response.status, status, `${init.method ?? "GET"} ${address}: ${body}`);
    assert(!body.includes(pathname.slice(1)) && !body.includes("    at "), body);
    if (status >= 400) assertEquals(typeof JSON.parse(body), "object");
  }
  const answer = await raw(
    host,
    `GET ${pathname} HTTP/1.1\r\nHost: evil.example\r\n` +
      `Authorization: ${Authorization}\r\nConnection: close\r\n\r\n`,
  );
  assertStringIncludes(answer, " 403 ");
  const gone = await raw(
    host,
    `GET /${"x".repeat(100)} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
  );
  assertStringIncludes(gone, " 404 ");
});

/** A connection that sends this and no more. */
async function half(host: string, text: string): Promise<Deno.TcpConn> {
  const [hostname, port] = host.split(":");
  const connection = await Deno.connect({ hostname: hostname!, port: Number(port) });
  await connection.write(new TextEncoder().encode(text));
  return connection;
}

Deno.test("whoever holds connections open holds up neither the others nor the end, and is cut off then", async () => {
  const bridge = open([{}]);
  const { url, authorization } = bridge.address;
  const { host, pathname } = new URL(url);
  const client = await connect(bridge);
  const begin = `POST ${pathname} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: ${authorization}\r\n`;
  const held = [
    await half(host, ""),
    await half(host, `POST ${pathname} HTTP/1.1\r\nHost: ${host}\r\nX-Never: `),
    await half(host, `${begin}Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"a`),
    await half(
      host,
      `${begin}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"a`,
    ),
    await half(host, `${begin}Transfer-Encoding: chunked\r\n\r\nZZ\r\nnothing\r\n`),
    await half(host, `POST / HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 100000000\r\n\r\nabc`),
  ];
  for (let i = 0; i < 200; i++) held.push(await half(host, ""));
  assertEquals((await client.callTool({ name: "t" })).content, [{ type: "text", text: "ok" }]);
  await bridge.close();
  for (const connection of held) {
    // What was answered before may still be read; then it is over.
    await new Response(connection.readable).arrayBuffer().catch(() => {});
  }
  await client.close();
});

Deno.test("messages of all kinds are answered or refused, none is run twice, and calls go on", async () => {
  let ran = 0;
  await using bridge = open([{ handler: () => void ran++ }]);
  const { url, authorization: Authorization } = bridge.address;
  const send = async (body: unknown, session: string | null = null) => {
    const response = await fetch(url, {
      method: "POST",
      headers: {
        Authorization,
        "content-type": "application/json",
        ...(session !== null && { "mcp-session-id": session }),
      },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
    return { response, text: await response.text() };
  };
  const params = {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "x", version: "1" },
  };
  const hello = await send({ jsonrpc: "2.0", id: 1, method: "initialize", params });
  const session = hello.response.headers.get("mcp-session-id");
  assert(session !== null);
  const call = (id: unknown, more: unknown = { name: "t", arguments: {} }) => ({
    jsonrpc: "2.0",
    id,
    method: "tools/call",
    params: more,
  });
  const many = (count: number) => Array.from({ length: count }, (_, id) => call(id));
  const table: readonly (readonly [string, unknown, number, number])[] = [
    ["a huge id", call("i".repeat(1_000_000)), 200, 1],
    ["an id that is none", call(1.5), 400, 0],
    ["no id at all", call(null), 400, 0],
    ["arguments that are a list", call(2, { name: "t", arguments: [1] }), 200, 0],
    ["a name that is none", call(3, { name: 5 }), 200, 0],
    ["a tool that is not there", call(4, { name: "u" }), 200, 0],
    ["a batch", many(3), 200, 3],
    ["a batch past its bound", many(101), 400, 0],
    ["an empty batch", [], 202, 0],
    ["a second introduction", { jsonrpc: "2.0", id: 5, method: "initialize", params }, 400, 0],
    ["a method that is none", { jsonrpc: "2.0", id: 6, method: "foo/bar" }, 200, 0],
    ["nesting without end", "[".repeat(500_000), 400, 0],
    [
      "members of every object",
      `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"t","arguments":{"__proto__":{"a":1}}}}`,
      200,
      1,
    ],
  ];
  for (const [what, body, status, runs] of table) {
    const before = ran;
    const { response, text } = await send(body, session);
    assertEquals([response.status, ran - before], [status, runs], `${what}: ${text.slice(0, 300)}`);
  }
  assertEquals((await send(call(8))).response.status, 400, "a call without an introduction");
  assertEquals((await send(call(9), "nobody")).response.status, 404, "a session that is none");
  const gone = await fetch(url, {
    method: "DELETE",
    headers: { Authorization, "mcp-session-id": session },
  });
  await gone.body?.cancel();
  assertEquals((await send(call(10), session)).response.status, 404, "a session that was ended");
});

Deno.test("a client that connects again and again does not fill the bridge", async () => {
  await using bridge = open([{}]);
  const clients: Client[] = [];
  for (let i = 0; i < 12; i++) clients.push(await connect(bridge));
  const last = await clients.at(-1)!.callTool({ name: "t" });
  assertEquals(last.content, [{ type: "text", text: "ok" }]);
  const first = await clients[0]!.callTool({ name: "t" }).then(
    () => "ok",
    () => "its session is gone",
  );
  assertEquals(first, "its session is gone");
  for (const client of clients) await client.close();
});

Deno.test("two texts are compared as a whole", () => {
  for (
    const [given, wanted, same] of [
      ["abc", "abc", true],
      ["abd", "abc", false],
      ["", "abc", false],
      ["abcabc", "abc", false],
      ["ab", "abc", false],
    ] as const
  ) assertEquals(isSame(given, wanted), same, given);
});

/** One exchange over a connection that writes its own headers. */
async function raw(host: string, request: string): Promise<string> {
  const [hostname, port] = host.split(":");
  using connection = await Deno.connect({ hostname: hostname!, port: Number(port) });
  await connection.write(new TextEncoder().encode(request));
  const { value } = await connection.readable.getReader().read();
  return new TextDecoder().decode(value);
}
