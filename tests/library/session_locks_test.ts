import { assert, assertEquals, assertRejects } from "@std/assert";
import { systemClock } from "../../src/host/clock.ts";
import { takeLock } from "../../src/host/file_lock.ts";
import { threadSessionLocks } from "../../src/library/session_locks.ts";
import { lockPath } from "../../src/library/thread_place.ts";
import { AdapterError } from "../../src/base/errors.ts";
import { ThreadBusy } from "../../src/threads/thread_error.ts";

const ID = "6ba7b810-9dad-11d1-80b4-00c04fd430c8";
const { signal } = new AbortController();

interface Bench {
  readonly config: string;
  readonly path: string;
  readonly swept: number[];
  hold(id: string): Promise<() => Promise<void>>;
}

async function inFolder(body: (bench: Bench) => Promise<void>): Promise<void> {
  const config = await Deno.realPath(await Deno.makeTempDir({ prefix: "adapter-sessions-" }));
  const swept: number[] = [];
  const identity = { pid: Deno.pid, start: 1 };
  const row = { ...identity, alive: true };
  const locks = threadSessionLocks({
    clock: systemClock,
    env: { CLAUDE_CONFIG_DIR: config },
    table: {
      self: () => Promise.resolve({ identity, namespace: 1, knowsNamespace: true } as never),
      look: () => Promise.resolve({ rows: [row] } as never),
    },
    sweep: () => Promise.resolve(void swept.push(1)),
  });
  await body({
    config,
    path: lockPath(config, ID),
    swept,
    hold: (id) => locks.hold(id, signal),
  });
  await Deno.remove(config, { recursive: true });
}

const once = { clock: systemClock, wait: false };

Deno.test("a session of no thread, a title and a path are nobody's, and no file is made for them", async () => {
  await inFolder(async ({ config, hold }) => {
    for (const id of [ID, "the title of a conversation", "../../../etc/passwd", ""]) {
      await (await hold(id))();
    }
    assertEquals(await Array.fromAsync(Deno.readDir(config)), []);
  });
});

Deno.test("a thread's session is held by one at a time, in whatever way its id is written", async () => {
  await inFolder(async ({ path, hold }) => {
    const made = await takeLock(path, once);
    await made!.keep("what is kept");
    await assertRejects(() => hold(ID), ThreadBusy);
    await made!.release();
    const release = await hold(` ${ID.toUpperCase()}\n`);
    const busy = await assertRejects(() => hold(ID), ThreadBusy);
    assertEquals(busy.pid, Deno.pid, "the holder is named");
    assertEquals(await takeLock(path, once), null);
    await release();
    const next = await takeLock(path, once);
    assertEquals([next?.text, next?.orphan], ["what is kept", ""]);
    await next!.release();
  });
});

Deno.test("whoever follows a holder that was killed looks first for what is left of it", async () => {
  await inFolder(async ({ path, swept, hold }) => {
    await (await takeLock(path, once))!.release();
    await Deno.writeTextFile(path, "killed".padEnd(159) + "\nkept\n");
    const release = await hold(ID);
    assertEquals(swept.length, 1);
    await release();
    await (await hold(ID))();
    assertEquals(swept.length, 1, "nothing is left after that");
  });
});

Deno.test("a lock that is something else than a file is an error, not a free session", async () => {
  await inFolder(async ({ path, hold }) => {
    await Deno.mkdir(path, { recursive: true });
    await assertRejects(() => hold(ID), AdapterError, "plain file");
    await Deno.remove(path);
    const folder = path.slice(0, path.lastIndexOf("/"));
    await Deno.remove(folder);
    await Deno.writeTextFile(folder, "");
    const { code } = await assertRejects(() => hold(ID), AdapterError);
    assertEquals(code, "invalid_configuration");
  });
});

Deno.test("a program that may not write holds the lock all the same, and changes nothing in it", async () => {
  await inFolder(async ({ config, path }) => {
    await (await takeLock(path, { ...once, note: "killed" }))!.release();
    const text = "killed".padEnd(159) + "\nkept\n";
    await Deno.writeTextFile(path, text);
    const code = `
      import { openHostPorts } from ${
      JSON.stringify(import.meta.resolve("../../src/library/host_ports.ts"))
    };
      const { sessions } = openHostPorts({ env: { ...Deno.env.toObject(), CLAUDE_CONFIG_DIR: ${
      JSON.stringify(config)
    } } });
      const release = await sessions.hold("${ID}", new AbortController().signal);
      console.log("held");
      await Deno.stdin.read(new Uint8Array(1));
      await release();
      console.log("given back");
      await Deno.stdin.read(new Uint8Array(1));
    `;
    await using child = new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "--no-prompt",
        "--allow-read",
        "--allow-env",
        "--allow-run",
        `data:application/typescript,${encodeURIComponent(code)}`,
      ],
      stdin: "piped",
      stdout: "piped",
      stderr: "inherit",
    }).spawn();
    const lines = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
    assertEquals((await lines.read()).value, "held\n");
    assertEquals(await takeLock(path, once), null);
    const input = child.stdin.getWriter();
    await input.write(new Uint8Array(1));
    assertEquals((await lines.read()).value, "given back\n");
    const next = await takeLock(path, once);
    assert(next !== null);
    assertEquals([next.text, next.orphan], ["kept", "killed"]);
    await next.release();
    await input.close();
    assertEquals((await child.status).code, 0);
    await lines.cancel();
  });
});
