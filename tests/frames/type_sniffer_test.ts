import { assertEquals } from "@std/assert";
import { TypeSniffer } from "../../src/frames/type_sniffer.ts";
import { parseFrame } from "../../src/frames/parse_frame.ts";
import { CHUNK_SIZES, cut, cutRandomly, utf8 } from "../helpers/chunks.ts";
import { Random } from "../helpers/random.ts";

function sniff(text: string, size = Infinity): string | null {
  const sniffer = new TypeSniffer();
  for (const chunk of cut(utf8(text), size)) sniffer.push(chunk);
  return sniffer.type;
}

const CASES: readonly { name: string; text: string; type: string | null }[] = [
  { name: "first key", text: '{"type":"user","message":{}}', type: "user" },
  { name: "last key", text: '{"a":1,"b":[],"c":{},"type":"result"}', type: "result" },
  { name: "white space everywhere", text: ' \t{ "a" : 1 ,\t"type" : "user" }', type: "user" },
  { name: "a CR between members", text: '{"a":1,\r"type":"user"}\r', type: "user" },
  { name: "a byte order mark", text: '\uFEFF{"type":"user"}', type: "user" },
  { name: "text cut behind the value", text: '{"type":"result","result":"abc', type: "result" },
  { name: "text cut inside the value", text: '{"type":"resu', type: null },
  { name: "a nested object", text: '{"event":{"type":"no"},"type":"yes"}', type: "yes" },
  { name: "nested arrays of objects", text: '{"a":[[{"type":"no"}]],"type":"yes"}', type: "yes" },
  { name: "only a nested one", text: '{"a":{"type":"no"},"b":[{"type":"no"}]}', type: null },
  { name: "the key as text of a value", text: '{"a":"type","b":"x"}', type: null },
  { name: "a frame quoted in a string", text: '{"a":"{\\"type\\":\\"no\\"}"}', type: null },
  {
    name: "a closing quote escaped",
    text: '{"a":"\\\\\\",\\"type\\":\\"no","type":"yes"}',
    type: "yes",
  },
  { name: "a backslash before the end", text: '{"a":"\\\\","type":"yes"}', type: "yes" },
  { name: "braces inside strings", text: '{"a":"}]}{[","type":"yes"}', type: "yes" },
  { name: "an escaped key", text: '{"\\u0074\\u0079\\u0070\\u0065":"yes"}', type: "yes" },
  { name: "an escaped value", text: '{"type":"y\\u0065s\\n"}', type: "yes\n" },
  { name: "a key that ends in type", text: '{"subtype":"no","xtype":"no"}', type: null },
  { name: "a key that begins with type", text: '{"types":"no","type ":"no"}', type: null },
  { name: "the empty type", text: '{"type":""}', type: "" },
  { name: "64 bytes of value", text: `{"type":"${"x".repeat(64)}"}`, type: "x".repeat(64) },
  { name: "65 bytes of value", text: `{"type":"${"x".repeat(65)}"}`, type: null },
  { name: "a very long key first", text: `{"${"type".repeat(99)}":1,"type":"yes"}`, type: "yes" },
  { name: "a number", text: '{"type":5}', type: null },
  { name: "null", text: '{"type":null}', type: null },
  { name: "an object", text: '{"type":{"type":"no"}}', type: null },
  { name: "behind the end of the object", text: '{"a":1}{"type":"no"}', type: null },
  { name: "behind an empty object", text: '{}"type":"no"', type: null },
  { name: "an array", text: '[{"type":"no"}]', type: null },
  { name: "a string", text: '"type":"no"', type: null },
  { name: "no JSON", text: 'debug {"type":"no"}', type: null },
  { name: "nothing", text: "", type: null },
  { name: "a bad escape in the value", text: '{"type":"\\q"}', type: null },
  { name: "a bad escape in a key", text: '{"\\q":1,"type":"yes"}', type: "yes" },
  { name: "a missing colon", text: '{"a" "type":"no"}', type: null },
  {
    name: "literals and numbers",
    text: '{"a":true,"b":-1.5e+3,"c":null,"type":"yes"}',
    type: "yes",
  },
];

for (const { name, text, type } of CASES) {
  Deno.test(`the type is found at every chunk size: ${name}`, () => {
    for (const size of CHUNK_SIZES) assertEquals(sniff(text, size), type, `chunk size ${size}`);
  });
}

Deno.test("two types are read as the first one", () => {
  assertEquals(sniff('{"type":"first","type":"second"}'), "first");
});

Deno.test("nothing is read after the type was found", () => {
  const sniffer = new TypeSniffer();
  sniffer.push(utf8('{"type":"user"'));
  assertEquals(sniffer.done, true);
  sniffer.push(utf8(',"type":"result"}'));
  assertEquals(sniffer.type, "user");
});

Deno.test("the sniffer agrees with JSON.parse on random objects at random chunkings", () => {
  const random = new Random(1);
  const words = ["type", "subtype", "a", 'q"', "b\\", "{", "}", "result", "\n", "é", "😀", ","];
  const value = (depth: number): unknown => {
    const kind = random.int(0, depth > 3 ? 3 : 5);
    if (kind === 0) return random.int(-99, 99);
    if (kind === 1) return random.pick([true, false, null]);
    if (kind < 4) return random.pick(words) + random.pick(words);
    const size = random.int(0, 4);
    if (kind === 4) return Array.from({ length: size }, () => value(depth + 1));
    return Object.fromEntries(
      Array.from({ length: size }, () => [random.pick(words), value(depth + 1)]),
    );
  };
  let found = 0;
  for (let i = 0; i < 3000; i++) {
    const object: Record<string, unknown> = {};
    for (let j = random.int(0, 5); j > 0; j--) {
      object[random.chance(0.3) ? "type" : random.pick(words)] = value(0);
    }
    const text = JSON.stringify(object, null, random.chance(0.3) ? " \t" : undefined)
      .replaceAll("\n", " "); // a frame is one line
    const parsed = parseFrame(text);
    const sniffer = new TypeSniffer();
    for (const chunk of cutRandomly(utf8(text), random, 9)) sniffer.push(chunk);
    assertEquals(sniffer.type, parsed.kind === "frame" ? parsed.type : "not a frame", text);
    if (sniffer.type !== null) found += 1;
  }
  assertEquals(found > 300, true, `only ${found} of the random objects had a type`);
});
