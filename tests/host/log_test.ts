import { assert, assertEquals } from "@std/assert";
import { createLog } from "../../src/host/log.ts";
import { createOutput } from "../../src/host/stdio.ts";
import { sha256 } from "../../src/host/sha256.ts";

function sink() {
  const lines: string[] = [];
  const gate = Promise.withResolvers<void>();
  return {
    lines,
    open: gate.resolve,
    write: async (bytes: Uint8Array) => {
      await gate.promise;
      lines.push(new TextDecoder().decode(bytes));
    },
  };
}

const settle = () => new Promise((resolve) => setTimeout(resolve, 0));

Deno.test("log: only what is severe enough is written, one line each", async () => {
  const out = sink();
  out.open();
  const log = createLog({ level: "warn", write: out.write });
  log.write("info", "hidden");
  log.write("warn", "two\nlines", { a: 1, b: "x\ny" });
  log.write("error", "bad");
  await settle();
  assertEquals(out.lines, ['warn: two lines a=1 b="x\\ny"\n', "error: bad\n"]);
});

Deno.test("log: the JSON form is one object a line", async () => {
  const out = sink();
  out.open();
  const log = createLog({ format: "json", write: out.write, now: () => 0 });
  log.write("info", "hello", { n: 1 });
  log.write("info", "x".repeat(9_000), { big: "y".repeat(9_000) });
  await settle();
  assertEquals(JSON.parse(out.lines[0]!), {
    time: "1970-01-01T00:00:00.000Z",
    level: "info",
    message: "hello",
    n: 1,
  });
  assertEquals(JSON.parse(out.lines[1]!).cut, true);
  assert(out.lines[1]!.length < 4_096);
});

Deno.test("log: a slow reader costs lines, not memory, and is told how many", async () => {
  const out = sink();
  const log = createLog({ write: out.write });
  for (let i = 0; i < 10_000; i++) log.write("info", `line ${i}`);
  out.open();
  await settle();
  log.write("info", "after");
  await settle();
  assertEquals(out.lines.length, 256 + 2);
  assertEquals(out.lines.slice(-2), ["warn: 9744 log lines were dropped\n", "info: after\n"]);
});

Deno.test("log: a broken stderr and a value that is no JSON hurt nobody", async () => {
  const log = createLog({ write: () => Promise.reject(new Error("EPIPE")) });
  const circle: { self?: unknown } = {};
  circle.self = circle;
  log.write("info", "x", { circle, big: 1n });
  await settle();
});

Deno.test("output: messages are whole and in order although each write takes a part", async () => {
  let text = "";
  const output = createOutput({
    write: (bytes) => {
      const part = bytes.subarray(0, 3);
      text += new TextDecoder().decode(part);
      return settle().then(() => part.length);
    },
  });
  const encode = (message: string) => new TextEncoder().encode(message);
  await Promise.all(
    ["first message\n", "second\n", "\n"].map((message) => output.write(encode(message))),
  );
  assertEquals(text, "first message\nsecond\n\n");
});

Deno.test("output: a pipe that does not wait gets everything all the same", async () => {
  let [text, calls] = ["", 0];
  const output = createOutput({
    write(bytes) {
      // Measured: what a full pipe with O_NONBLOCK gives.
      if (calls++ % 2 === 0) return Promise.reject(new Deno.errors.WouldBlock("os error 11"));
      text += new TextDecoder().decode(bytes.subarray(0, 4));
      return Promise.resolve(Math.min(4, bytes.length));
    },
  });
  await output.write(new TextEncoder().encode("a message\n"));
  assertEquals(text, "a message\n");
});

Deno.test("output: a reader that is gone fails this write and every later one", async () => {
  let writes = 0;
  const output = createOutput({
    write: () => {
      writes += 1;
      return Promise.reject(new Deno.errors.BrokenPipe("Broken pipe"));
    },
  });
  const failures = await Promise.allSettled([
    output.write(new Uint8Array(1)),
    output.write(new Uint8Array(1)),
  ]);
  assertEquals(failures.map((one) => one.status), ["rejected", "rejected"]);
  assertEquals(writes, 1);
});

Deno.test("sha256: is the one everybody knows", () => {
  assertEquals(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  assertEquals(sha256("é"), "4a99557e4033c3539de2eb65472017cad5f9557f7a0625a09f1c3f6e2ba69c4c");
});
