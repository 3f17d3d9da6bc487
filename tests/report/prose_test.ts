import { assert, assertEquals } from "@std/assert";
import { endsInCode, prose } from "../../src/report/prose.ts";

const P = '<div class="prose" dir="auto">';
const PRE = '<pre dir="auto">\n';

const TEXTS: readonly (readonly [string, string])[] = [
  ["plain", `${P}plain</div>`],
  ["a\n```ts\nlet x = 1;\n```\nb", `${P}a</div>${PRE}let x = 1;</pre>${P}b</div>`],
  ["```\nopen <b>", `${PRE}open &lt;b&gt;</pre>`],
  ["use `a < b` here", `${P}use <code>a &lt; b</code> here</div>`],
  ["``` not a fence ` x", `${P}\`\`\` not a fence \` x</div>`],
  ["# title\n[link](javascript:1) **bold**", `${P}# title\n[link](javascript:1) **bold**</div>`],
  ["```\n\n```", ""],
];

Deno.test("fences and backticks are code, everything else is as it was written", () => {
  for (const [text, expected] of TEXTS) assertEquals(prose(text).text, expected);
  assertEquals(prose("x\n```\ny", true).text, `${PRE}x</pre>${P}y</div>`);
  assertEquals(["a", "```\na", "```\na\n```"].map(endsInCode), [false, true, false]);
});

Deno.test("a text has a bounded number of elements, and none of its words is lost", () => {
  const text = "`a` ".repeat(5_000) + "\n```\nb\n```\n".repeat(500);
  const { text: page } = prose(text);
  assert((page.match(/<(?:code|pre|div)/g) ?? []).length < 500);
  const words = page.replaceAll(/<[^>]*>/g, "");
  assertEquals(["a", "b"].map((word) => words.split(word).length - 1), [5_000, 500]);
});
