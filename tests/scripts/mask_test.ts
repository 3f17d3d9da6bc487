import { assertEquals } from "@std/assert";
import { lineAt, maskCode } from "../../scripts/layers/mask.ts";

const CASES: readonly [name: string, text: string, masked: string][] = [
  ["code alone", "const a = b.c(1);", "const a = b.c(1);"],
  ["a line comment", "a; // b\nc;", "a;     \nc;"],
  ["a block comment over lines", "a /* b\n c */ d", "a     \n      d"],
  ["an open comment", "a /* b", "a     "],
  ["both kinds of quotes", `f("ab", 'c"d');`, `f("  ", '   ');`],
  ["an escaped quote", '"a\\"b" + c', '"    " + c'],
  ["a backslash at the end of a string", '"a\\\\" + b', '"   " + b'],
  ["a string that never ends", '"ab\nc', '"  \n'.slice(0, 3) + "\nc"],
  ["comment signs in a string", '"//" + b', '"  " + b'],
  ["quotes in a comment", "// it's\nb", "       \nb"],
  ["a template", "`a b` + c", "`   ` + c"],
  ["code in a template", "`a${b.c}d` + e", "` ${b.c} ` + e"],
  ["objects in a template", "`${f({ a: {} })}x` + e", "`${f({ a: {} })} ` + e"],
  ["templates in a template", "`a${`b${c}`}d` + e", "` ${` ${c}`} ` + e"],
  ["an escaped template sign", "`\\${a}\\`` + b", "`       ` + b"],
  ["a line break in a template", "`a\nb` + c", "` \n ` + c"],
  ["a regular expression", "x = /a'b/g;", "x = /   /g;"],
  ["a slash in a class of characters", "x = /[/']/.test(y);", "x = /    /.test(y);"],
  ["an escaped slash", "f(/\\/'/)", "f(/   /)"],
  ["a division", "a / b + 'c' / d", "a / b + ' ' / d"],
  ["a division after a call", "f(x) / g['y'] / 2", "f(x) / g[' '] / 2"],
  ["a regular expression after return", "return /'/;", "return / /;"],
  ["characters of two units", '"😀" + a /* 😀 */ + b', '"  " + a          + b'],
];
for (const [name, text, masked] of CASES) {
  Deno.test(`maskCode() leaves only the code: ${name}`, () => {
    assertEquals(maskCode(text), masked);
    assertEquals(maskCode(text).length, text.length);
  });
}

Deno.test("lineAt() counts lines from 1", () => {
  const text = "a\nbc\n\nd";
  assertEquals([0, 1, 2, 3, 5, 6].map((at) => lineAt(text, at)), [1, 1, 2, 2, 3, 4]);
});
