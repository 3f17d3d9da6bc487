import { assertEquals } from "@std/assert";
import { TextBudget } from "../../src/report/text_budget.ts";

Deno.test("a text is kept up to its bound, pairs whole, and what was cut is counted", () => {
  const budget = new TextBudget();
  assertEquals(budget.keep("short"), { text: "short", omitted: 0 });
  assertEquals(budget.keep("abcdef", 4), { text: "abcd", omitted: 2 });
  assertEquals(budget.keep("ab\u{1f600}d", 3), { text: "ab", omitted: 3 });
  assertEquals(budget.keep("a\ud800b\udc00", 3), { text: "a\ud800b", omitted: 1 });
  assertEquals(budget.omitted, 6);
});

Deno.test("when the page is full an excerpt is kept, and the room is that of the escaped text", () => {
  const budget = new TextBudget(1_000);
  // 400 characters that are 1,600 when they are written out.
  const kept = budget.keep("\u0001".repeat(400));
  assertEquals([kept.text.length, kept.omitted], [160, 240]);
  assertEquals(budget.keep("x".repeat(360)).omitted, 0);
  assertEquals(budget.keep("x".repeat(1_000)).text.length, 160);
});
