import { assert, assertEquals } from "@std/assert";
import { escapedLength, escapeHtml, markup, raw } from "../../src/report/html.ts";
import { PAYLOADS } from "./hostile.ts";

const ESCAPED: readonly (readonly [string, string])[] = [
  ["plain text, 1 + 1 = 2", "plain text, 1 + 1 = 2"],
  [`<b a="1" c='2'>&amp;`, "&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;amp;"],
  ["a\r\nb\tc\nd", "a\nb\tc\nd"],
  ["a\rb", "a\\x0db"],
  ["\u001b[31m\u0000\u009b", "\\x1b[31m\\x00\\x9b"],
  ["\u202eabc\u2066\u061c\u200f", "\\u202eabc\\u2066\\u061c\\u200f"],
  ["\ud800x\udc00", "\\ud800x\\udc00"],
  ["\u{1f600}", "\u{1f600}"],
  ["\u{e0041}\ufeff\u00ad\u3164", "\\u{e0041}\\ufeff\\xad\\u3164"],
  ["\u2028\u2029", "\\u2028\\u2029"],
  // A family is joined, and Persian words are not; between ASCII letters a joiner only hides something.
  ["\u{1f468}\u200d\u{1f469}", "\u{1f468}\u200d\u{1f469}"],
  ["\u0645\u06cc\u200c\u062e", "\u0645\u06cc\u200c\u062e"],
  ["a\u200db\u200c", "a\\u200db\\u200c"],
  ["\u{1f468}\u200d\u200d\u{1f469}", "\u{1f468}\\u200d\\u200d\u{1f469}"],
];

Deno.test("foreign text is escaped for content and attributes, and what is unseen is written out", () => {
  for (const [text, expected] of ESCAPED) assertEquals(escapeHtml(text), expected);
});

Deno.test("no payload keeps a character that ends a text or an attribute", () => {
  for (const payload of PAYLOADS) {
    const escaped = escapeHtml(payload);
    assert(!/[<>"']/.test(escaped), escaped);
    assert(!/&(?!(?:amp|lt|gt|quot|#39);)/.test(escaped), escaped);
    assert(escaped.isWellFormed());
    assertEquals(escapedLength(payload), escaped.length);
  }
});

Deno.test("a template escapes everything but markup of its own kind", () => {
  const inner = markup`<i>${"<"}</i>`;
  assertEquals(
    markup`<p class="${'"'}">${1}${null}${inner}${[inner, raw("<hr>")]}</p>`.text,
    '<p class="&quot;">1<i>&lt;</i><i>&lt;</i><hr></p>',
  );
});
