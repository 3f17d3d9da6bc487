import { assert, assertEquals, assertRejects } from "@std/assert";
import { type ByteSource, freshChunks, reusedChunks } from "../../src/engine/byte_source.ts";
import { StreamPump } from "../../src/engine/stream_pump.ts";
import type { FrameItem } from "../../src/frames/frame_stream.ts";
import { systemClock } from "../../src/host/clock.ts";
import { cutRandomly, join, utf8 } from "../helpers/chunks.ts";
import { Random } from "../helpers/random.ts";

/** As the runtime gives a pipe. */
function byteStream(chunks: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  const left = chunks.filter(({ length }) => length > 0); // a pipe never gives nothing
  return new ReadableStream({
    type: "bytes",
    autoAllocateChunkSize: 65_536,
    pull(controller) {
      const { byobRequest } = controller;
      const view = byobRequest!.view as Uint8Array;
      const next = left.shift();
      if (next === undefined) {
        controller.close();
        byobRequest!.respond(0);
        return;
      }
      const fits = next.subarray(0, view.length);
      if (fits.length < next.length) left.unshift(next.subarray(fits.length));
      view.set(fits);
      byobRequest!.respond(fits.length);
    },
  });
}

async function all(source: ByteSource): Promise<readonly Uint8Array[]> {
  const parts: Uint8Array[] = [];
  for (let part = await source.next(); part !== null; part = await source.next()) {
    parts.push(part.slice());
  }
  return parts;
}

const CHUNKS = [utf8("one"), utf8("x".repeat(100_000)), utf8("é"), utf8("last")];

Deno.test("both ways read the same bytes, of a stream of bytes and of any other", async () => {
  for (const read of [freshChunks, reusedChunks]) {
    for (const stream of [byteStream(CHUNKS), ReadableStream.from(CHUNKS)]) {
      assertEquals(join([...await all(read(stream))]), join(CHUNKS));
    }
  }
});

Deno.test("memory that is used again is that of the part before", async () => {
  const source = reusedChunks(byteStream(CHUNKS));
  const first = await source.next();
  assertEquals(first?.length, 3);
  assert(await source.next() !== null);
  assertEquals(first?.length, 0, "it was taken away");
  const fresh = freshChunks(byteStream(CHUNKS));
  const kept = await fresh.next();
  await fresh.next();
  assertEquals(kept, utf8("one"));
});

Deno.test("a source that is cancelled while it waits is at its end, and one that fails says so", async () => {
  for (const read of [freshChunks, reusedChunks]) {
    const silent = read(new ReadableStream({ type: "bytes" }));
    const waiting = silent.next();
    await silent.cancel();
    assertEquals(await waiting, null);
    const broken = read(
      new ReadableStream({
        type: "bytes",
        pull: () => {
          throw new Error("broken pipe");
        },
      }),
    );
    await assertRejects(() => broken.next(), Error, "broken pipe");
  }
});

Deno.test("frames are the same whatever memory their bytes came in", async () => {
  const random = new Random(7);
  const lines = Array.from({ length: 3_000 }, (_, n) =>
    JSON.stringify({
      type: "user",
      n,
      text: random.pick(["a", "é", "日本", "😀", "\u2028"]).repeat(random.int(0, 200)),
    }));
  lines.splice(1_500, 0, "no frame", "", `{"big":"${"x".repeat(1_100_000)}","type":"assistant"}`);
  const bytes = utf8(lines.join("\n"));
  const read = async (stream: ReadableStream<Uint8Array>) => {
    const items: FrameItem[] = [];
    const pump = new StreamPump(stream, {
      clock: systemClock,
      strict: false,
      onItems: (batch) => void items.push(...batch),
      onFault: ({ message }) => {
        throw new Error(message);
      },
    });
    await pump.drain();
    return items;
  };
  const expected = await read(ReadableStream.from([bytes]));
  assertEquals(expected.length, lines.length);
  assertEquals(expected.filter(({ kind }) => kind === "oversized").length, 1);
  for (let round = 0; round < 5; round++) {
    const chunks = cutRandomly(bytes, random, random.pick([2_000, 30_000, 300_000]));
    assertEquals(await read(byteStream([...chunks])), expected);
  }
});
