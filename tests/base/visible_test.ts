import { assertEquals, assertMatch } from "@std/assert";
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

Deno.test("nothing that hides or moves text gets through", () => {
  for (
    const hidden of [
      ..."\u00ad\u034f\u061c\u115f\u1160\u180b\u180e\u200b\u200e\u200f\u2028\u202a\u202e\u2060\u2061\u2064",
      ..."\u2065\u2066\u2069\u206a\u206f\u3164\ufeff\uffa0\ufff9\u{1d173}\u{e0001}\u{e0041}\u{e007f}",
    ]
  ) {
    const shown = visible(`a${hidden}b`);
    const code = hidden.codePointAt(0)!.toString(16);
    assertMatch(shown, new RegExp(`^a\\\\[xu]\\{?0*${code}\\}?b$`));
    assertEquals([visible(shown), visibleLines(`a${hidden}b`)], [shown, shown]);
  }
});

Deno.test("joiners stay where writing needs them, and nowhere else", () => {
  // A family, a flag, a Persian word, a Sinhala one.
  for (
    const text of [
      "\u{1f468}\u200d\u{1f469}",
      "\u{1f3f3}\ufe0f\u200d\u{1f308}",
      "\u0645\u06cc\u200c\u062e\u0648",
      "\u0dc1\u0dca\u200d\u0dbb\u0dd3",
    ]
  ) assertEquals(visible(text), text);
  assertEquals(visible("a\u200db\u200c"), "a\\u200db\\u200c");
  assertEquals(visible("\u{1f468}\u200d\u200d\u{1f469}"), "\u{1f468}\\u200d\\u200d\u{1f469}");
  assertEquals(visible("é\u200d\u202eé"), "é\\u200d\\u202eé");
});

Deno.test("text that is visible stays as it is", () => {
  for (const text of ["", "plain", "größer 文字 \u{1F600} שלום مرحبا नमस्ते", "C:\\x1b"]) {
    assertEquals([visible(text), visibleSentence(text), visibleLines(text)], [text, text, text]);
  }
});

Deno.test("a sentence has single spaces instead of line ends, and lines keep their ends", () => {
  assertEquals(visibleSentence("  one\r\n\n two\tthree\u001b "), "one two three\\x1b");
  assertEquals(visibleLines("one\r\ntwo\tthree\u001b\rfour\n"), "one\ntwo\tthree\\x1b\\x0dfour\n");
});
