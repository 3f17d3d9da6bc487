import { assertEquals, assertRejects } from "@std/assert";
import { startProxySink } from "../../src/loopback/mod.ts";

Deno.test("the sink refuses, and remembers whom it was asked for", async () => {
  await using sink = startProxySink();
  for (
    const [url, line] of [
      ["https://example.invalid/", "CONNECT example.invalid:443 HTTP/1.1"],
      ["http://example.invalid/path", "GET http://example.invalid/path HTTP/1.1"],
    ] as const
  ) {
    using client = Deno.createHttpClient({ proxy: { url: sink.url } });
    if (url.startsWith("https")) await assertRejects(() => fetch(url, { client }));
    else {
      const response = await fetch(url, { client });
      await response.body?.cancel();
      assertEquals(response.status, 403);
    }
    assertEquals(sink.requests.at(-1), line);
  }
  assertEquals(sink.requests.length, 2);
});

Deno.test("a connection that says nothing does not keep the sink open", async () => {
  const sink = startProxySink();
  const { hostname, port } = new URL(sink.url);
  using connection = await Deno.connect({ hostname, port: Number(port) });
  await sink.close();
  await sink.close();
  assertEquals(await connection.read(new Uint8Array(1)).catch(() => null), null);
});
