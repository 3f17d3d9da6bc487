import { assert, assertEquals } from "@std/assert";
import { createTailBuffer } from "../../src/supervision/tail_buffer.ts";

const utf8 = (text: string) => new TextEncoder().encode(text);

Deno.test("tail: what fits is kept whole", () => {
  const tail = createTailBuffer(8);
  tail.push(utf8("1234"));
  tail.push(utf8("5678"));
  assertEquals(tail.text(), { text: "12345678", truncated: false });
});

Deno.test("tail: one byte more drops the first", () => {
  const tail = createTailBuffer(8);
  tail.push(utf8("123456789"));
  assertEquals(tail.text(), { text: "23456789", truncated: true });
});

Deno.test("tail: every chunk size gives the same end", () => {
  const whole = utf8(Array.from({ length: 1_000 }, (_, i) => `line ${i}\n`).join(""));
  for (const size of [1, 7, 63, 64, 65, 4096, whole.length]) {
    const tail = createTailBuffer(64);
    for (let at = 0; at < whole.length; at += size) tail.push(whole.subarray(at, at + size));
    assertEquals(tail.text(), {
      text: new TextDecoder().decode(whole.subarray(whole.length - 64)),
      truncated: true,
    });
  }
});

Deno.test("tail: a character that was cut is left out", () => {
  for (const character of ["é", "€", "😀"]) {
    const bytes = utf8(character).length;
    for (let lost = 1; lost < bytes; lost++) {
      const tail = createTailBuffer(bytes - lost + 3);
      tail.push(utf8(`${character}abc`));
      assertEquals(tail.text(), { text: "abc", truncated: true });
    }
  }
});

Deno.test("tail: bytes that are no text become replacement characters", () => {
  const tail = createTailBuffer(8);
  tail.push(new Uint8Array([0x61, 0xff, 0x62]));
  assertEquals(tail.text().text, "a\ufffdb");
});

Deno.test("tail: a reused chunk does not change what was kept", () => {
  const tail = createTailBuffer(8);
  const chunk = utf8("abcd");
  tail.push(chunk);
  chunk.fill(0x78);
  assertEquals(tail.text().text, "abcd");
});

Deno.test("tail: 64 MiB pass through a buffer of 64 KiB", () => {
  const tail = createTailBuffer(65_536);
  const chunk = new Uint8Array(65_535).fill(0x61);
  for (let pushed = 0; pushed < 64 * 1024 * 1024; pushed += chunk.length) tail.push(chunk);
  tail.push(utf8("end"));
  const { text, truncated } = tail.text();
  assert(truncated && text.length === 65_536 && text.endsWith("aend"));
});
