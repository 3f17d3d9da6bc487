import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { AdapterError } from "../../src/base/errors.ts";
import type { ToolOutput } from "../../src/bridge/lent_tool.ts";
import { failedResult, toolResult } from "../../src/bridge/tool_result.ts";

const PNG = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3]);
const JPEG = Uint8Array.from([0xff, 0xd8, 0xff, 0xe0]);
const GIF = new TextEncoder().encode("GIF89a......");
const WEBP = new TextEncoder().encode("RIFF....WEBPVP8 ");
const describe = { media: "describe", maxChars: 100 } as const;
const refuse = { media: "throw", maxChars: 100 } as const;

Deno.test("whatever is thrown, the model is told one text, and nothing throws on the way", () => {
  const trapped = new Error("x");
  Object.defineProperty(trapped, "message", {
    get() {
      throw new Error("trap");
    },
  });
  const cyclic: { self?: unknown } = {};
  cyclic.self = cyclic;
  const hostile = new Proxy({}, {
    get() {
      throw new Error("trap");
    },
    getPrototypeOf() {
      throw new Error("trap");
    },
  });
  const table: readonly (readonly [unknown, string])[] = [
    [new Error("two\nlines"), "two\nlines"],
    [new RangeError(""), "RangeError"],
    [Object.assign(new Error("x"), { message: 5 }), "5"],
    [null, "null"],
    [undefined, "undefined"],
    [10n, "10"],
    [Symbol("s"), "Symbol(s)"],
    [cyclic, "[object Object]"],
    [Object.create(null), "something that cannot be said as text"],
    [trapped, "something that cannot be said as text"],
    [hostile, "something that cannot be said as text"],
  ];
  for (const [thrown, said] of table) {
    assertEquals(failedResult(thrown), { isError: true, content: [{ type: "text", text: said }] });
  }
});

Deno.test("text, pictures and nothing become what they are", () => {
  const text = (said: string) => ({ type: "text", text: said });
  const image = (bytes: Uint8Array, mimeType: string) => ({
    type: "image",
    data: bytes.toBase64(),
    mimeType,
  });
  const table: readonly (readonly [ToolOutput, readonly unknown[]])[] = [
    ["said", [text("said")]],
    [undefined, []],
    [null, []],
    [[], []],
    [{ type: "text", text: "half \ud800" }, [text("half \ufffd")]],
    [{ type: "image", data: PNG }, [image(PNG, "image/png")]],
    [{ type: "image", data: PNG.toBase64(), mediaType: "image/gif" }, [image(PNG, "image/png")]],
    [[{ type: "image", data: JPEG }, { type: "image", data: GIF }, { type: "image", data: WEBP }], [
      image(JPEG, "image/jpeg"),
      image(GIF, "image/gif"),
      image(WEBP, "image/webp"),
    ]],
  ];
  for (const [output, content] of table) assertEquals(toolResult(output, refuse).content, content);
});

Deno.test("what the model cannot see is described, or ends the turn", () => {
  const large = new Uint8Array(4_000_000);
  large.set(PNG);
  const table: readonly (readonly [ToolOutput, string])[] = [
    [{ type: "media", mediaType: "audio/wav", name: "a\n.wav", bytes: 5 }, "audio/wav, 'a"],
    [{ type: "image", data: new Uint8Array(9), mediaType: "image/heic" }, "image/heic, 9 bytes"],
    [{ type: "image", data: large }, "too large to be shown, 4000000 bytes"],
  ];
  for (const [output, says] of table) {
    const [block] = toolResult(output, describe).content;
    assert(block?.type === "text" && !block.text.includes("\n"));
    assertStringIncludes(block.text, says);
    const error = assertThrows(() => toolResult(output, refuse), AdapterError);
    assertEquals(error.code, "unsupported_media");
  }
});

Deno.test("a long result is cut with a note, pictures stay", () => {
  const { content } = toolResult([
    { type: "text", text: "a".repeat(60) },
    { type: "image", data: PNG },
    { type: "text", text: "b".repeat(60) },
    { type: "text", text: "c" },
  ], refuse);
  assertEquals(content.map((block) => block.type === "text" ? block.text.length : block.type), [
    60,
    "image",
    40,
    content.at(-1)!.type === "text" ? (content.at(-1) as { text: string }).text.length : -1,
  ]);
  assertStringIncludes(JSON.stringify(content.at(-1)), "121 characters, and the first 100");
});

Deno.test("what a handler may not answer is said, and a failure is one message without a stack", () => {
  const wrong: readonly unknown[] = [
    5,
    {},
    { type: "text" },
    { type: "image" },
    { type: "image", data: "no base64!" },
    [{ type: "video" }],
    Array.from({ length: 101 }, () => ({ type: "text", text: "x" })),
  ];
  for (const output of wrong) {
    const error = assertThrows(() => toolResult(output as ToolOutput, refuse), AdapterError);
    assertStringIncludes(error.message, "The tool's handler answered with");
  }
  const said = (caught: unknown) => (failedResult(caught).content[0] as { text: string }).text;
  assertEquals(said(new TypeError("no")), "no");
  assertEquals(said(new TypeError("")), "TypeError");
  assertEquals(said("a word"), "a word");
  assertEquals(said(undefined), "undefined");
  assert(said(new Error("x".repeat(9_000))).length < 4_001);
});
