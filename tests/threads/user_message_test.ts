import { assert, assertEquals, assertThrows } from "@std/assert";
import { AdapterError } from "../../src/base/errors.ts";
import { utf8Length } from "../../src/base/json.ts";
import {
  encodeUserMessage,
  MAX_USER_LINE_BYTES,
  type UserMessage,
} from "../../src/threads/user_message.ts";
import { noisePng } from "../native/png.ts";

const PNG = noisePng(8);
const JPEG = Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46);
const base64 = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes));

/** The blocks that the line holds. */
function blocks(message: UserMessage, before?: string): unknown {
  const line = encodeUserMessage(message, before === undefined ? {} : { before });
  assert(line.endsWith("\n") && line.indexOf("\n") === line.length - 1, "one line");
  const { type, message: { role, content } } = JSON.parse(line);
  assertEquals([type, role], ["user", "user"]);
  return content;
}

const text = (said: string) => ({ type: "text", text: said } as const);
const image = (media_type: string, data: Uint8Array) => ({
  type: "image",
  source: { type: "base64", media_type, data: base64(data) },
});

const TABLE: readonly (readonly [what: string, message: UserMessage, blocks: unknown])[] = [
  ["text", "Hello", [text("Hello")]],
  ["text with every line end", "a\nb\r\nc\u2028d\t", [text("a\nb\r\nc\u2028d\t")]],
  ["white space around text stays", "  a\n", [text("  a\n")]],
  ["NUL stays", "a\0b", [text("a\0b")]],
  ["half a pair is U+FFFD", "a\ud83d", [text("a\ufffd")]],
  ["a block of text", [text("Hello")], [text("Hello")]],
  ["empty blocks are left out", [text("a"), text(" "), text("b")], [text("a"), text("b")]],
  [
    "pictures by their bytes",
    [text("Look"), { type: "image", data: PNG }, { type: "image", data: JPEG }],
    [text("Look"), image("image/png", PNG), image("image/jpeg", JPEG)],
  ],
  [
    "a picture as base64, and nothing else",
    [{ type: "image", data: base64(PNG), mediaType: "image/png" }],
    [image("image/png", PNG)],
  ],
];
for (const [what, message, expected] of TABLE) {
  Deno.test(`message: ${what}`, () => assertEquals(blocks(message), expected));
}

Deno.test("a transcript is a block of its own before the message", () => {
  assertEquals(blocks("Hello", "Before"), [text("Before"), text("Hello")]);
  assertEquals(blocks("Hello", ""), [text("Hello")]);
});

const ascii = (name: string) => new TextEncoder().encode(name);
const REFUSED: readonly (readonly [what: string, message: unknown, says: string])[] = [
  ["empty text", "", "it is empty"],
  ["white space", " \n\u2003", "it is empty"],
  ["no blocks", [], "it is empty"],
  ["blank blocks", [text(" ")], "it is empty"],
  ["nothing", null, "it must be text, or a list"],
  ["a block of another type", [{ type: "document" }], "content block 0 must have the type"],
  ["no block", [null], "content block 0 must have the type"],
  ["a block without text", [{ type: "text" }], "content block 0 has no 'text'"],
  ["a GIF", [{ type: "image", data: ascii("GIF89a") }], "is image/gif; only PNG and JPEG"],
  ["a WebP", [{ type: "image", data: ascii("RIFF0000WEBP") }], "image/webp; only PNG and JPEG"],
  ["a PDF", [{ type: "image", data: ascii("%PDF-1.7") }], "application/pdf"],
  ["other bytes", [text("a"), { type: "image", data: ascii("<svg>") }], "block 1 is of a kind"],
  ["no bytes", [{ type: "image", data: new Uint8Array() }], "is of a kind that is not known"],
  ["no data", [{ type: "image" }], "must have its bytes"],
  ["no base64", [{ type: "image", data: "iVBORw0KGgo!" }], "is no base64 text"],
  ["base64 without padding", [{ type: "image", data: "iVBORw0KGgoA" + "A" }], "is no base64 text"],
  [
    "a PNG that is said to be a JPEG",
    [{ type: "image", data: PNG, mediaType: "image/jpeg" }],
    "something else than image/png",
  ],
  ["too many blocks", Array.from({ length: 101 }, () => text("a")), "the bound is 100"],
  ["11 MB of text", "a".repeat(11_000_000), "the bound is 10485760"],
  ["11 MB in two blocks", Array(2).fill(text("a".repeat(5_500_000))), "the bound is 10485760"],
  ["8 MB of a picture", [{ type: "image", data: new Uint8Array(8_000_000) }], "the bound is"],
];
for (const [what, message, says] of REFUSED) {
  Deno.test(`no message: ${what}`, () => {
    const error = assertThrows(() => encodeUserMessage(message as UserMessage), AdapterError, says);
    assertEquals((error as AdapterError).code, "invalid_arguments");
  });
}

Deno.test("9.9 MB go through, and the bound is on the bytes of the line", () => {
  assertEquals(utf8Length(encodeUserMessage("a".repeat(9_900_000))) > 9_900_000, true);
  const frame = utf8Length(encodeUserMessage("a")) - 1;
  const longest = "a".repeat(MAX_USER_LINE_BYTES - frame);
  assertEquals(utf8Length(encodeUserMessage(longest)), MAX_USER_LINE_BYTES);
  assertThrows(() => encodeUserMessage(longest + "a"), AdapterError, "10485761 bytes");
  // Fewer characters, but each is two in JSON, or three bytes.
  assertThrows(() => encodeUserMessage('"'.repeat(6_000_000)), AdapterError, "the bound is");
  assertThrows(() => encodeUserMessage("€".repeat(4_000_000)), AdapterError, "the bound is");
});
