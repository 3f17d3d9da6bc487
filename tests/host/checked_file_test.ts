import { assertEquals, assertStringIncludes } from "@std/assert";
import { SETTLING_MS } from "../../src/contract/verification.ts";
import { CheckedFile } from "../../src/host/checked_file.ts";
import { identify } from "../../src/host/file_identity.ts";
import { withinOneSecond } from "../helpers/same_second.ts";

async function inFolder(body: (path: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "checked_" });
  try {
    await body(`${await Deno.realPath(folder)}/program`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

const write = (path: string, text: string) => Deno.writeTextFile(path, text, { mode: 0o755 });

Deno.test("a time of change is known in whole seconds, which is why identity alone does not tell", async () => {
  await inFolder(async (path) => {
    for (let i = 0; i < 5; i++) {
      await write(path, `${i}`);
      assertEquals((await identify(path)).ctime_ms % 1_000, 0);
    }
  });
});

Deno.test("a file that is rewritten within the second of its change is another, though it looks the same", async () => {
  await inFolder(async (path) => {
    const file = await withinOneSecond(path, {
      write: () => write(path, "one"),
      async between() {
        const opened = new CheckedFile(path, { now: Date.now });
        assertEquals(await opened.open(), null);
        assertEquals(await opened.isSame(), true);
        return opened;
      },
      rewrite: () => write(path, "two"),
    });
    assertEquals(await file.isSame(), false);
  });
});

Deno.test("a file is read until it is settled, and then no more", async () => {
  await inFolder(async (path) => {
    let now = 0;
    const file = await withinOneSecond(path, {
      write: () => write(path, "one"),
      async between() {
        const { ctime_ms } = await identify(path);
        now = ctime_ms;
        const opened = new CheckedFile(path, { now: () => now });
        assertEquals(await opened.open(), null);
        now = ctime_ms + SETTLING_MS;
        assertEquals(await opened.isSame(), true, "read, and settled");
        return opened;
      },
      rewrite: () => write(path, "two"),
    });
    assertEquals(await file.isSame(), true, "it is not read any more");
  });
});

Deno.test("a file that is not there or cannot be run is said, and is never the same", async () => {
  await inFolder(async (path) => {
    await Deno.symlink(path, path);
    const circle = new CheckedFile(path, { now: Date.now });
    assertStringIncludes(await circle.open() ?? "", "circle of links");
    await Deno.remove(path);
    const missing = new CheckedFile(path, { now: Date.now });
    assertEquals(await missing.open(), "the executable does not exist");
    await write(path, "one");
    assertEquals([await circle.isSame(), await missing.isSame()], [false, false]);
  });
});
