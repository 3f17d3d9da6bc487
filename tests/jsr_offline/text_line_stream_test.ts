import { assertEquals } from "@std/assert";
import { TextLineStream, type TextLineStreamOptions } from "@std/streams/text-line-stream";

async function lines(chunks: readonly string[], options?: TextLineStreamOptions) {
  const seen: string[] = [];
  const stream = ReadableStream.from(chunks).pipeThrough(new TextLineStream(options));
  for await (const line of stream) seen.push(line);
  return seen;
}

/** A text, and its lines without and with a lone CR as an ending. */
const CASES: readonly [name: string, text: string, plain: string[], allowCR: string[]][] = [
  ["nothing", "", [], []],
  ["LF", "a\nb\n", ["a", "b"], ["a", "b"]],
  ["CRLF", "a\r\nb\r\n", ["a", "b"], ["a", "b"]],
  ["a mixture", "a\nb\r\nc\n", ["a", "b", "c"], ["a", "b", "c"]],
  ["empty lines", "\n\r\n\na\n", ["", "", "", "a"], ["", "", "", "a"]],
  ["an unterminated line", "a\nb", ["a", "b"], ["a", "b"]],
  ["a lone CR", "a\rb\n", ["a\rb"], ["a", "b"]],
  ["CRs in a row", "a\r\r\rb\n", ["a\r\r\rb"], ["a", "", "", "b"]],
  ["a CR before CRLF", "a\r\r\nb\n", ["a\r", "b"], ["a", "", "b"]],
  ["a CR at the end", "a\nb\r", ["a", "b\r"], ["a", "b"]],
  ["a CR at the start", "\ra\n", ["\ra"], ["", "a"]],
  ["LF before CR", "a\n\rb\n", ["a", "\rb"], ["a", "", "b"]],
  ["nothing but a CR", "\r", ["\r"], [""]],
  [
    "endings of other alphabets, which are none",
    "a\u2028b\u2029c\u0085d\ve\f\n",
    ["a\u2028b\u2029c\u0085d\ve\f"],
    ["a\u2028b\u2029c\u0085d\ve\f"],
  ],
];

for (const [name, text, plain, allowCR] of CASES) {
  Deno.test(`TextLineStream splits ${name}, wherever the chunks end`, async () => {
    for (const size of [1, 2, 3, 100]) {
      const chunks: string[] = [];
      for (let i = 0; i < text.length; i += size) chunks.push(text.slice(i, i + size));
      assertEquals(await lines(chunks), plain, `chunk size ${size}`);
      assertEquals(await lines(chunks, { allowCR: false }), plain, `chunk size ${size}`);
      assertEquals(await lines(chunks, { allowCR: true }), allowCR, `chunk size ${size}, allowCR`);
      const padded = ["", ...chunks.flatMap((chunk) => [chunk, ""])];
      assertEquals(await lines(padded), plain, "empty chunks change nothing");
      assertEquals(await lines(padded, { allowCR: true }), allowCR, "empty chunks change nothing");
    }
  });
}

Deno.test("TextLineStream hands out a line as soon as its ending is there", async () => {
  const { readable, writable } = new TextLineStream();
  const writer = writable.getWriter();
  const reader = readable.getReader();
  void writer.write("a\nb");
  assertEquals((await reader.read()).value, "a");
  void writer.write("c\n");
  assertEquals((await reader.read()).value, "bc");
  void writer.close();
  assertEquals((await reader.read()).done, true);
});
