import { assertEquals } from "@std/assert";
import { visible, visibleLines, visibleSentence } from "../../src/base/visible.ts";

const NASTY = "a\u001b[31mb\r\nc\td\u202ee\u2066f\u200bg\ufeffh\ud800i\u0085j";

Deno.test("what cannot be seen becomes an escape, and doing it twice changes nothing", () => {
  const once = visible(NASTY);
  assertEquals(
    once,
    "a\\x1b[31mb\\x0d\\x0ac\\x09d\\u202ee\\u2066f\\u200bg\\ufeffh\\ud800i\\x85j",
  );
  assertEquals(visible(once), once);
});

Deno.test("text that is visible stays as it is", () => {
  for (const text of ["", "plain", "größer 文字 \u{1F600}", "C:\\x1b"]) {
    assertEquals([visible(text), visibleSentence(text), visibleLines(text)], [text, text, text]);
  }
});

Deno.test("a sentence has single spaces instead of line ends, and lines keep their ends", () => {
  assertEquals(visibleSentence("  one\r\n\n two\tthree\u001b "), "one two three\\x1b");
  assertEquals(visibleLines("one\r\ntwo\tthree\u001b\rfour\n"), "one\ntwo\tthree\\x1b\\x0dfour\n");
});
