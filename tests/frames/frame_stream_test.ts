import { assert, assertEquals, assertRejects } from "@std/assert";
import { MAX_FRAME_BYTES } from "../../src/base/limits.ts";
import { type FrameItem, frameStream } from "../../src/frames/frame_stream.ts";
import { CHUNK_SIZES, cut, cutRandomly, flatten, join, streamOf, utf8 } from "../helpers/chunks.ts";
import { Random } from "../helpers/random.ts";

function read(bytes: Uint8Array, size: number, maxFrameBytes?: number): Promise<FrameItem[]> {
  const options = maxFrameBytes === undefined ? {} : { maxFrameBytes };
  return flatten(frameStream(streamOf(cut(bytes, size)), options));
}

/** A short form of an item, to keep the tables readable. */
function brief(item: FrameItem): string {
  const end = item.kind !== "oversized" && !item.terminated ? " unterminated" : "";
  switch (item.kind) {
    case "frame":
      return `${JSON.stringify(item.frame)} ${item.bytes}${end}`;
    case "blank":
      return `blank ${item.bytes}${end}`;
    case "malformed":
      return `${item.reason} ${item.quote} ${item.bytes}${end}`;
    case "oversized":
      return `oversized ${item.type} ${item.bytes} ${item.complete ? "complete" : "cut"}`;
  }
}

const MAX = 24;
const CASES: readonly { name: string; bytes: Uint8Array; items: string[] }[] = [
  { name: "nothing", bytes: utf8(""), items: [] },
  { name: "one newline", bytes: utf8("\n"), items: ["blank 0"] },
  { name: "frames", bytes: utf8('{"a":1}\n{"b":2}\n'), items: ['{"a":1} 7', '{"b":2} 7'] },
  {
    name: "CRLF, whose CR counts as a byte of the line",
    bytes: utf8('{"a":1}\r\n\r\n'),
    items: ['{"a":1} 8', "blank 1"],
  },
  {
    name: "a lone CR, which ends nothing",
    bytes: utf8('{"a":1,\r"b":2}\n'),
    items: ['{"a":1,"b":2} 14'],
  },
  {
    name: "U+2028, U+2029 and U+0085 inside text, and VT and FF on their own",
    bytes: utf8('{"a":"\u2028\u2029\u0085"}\n\v\f\n'),
    items: ['{"a":"\u2028\u2029\u0085"} 16', "blank 2"],
  },
  {
    name: "an unterminated frame",
    bytes: utf8('{"a":1}\n{"b":2}'),
    items: ['{"a":1} 7', '{"b":2} 7 unterminated'],
  },
  {
    name: "half a frame at the end",
    bytes: utf8('{"a":1}\n{"b"'),
    items: ['{"a":1} 7', 'not_json {"b" 4 unterminated'],
  },
  {
    name: "an unterminated blank line",
    bytes: utf8("\n \r"),
    items: ["blank 0", "blank 2 unterminated"],
  },
  {
    name: "noise between frames",
    bytes: utf8('{"a":1}\nhello\n[1]\n{"b":2}\n'),
    items: ['{"a":1} 7', "not_json hello 5", "not_object [1] 3", '{"b":2} 7'],
  },
  {
    name: "a byte order mark at the start",
    bytes: utf8('\uFEFF{"a":1}\n'),
    items: ['{"a":1} 10'],
  },
  {
    name: "a byte order mark later on",
    bytes: utf8('{"a":1}\n\uFEFF{"a":1}\n'),
    items: ['{"a":1} 7', 'not_json \\ufeff{"a":1} 10'],
  },
  {
    name: "a byte order mark inside text, which some chunk begins with",
    bytes: utf8('{"a":"1\uFEFF2"}\n'),
    items: ['{"a":"1\uFEFF2"} 13'],
  },
  { name: "nothing but a byte order mark", bytes: utf8("\uFEFF"), items: ["blank 3 unterminated"] },
  {
    name: "characters of two, three and four bytes",
    bytes: utf8('{"a":"é日😀"}\n'),
    items: ['{"a":"é日😀"} 17'],
  },
  {
    name: "invalid bytes inside text",
    bytes: join([utf8('{"a":"'), Uint8Array.of(0xff, 0xc3), utf8('"}\n{"b":2}\n')]),
    items: ['{"a":"\ufffd\ufffd"} 10', '{"b":2} 7'],
  },
  {
    name: "a character cut by the newline",
    bytes: join([utf8("x"), Uint8Array.of(0xf0, 0x9f, 0x98), utf8('\n{"b":2}\n')]),
    items: ["not_json x\ufffd 4", '{"b":2} 7'],
  },
  {
    name: "a character cut by the end of the stream",
    bytes: join([utf8('{"b":2}\nx'), Uint8Array.of(0xf0, 0x9f)]),
    items: ['{"b":2} 7', "not_json x\ufffd 3 unterminated"],
  },
  {
    name: "an overlong spelling of a newline, which ends nothing",
    bytes: join([utf8("a"), Uint8Array.of(0xc0, 0x8a), utf8("b\n")]),
    items: ["not_json a\ufffd\ufffdb 4"],
  },
  {
    name: "a frame over the bound between others and blank lines",
    bytes: utf8('{"a":1}\n\n{"x":"' + "x".repeat(30) + '","type":"user"}\n\n{"b":2}\n'),
    items: ['{"a":1} 7', "blank 0", "oversized user 52 complete", "blank 0", '{"b":2} 7'],
  },
  {
    name: "frames over the bound first, last and in a row",
    bytes: utf8(`${"x".repeat(25)}\n{"type":"result","a":1234}\n${"y".repeat(99)}`),
    items: ["oversized null 25 complete", "oversized result 26 complete", "oversized null 99 cut"],
  },
  {
    name: "a frame over the bound with a byte order mark",
    bytes: utf8('\uFEFF{"a":"0123456789","type":"user"}\n{"b":2}\n'),
    items: ["oversized user 35 complete", '{"b":2} 7'],
  },
  {
    name: "a character cut by the bound",
    bytes: utf8(`{"type":"t","a":"${"x".repeat(6)}😀😀😀"}\n{"b":2}\n`),
    items: ["oversized t 37 complete", '{"b":2} 7'],
  },
];

for (const { name, bytes, items } of CASES) {
  Deno.test(`every line becomes one item, at every chunk size: ${name}`, async () => {
    for (const size of [...CHUNK_SIZES, 2, 3]) {
      const seen = await read(bytes, size, MAX);
      assertEquals(seen.map(brief), items, `chunk size ${size}`);
    }
  });
}

Deno.test("every recorded stream gives the same frames at every chunk size", async () => {
  const folder = new URL("../../fixtures/streams/", import.meta.url);
  let streams = 0;
  for await (const entry of Deno.readDir(folder)) {
    if (!entry.name.endsWith(".ndjson")) continue;
    const bytes = await Deno.readFile(new URL(entry.name, folder));
    const text = new TextDecoder().decode(bytes);
    const frames = text.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line));
    for (const size of CHUNK_SIZES) {
      const items = await read(bytes, size);
      assertEquals(
        items.map((item) => item.kind === "frame" && item.terminated ? item.frame : item.kind),
        frames,
        `${entry.name} at chunk size ${size}`,
      );
      const total = items.reduce((sum, item) => sum + item.bytes + 1, 0);
      assertEquals(total, bytes.length, "every byte belongs to a line");
    }
    streams += 1;
  }
  assert(streams >= 30, `only ${streams} recorded streams were found`);
});

Deno.test("random lines give one item each at random chunkings", async () => {
  const random = new Random(3);
  const kinds = ['{"a":1}', '{"type":"é"}', "", "x", "[]", '{"long":"0123456789abcdef"}', "\r"];
  for (let round = 0; round < 200; round++) {
    const lines = Array.from({ length: random.int(0, 400) }, () => random.pick(kinds));
    const bytes = utf8(lines.map((line) => line + "\n").join(""));
    const chunks = cutRandomly(bytes, random, random.pick([3, 50, 5000]));
    const items = await flatten(frameStream(streamOf(chunks), { maxFrameBytes: MAX }));
    assertEquals(items.length, lines.length, `round ${round}`);
    items.forEach((item, i) => {
      const size = utf8(lines[i] ?? "").length;
      assertEquals(item.bytes, size);
      assertEquals(item.kind === "oversized", size > MAX);
    });
  }
});

Deno.test("a frame of exactly 1 MiB is read and one byte more is left out, by default", async () => {
  const frame = `{"type":"user","x":"${"x".repeat(MAX_FRAME_BYTES - 22)}"}`;
  assertEquals(frame.length, MAX_FRAME_BYTES);
  const items = await read(utf8(`${frame}\n${frame} \n`), 65_536);
  assertEquals(items.map((item) => `${item.kind} ${item.bytes}`), [
    `frame ${MAX_FRAME_BYTES}`,
    `oversized ${MAX_FRAME_BYTES + 1}`,
  ]);
});

Deno.test("batches are bounded, and a line is handed out before the next one comes", async () => {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const batches = frameStream(readable).getReader();
  const size = async () => (await batches.read()).value?.length;
  void writer.write(utf8('{"a":1}\n{"half":'));
  assertEquals(await size(), 1);
  void writer.write(utf8('2}\n{"b":2}\n'));
  assertEquals(await size(), 2);
  void writer.write(utf8("\n".repeat(600)));
  assertEquals([await size(), await size(), await size()], [256, 256, 88]);
  void writer.close();
  assertEquals((await batches.read()).done, true);
});

Deno.test("onBytes tells after each chunk whether a frame is being discarded, and how much of it", async () => {
  const states: [boolean, number][] = [];
  const chunks = ['{"a":1}\n12', "3456789", "abc", "def", '\n{"b":2}\n'].map(utf8);
  const items = await flatten(frameStream(streamOf(chunks), {
    maxFrameBytes: 8,
    onBytes: ({ discarding, discardedBytes }) => states.push([discarding, discardedBytes]),
  }));
  assertEquals(states, [[false, 0], [true, 9], [true, 12], [true, 15], [false, 0]]);
  assertEquals(items.map((item) => item.kind), ["frame", "oversized", "frame"]);
});

Deno.test("nothing is read that nobody asked for", async () => {
  let pulled = 0;
  const source = new ReadableStream<Uint8Array>({
    pull(controller) {
      pulled += 1;
      controller.enqueue(utf8('{"a":1}\n'));
    },
  }, { highWaterMark: 0 });
  const reader = frameStream(source).getReader();
  let read = 0;
  while (read < 500) {
    read += (await reader.read()).value?.length ?? 0;
    // Each of the three stages may hold a chunk on either side, and one is on its way.
    assert(pulled <= read + 7, `${pulled} chunks were pulled for ${read} lines`);
  }
  await reader.cancel();
});

Deno.test("cancelling cancels the source with the same reason, also while a read is pending", async () => {
  for (const pending of [false, true]) {
    const { promise: cancelled, resolve } = Promise.withResolvers<unknown>();
    const source = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(utf8('{"a":1}\n')),
      cancel: resolve,
    });
    const reader = frameStream(source).getReader();
    assertEquals((await reader.read()).value?.length, 1);
    const next = pending ? reader.read() : null;
    await reader.cancel("enough");
    assertEquals(await cancelled, "enough");
    assertEquals((await next)?.done, pending ? true : undefined);
  }
});

Deno.test("an error of the source is passed on", async () => {
  const source = new ReadableStream<Uint8Array>({
    start: (controller) => controller.error(new TypeError("the pipe broke")),
  });
  await assertRejects(() => flatten(frameStream(source)), TypeError, "the pipe broke");
});
