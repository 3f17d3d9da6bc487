import { assert, assertEquals } from "@std/assert";
import { systemClock } from "../../src/host/clock.ts";
import { takeLock } from "../../src/host/file_lock.ts";

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
    first!.release();
    const second = await takeLock(path, once);
    assertEquals(second?.text, "text");
    second!.release();
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
    first!.release();
    const second = await patient;
    assert(second !== null);
    second.release();
  });
});

Deno.test("a lock that was removed while somebody waited is not taken for the new one", async () => {
  await inFolder(async (path) => {
    const first = await takeLock(path, once);
    await first!.keep("old");
    const waiting = takeLock(path, { ...once, wait: true });
    await first!.remove();
    first!.release();
    const second = await waiting;
    assertEquals(second?.text, "", "the new file, not the removed one");
    assertEquals(await takeLock(path, once), null);
    second!.release();
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
      globalThis.held = await takeLock(Deno.args[0], { clock: systemClock, wait: false });
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
    child.kill("SIGKILL");
    await child.status;
    await reader.cancel();
    const next = await takeLock(path, once);
    assert(next !== null);
    next.release();
    await Deno.remove(program);
  });
});
