import { assert, assertEquals, assertRejects } from "@std/assert";
import { AdapterError } from "../../src/base/errors.ts";
import { systemClock } from "../../src/host/clock.ts";
import { readLockNote, readLockText, takeLock } from "../../src/host/file_lock.ts";

const once = { clock: systemClock, wait: false };

async function inFolder(body: (path: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "adapter-lock-" });
  await body(`${folder}/below/one.lock`);
  await Deno.remove(folder, { recursive: true });
}

Deno.test("a lock is held by one, keeps a text for the next, and nobody else can read it", async () => {
  await inFolder(async (path) => {
    const first = await takeLock(path, once);
    assertEquals(first?.text, "");
    await first!.keep("a longer text");
    await first!.keep("text");
    assertEquals(await takeLock(path, once), null);
    await first!.release();
    const second = await takeLock(path, once);
    assertEquals(second?.text, "text");
    await second!.release();
    assertEquals((await Deno.stat(path)).mode! & 0o777, 0o600);
  });
});

Deno.test("somebody who waits gets the lock after its holder, or gives up when told to", async () => {
  await inFolder(async (path) => {
    const first = await takeLock(path, once);
    const abort = new AbortController();
    const impatient = takeLock(path, { ...once, wait: true, signal: abort.signal });
    const patient = takeLock(path, { ...once, wait: true });
    abort.abort();
    assertEquals(await impatient, null);
    await first!.release();
    const second = await patient;
    assert(second !== null);
    await second.release();
  });
});

Deno.test("a lock that was removed while somebody waited is not taken for the new one", async () => {
  await inFolder(async (path) => {
    const first = await takeLock(path, once);
    await first!.keep("old");
    const waiting = takeLock(path, { ...once, wait: true });
    await first!.remove();
    await first!.release();
    const second = await waiting;
    assertEquals(second?.text, "", "the new file, not the removed one");
    assertEquals(await takeLock(path, once), null);
    await second!.release();
  });
});

Deno.test("a holder that is killed gives its lock back", async () => {
  await inFolder(async (path) => {
    const code = `
      const { takeLock } = await import(${
      JSON.stringify(import.meta.resolve("../../src/host/file_lock.ts"))
    });
      const { systemClock } = await import(${
      JSON.stringify(import.meta.resolve("../../src/host/clock.ts"))
    });
      globalThis.held = await takeLock(Deno.args[0], { clock: systemClock, wait: false, note: "me" });
      console.log(globalThis.held === null ? "not held" : "held");
      setInterval(() => {}, 1000);
    `;
    const program = await Deno.makeTempFile({ suffix: ".ts" });
    await Deno.writeTextFile(program, code);
    const child = new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-check", program, path],
      stdin: "null",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    const reader = child.stdout.getReader();
    assertEquals(new TextDecoder().decode((await reader.read()).value), "held\n");
    assertEquals(await takeLock(path, once), null);
    assertEquals(await readLockNote(path), "me");
    child.kill("SIGKILL");
    await child.status;
    await reader.cancel();
    const next = await takeLock(path, once);
    assert(next !== null);
    assertEquals(next.orphan, "me", "who was killed holding it is known");
    await next.release();
    await Deno.remove(program);
  });
});

Deno.test("a holder's note is there while it holds the lock, and no part of the text", async () => {
  await inFolder(async (path) => {
    assertEquals([await readLockNote(path), await readLockText(path)], ["", null]);
    const first = await takeLock(path, { ...once, note: "first" });
    assertEquals([await readLockNote(path), await readLockText(path)], ["first", ""]);
    await first!.keep("one\ntext");
    assertEquals(await readLockText(path), "one text", "it is one line");
    await first!.release();
    assertEquals(await readLockNote(path), "");
    const second = await takeLock(path, { ...once, note: "x".repeat(160) });
    assertEquals([second?.text, second?.orphan], ["one text", ""]);
    assertEquals(await readLockNote(path), "", "a note that has no room is none");
    await second!.release();
  });
});

Deno.test("who waits hears of a release, also when its own looks are far apart", async () => {
  if (Deno.build.os !== "linux") return; // elsewhere the system tells later, and only the looks are sure
  await inFolder(async (path) => {
    const first = await takeLock(path, once);
    const never = { ...systemClock, after: () => () => {} };
    const waiting = takeLock(path, { clock: never, wait: true });
    await first!.keep("looked at meanwhile");
    await first!.release();
    const second = await waiting;
    assertEquals(second?.text, "looked at meanwhile");
    await second!.release();
  });
});

Deno.test("what is no plain file is refused, and a pipe is not waited for", async () => {
  await inFolder(async (path) => {
    await Deno.mkdir(path, { recursive: true });
    for (const use of [() => takeLock(path, once), () => readLockText(path)]) {
      await assertRejects(use, AdapterError, "has to be a plain file");
    }
    await Deno.remove(path);
    await Deno.symlink("/nowhere", path);
    await assertRejects(() => takeLock(path, once), AdapterError, "has to be a plain file");
    await Deno.remove(path);
    const { success } = await new Deno.Command("mkfifo", { args: [path] }).output();
    assert(success);
    await assertRejects(() => readLockNote(path), AdapterError, "has to be a plain file");
  });
});
