import { assertEquals } from "@std/assert";
import { encodeUtf8 } from "../../src/base/json.ts";
import { LineBuffer } from "../../src/mcp/line_buffer.ts";

const decoder = new TextDecoder();

function split(
  text: string,
  size: number,
  maxBytes = 1000,
): { lines: string[]; oversized: boolean } {
  const buffer = new LineBuffer(maxBytes);
  const bytes = encodeUtf8(text);
  const lines: string[] = [];
  let oversized = false;
  for (let i = 0; i < bytes.length; i += size) {
    const result = buffer.push(bytes.subarray(i, i + size));
    lines.push(...result.lines.map((line) => decoder.decode(line)));
    oversized = result.oversized;
  }
  return { lines, oversized };
}

Deno.test("LineBuffer gives the same lines for every chunk size", () => {
  const text = "one\n\ntwo\r\n\u{1F600} and \u2028 and \u0085\nrest";
  const expected = ["one", "", "two\r", "\u{1F600} and \u2028 and \u0085"];
  for (const size of [1, 2, 3, 7, 4096]) {
    assertEquals(split(text, size), { lines: expected, oversized: false }, `chunks of ${size}`);
  }
});

Deno.test("LineBuffer takes a line of exactly the bound and refuses one byte more, newline or not", () => {
  for (const size of [1, 4, 64]) {
    assertEquals(split("1234567890\nnext\n", size, 10).lines, ["1234567890", "next"]);
    assertEquals(split("ok\n12345678901", size, 10), { lines: ["ok"], oversized: true });
    assertEquals(split("ok\n12345678901\nnever\n", size, 10), { lines: ["ok"], oversized: true });
  }
});

Deno.test("LineBuffer keeps lines apart from the chunks they came in", () => {
  const buffer = new LineBuffer(100);
  const chunk = encodeUtf8("abc\n");
  const [line] = buffer.push(chunk).lines;
  chunk.fill(0x58);
  assertEquals(decoder.decode(line), "abc");
});

Deno.test("LineBuffer holds no more than the bound and forgets an oversized line", () => {
  const buffer = new LineBuffer(1 << 20);
  const chunk = new Uint8Array(1000).fill(0x61);
  for (let i = 0; i < 1048; i++) buffer.push(chunk);
  assertEquals(buffer.pendingBytes, 1_048_000);
  assertEquals(buffer.push(chunk).oversized, true);
  assertEquals(buffer.pendingBytes, 0);
  assertEquals(buffer.push(encodeUtf8("x\n")), { lines: [], oversized: true });
});
