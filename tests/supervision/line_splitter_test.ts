import { assertEquals } from "@std/assert";
import { createLineSplitter } from "../../src/supervision/line_splitter.ts";
import type { SplitLine } from "../../src/supervision/line_splitter.ts";

const utf8 = (text: string) => new TextEncoder().encode(text);

function split(text: string, { size = 1_000, max = 10 } = {}): readonly string[] {
  const splitter = createLineSplitter(max);
  const bytes = utf8(text);
  const lines: SplitLine[] = [];
  for (let at = 0; at < bytes.length; at += size) {
    lines.push(...splitter.push(bytes.subarray(at, at + size)));
  }
  lines.push(...splitter.finish());
  return lines.map((line) => line.kind === "line" ? line.text : `overlong ${line.bytes}`);
}

Deno.test("lines: every chunk size gives the same lines", () => {
  for (const size of [1, 2, 3, 7, 1_000]) {
    assertEquals(split("one\n\nfür €\n12345678901\n1234567890\nrest", { size }), [
      "one",
      "",
      "für €",
      "overlong 11",
      "1234567890",
      "rest",
    ]);
  }
});

Deno.test("lines: an overlong line is dropped and the next one is whole", () => {
  assertEquals(split(`${"x".repeat(100_000)}\nok\n`, { size: 4_096 }), ["overlong 100000", "ok"]);
});

Deno.test("lines: nothing is left after a last newline", () => {
  assertEquals(split("one\n"), ["one"]);
});

Deno.test("lines: an overlong rest without a newline is told at the end", () => {
  assertEquals(split("x".repeat(11)), ["overlong 11"]);
});
