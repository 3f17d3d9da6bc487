import { assertEquals } from "@std/assert";
import { asPlainText } from "../../src/threads/plain_text.ts";

const texts = (...said: string[]) => said.map((text) => ({ type: "text", text }));

const TABLE: readonly (readonly [said: readonly string[], becomes: readonly string[]])[] = [
  [["hello"], ["hello"]],
  [["/cost"], ["\n/cost"]],
  [["first", "/cost"], ["first", "\n/cost"]],
  [["/cost", "last"], ["/cost", "last"]],
  [["@a.txt"], ["@", "a.txt"]],
  [["see @a and @b c"], ["see @a and @", "b c"]],
  [['@"a b"'], ["@", '"a b"']],
  [["\n@a"], ["\n@", "a"]],
  [["@/cost"], ["@/", "cost"]],
  [["@//cost"], ["@//", "cost"]],
  [["@a @/"], ["@", "a @/"]],
  [["/x @y"], ["\n/x @", "y"]],
  [["@a", "b"], ["@a", "b"]],
  [["ann@example.com"], ["ann@example.com"]],
  [["5 @ 3", "@", "@ "], ["5 @ 3", "@", "@ "]],
];
for (const [said, becomes] of TABLE) {
  Deno.test(`plain text: ${JSON.stringify(said)}`, () => {
    assertEquals(asPlainText(texts(...said), {}), texts(...becomes));
    assertEquals(asPlainText(texts(...said), { nativeSyntax: true }), texts(...said));
  });
}

Deno.test("plain text: a picture behind the text changes nothing, and without text there is nothing to do", () => {
  const image = { type: "image" };
  assertEquals(asPlainText([...texts("/cost"), image], {}), [...texts("\n/cost"), image]);
  assertEquals(asPlainText([image], {}), [image]);
});

Deno.test("plain text: ten million characters of what is nearly a mention", () => {
  const text = "@/ ".repeat(3_000_000);
  assertEquals(asPlainText(texts(text), {}), texts(text));
});
