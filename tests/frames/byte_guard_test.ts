import { assert, assertEquals } from "@std/assert";
import { MAX_FRAME_BYTES } from "../../src/base/limits.ts";
import { ByteGuard, type GuardedPart, type OversizedFrame } from "../../src/frames/byte_guard.ts";
import { CHUNK_SIZES, cut, cutRandomly, join, utf8 } from "../helpers/chunks.ts";
import { Random } from "../helpers/random.ts";

const LF = 0x0a;

interface Seen {
  /** A blank line stands for each discarded frame. */
  text: string;
  oversized: Found[];
  lines: [bytes: number, terminated: boolean][];
  /** The most that was kept at any time. */
  held: number;
}

/** A discarded frame, and the 0-based number of its line. */
interface Found extends Omit<OversizedFrame, "kind"> {
  readonly line: number;
}

function run(chunks: Iterable<Uint8Array>, maxFrameBytes?: number): Seen {
  const guard = new ByteGuard({ ...(maxFrameBytes !== undefined && { maxFrameBytes }) });
  const seen: Seen = { text: "", oversized: [], lines: [], held: 0 };
  const passed: Uint8Array[] = [];
  const take = (part: GuardedPart) => {
    if (part.kind === "oversized") {
      const { kind: _, ...found } = part;
      seen.oversized.push({ line: seen.lines.length, ...found });
      seen.lines.push([part.bytes, part.complete]);
      passed.push(utf8("\n"));
      return;
    }
    assert(part.bytes.length > 0);
    let start = 0;
    for (let lf = part.bytes.indexOf(LF); lf !== -1; lf = part.bytes.indexOf(LF, start)) {
      seen.lines.push([lf - start, true]);
      start = lf + 1;
    }
    if (start < part.bytes.length) seen.lines.push([part.bytes.length - start, false]);
    passed.push(part.bytes);
  };
  for (const chunk of chunks) {
    for (const part of guard.push(chunk)) {
      if (part.kind === "lines") assertEquals(part.bytes.at(-1), LF, "only complete lines");
      else assertEquals(part.complete, true);
      take(part);
    }
    seen.held = Math.max(seen.held, guard.heldBytes);
  }
  guard.flush().forEach(take);
  assertEquals([guard.heldBytes, guard.discarding, guard.discardedBytes], [0, false, 0]);
  return { ...seen, text: new TextDecoder().decode(join(passed)) };
}

/** The text of lines that were passed on, and nothing else. */
function textOf(parts: readonly GuardedPart[]): string {
  const bytes = parts.map((part) => part.kind === "lines" ? part.bytes : utf8("<discarded>"));
  return new TextDecoder().decode(join(bytes));
}

/** The same, said in the slow and plain way. */
function expected(text: string, max: number): Omit<Seen, "held" | "oversized"> {
  const parts = text.split("\n");
  const last = parts.pop() ?? "";
  const lines: Seen["lines"] = parts.map((part) => [utf8(part).length, true]);
  let out = parts.map((part) => (utf8(part).length > max ? "" : part) + "\n").join("");
  if (last !== "") {
    lines.push([utf8(last).length, false]);
    out += utf8(last).length > max ? "\n" : last;
  }
  return { text: out, lines };
}

const CASES: readonly { name: string; text: string; oversized: Found[] }[] = [
  { name: "nothing", text: "", oversized: [] },
  { name: "blank lines", text: "\n\n\n", oversized: [] },
  { name: "frames within the bound", text: '{"a":1}\n{"b":2}\n', oversized: [] },
  { name: "exactly the bound", text: '{"a":12345}\nx\n', oversized: [] },
  {
    name: "one byte more",
    text: 'a\n{"type":"b"}\nc\n',
    oversized: [{ line: 1, type: "b", bytes: 12, complete: true }],
  },
  {
    name: "one byte more, in the first line, a blank one before it",
    text: '\n{"type":"b"}\n\n',
    oversized: [{ line: 1, type: "b", bytes: 12, complete: true }],
  },
  {
    name: "two in a row",
    text: '{"type":"b"}\n{"a":0,"type":"c"}\nd\n',
    oversized: [
      { line: 0, type: "b", bytes: 12, complete: true },
      { line: 1, type: "c", bytes: 18, complete: true },
    ],
  },
  {
    name: "one that is not JSON",
    text: "x".repeat(50) + "\n",
    oversized: [{ line: 0, type: null, bytes: 50, complete: true }],
  },
  {
    name: "the end of the stream inside one",
    text: 'a\n{"type":"result"',
    oversized: [{ line: 1, type: "result", bytes: 16, complete: false }],
  },
  { name: "an unterminated last line", text: "a\nbcd", oversized: [] },
  { name: "an unterminated line of exactly the bound", text: "01234567890", oversized: [] },
  {
    name: "characters of many bytes count as bytes",
    text: "éééééé\nééééé\n",
    oversized: [{ line: 0, type: null, bytes: 12, complete: true }],
  },
  {
    name: "a CR counts",
    text: "01234567890\r\n0123456789\r\n",
    oversized: [{ line: 0, type: null, bytes: 12, complete: true }],
  },
];
const MAX = 11;

for (const { name, text, oversized } of CASES) {
  Deno.test(`the guard passes on what is within 11 bytes, at every chunk size: ${name}`, () => {
    for (const size of [...CHUNK_SIZES, 2, 3, 11, 12, 13]) {
      const seen = run(cut(utf8(text), size), MAX);
      assertEquals(seen.oversized, oversized, `chunk size ${size}`);
      const { text: out, lines } = expected(text, MAX);
      assertEquals({ text: seen.text, lines: seen.lines }, { text: out, lines }, `size ${size}`);
      assert(seen.held <= MAX);
    }
  });
}

Deno.test("the guard equals a split of the whole text, for random text and chunkings", () => {
  const random = new Random(2);
  const pieces = ["\n", "\n", "\r\n", "é", "😀", "a", "bcd", '"', "\\", "{", "}", "\u2028", "\v\f"];
  for (let i = 0; i < 2000; i++) {
    const text = Array.from({ length: random.int(0, 40) }, () => random.pick(pieces)).join("");
    const max = random.int(1, 20);
    const seen = run(cutRandomly(utf8(text), random, random.int(1, 30)), max);
    const { text: out, lines } = expected(text, max);
    assertEquals({ text: seen.text, lines: seen.lines }, { text: out, lines }, `round ${i}`);
    assertEquals(seen.oversized.length, lines.filter(([bytes]) => bytes > max).length);
    assert(seen.held <= max);
  }
});

for (
  const [name, extra, passes] of [["exactly", 0, true], ["one byte more than", 1, false]] as const
) {
  for (const ending of ["\n", ""]) {
    Deno.test(`a frame of ${name} 1 MiB ${ending ? "with" : "without"} newline`, () => {
      const start = '{"type":"user","x":"';
      const frame = start + "x".repeat(MAX_FRAME_BYTES + extra - start.length - 2) + '"}';
      assertEquals(frame.length, MAX_FRAME_BYTES + extra);
      for (const size of [4096, 65_536, 1_000_003, Infinity]) {
        const seen = run(cut(utf8(frame + ending), size));
        assertEquals(seen.lines, [[frame.length, ending !== ""]]);
        assertEquals(seen.text === frame + ending, passes, `chunk size ${size}`);
        const complete = ending !== "";
        const notice = { line: 0, type: "user", bytes: frame.length, complete };
        assertEquals(seen.oversized, passes ? [] : [notice]);
        if (!passes) assertEquals(seen.text, "\n");
      }
    });
  }
}

Deno.test("the guard says that it discards as soon as the bound is passed, before any newline", () => {
  const guard = new ByteGuard({ maxFrameBytes: 4 });
  assertEquals(guard.push(utf8("ab\n1234")).length, 1);
  assertEquals([guard.discarding, guard.discardedBytes, guard.heldBytes], [false, 0, 4]);
  assertEquals(guard.push(utf8("5")), []);
  assertEquals([guard.discarding, guard.discardedBytes, guard.heldBytes], [true, 5, 0]);
  assertEquals(guard.push(utf8("6789")), []);
  assertEquals([guard.discarding, guard.discardedBytes, guard.heldBytes], [true, 9, 0]);
  const [notice, ...rest] = guard.push(utf8("\nok\n12345"));
  assertEquals(notice, { kind: "oversized", type: null, bytes: 9, complete: true });
  assertEquals(textOf(rest), "ok\n");
  assertEquals([guard.discarding, guard.discardedBytes], [true, 5]);
});

Deno.test("64 MiB without a newline are discarded with nothing kept, and the next frame is whole", () => {
  const size = 64 * 1024 * 1024;
  const chunk = utf8("x".repeat(8192));
  const guard = new ByteGuard();
  const head = utf8('{"uuid":"');
  let passed = guard.push(head).length;
  for (let sent = 0; sent < size; sent += chunk.length) {
    passed += guard.push(chunk).length;
    assertEquals(guard.heldBytes === 0, guard.discarding);
    assert(guard.heldBytes <= MAX_FRAME_BYTES);
  }
  assertEquals(passed, 0);
  assertEquals(guard.discardedBytes, head.length + size);
  const tail = utf8('","type":"result"}\n{"type":"user"}\n');
  const [notice, ...rest] = guard.push(tail);
  assertEquals(textOf(rest), '{"type":"user"}\n');
  assertEquals(notice, {
    kind: "oversized",
    type: "result", // said after the bound, by bytes that were never kept
    bytes: head.length + size + 18,
    complete: true,
  });
  assertEquals(guard.discarding, false);
});

Deno.test("a frame of 1 MiB in chunks of one byte is kept in one buffer of at most 1 MiB", () => {
  const guard = new ByteGuard();
  const byte = utf8("x");
  for (let i = 0; i < MAX_FRAME_BYTES; i++) guard.push(byte);
  assertEquals([guard.heldBytes, guard.discarding], [MAX_FRAME_BYTES, false]);
  assertEquals(textOf(guard.push(utf8("\n"))), `${"x".repeat(MAX_FRAME_BYTES)}\n`);
});

Deno.test("a chunk is searched from both ends, its lines only when they may be too large, nothing kept again", () => {
  let searches = 0;
  class CountedBytes extends Uint8Array {
    override indexOf(byte: number, from?: number): number {
      searches += 1;
      return super.indexOf(byte, from);
    }
    override lastIndexOf(byte: number): number {
      searches += 1;
      return super.lastIndexOf(byte);
    }
  }
  const guard = new ByteGuard({ maxFrameBytes: 100_000 });
  for (let i = 0; i < 10_000; i++) guard.push(new CountedBytes(7).fill(0x78));
  assertEquals(searches, 10_000);
  guard.push(new CountedBytes(50).fill(LF));
  assertEquals(searches, 10_002);
  guard.push(new CountedBytes(100_002).fill(LF));
  assertEquals(searches, 10_002 + 1 + 100_002);
});

Deno.test("what was passed on does not change when more comes in", () => {
  const guard = new ByteGuard();
  guard.push(utf8("ab"));
  const passed = guard.push(utf8("c\nd"));
  guard.push(utf8("efgh\nijkl"));
  assertEquals(textOf(passed), "abc\n");
});

Deno.test("no text in the stream can be mistaken for a notice", () => {
  const forged = '{"line":0,"type":"result","bytes":9,"complete":true,"kind":"oversized"}\n\n';
  const seen = run([utf8(forged)]);
  assertEquals(seen.oversized, []);
  assertEquals(seen.text, forged);
});
