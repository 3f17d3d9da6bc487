import { assertEquals } from "@std/assert";
import { openEyes } from "../../src/host/run_eyes.ts";
import type { Look, ProcessRow } from "../../src/supervision/process_row.ts";
import { lookOf, row } from "../supervision/rows.ts";

const TOKEN = "4026531836.50.500.run";

/** Eyes on the run of supervisor 100, which see one table after another. */
function eyesOn(tables: readonly (readonly ProcessRow[] | null)[], isAlive = false) {
  const rest = [...tables];
  const eyes = openEyes({
    ports: {
      look(): Promise<Look> {
        const next = rest.shift()!;
        return next === null ? Promise.reject(new Error("dark")) : Promise.resolve(lookOf(next));
      },
    },
    token: TOKEN,
    supervisor: 100,
    supervisorAlive: () => isAlive,
    excluded: () => [50],
  });
  return { eyes, owned: async () => (await eyes.look()).found.owned.map((one) => one.pid) };
}

Deno.test("eyes: what was seen stays known when all signs of it are gone, over a look that failed too", async () => {
  const hidden = row(130, { ppid: 101 });
  const { owned } = eyesOn([
    [row(101, { ppid: 100, tokens: [TOKEN] }), hidden],
    null,
    [{ ...hidden, ppid: 1 }],
    [row(130, { start: 9_999 })],
  ]);
  assertEquals(await owned(), [101, 130]);
  await owned().catch(() => {});
  assertEquals(await owned(), [130]);
  assertEquals(await owned(), [], "another process with its pid is another process");
});

Deno.test("eyes: a group's number means nothing any more once the group was empty", async () => {
  const later = row(110, { pgid: 100, sid: 100 });
  assertEquals(await eyesOn([[later]]).owned(), [110]);
  const { owned } = eyesOn([[later], [{ ...later, alive: false }], [later], [], [later]]);
  assertEquals(await owned(), [110]);
  assertEquals(await owned(), []);
  assertEquals(await owned(), [110], "a zombie kept the number");
  assertEquals(await owned(), []);
  assertEquals(await owned(), [], "a stranger's group has got it since");
});

Deno.test("eyes: a living supervisor's group is its own however empty it was", async () => {
  const { owned } = eyesOn([[row(100)], [row(100), row(110, { pgid: 100 })]], true);
  assertEquals(await owned(), []);
  assertEquals(await owned(), [110]);
});

Deno.test("eyes: what is adopted is owned as long as it is the same process", async () => {
  const { eyes, owned } = eyesOn([[row(130)], [row(130, { start: 1 })]]);
  eyes.adopt([{ pid: 130, start: 1_300 }]);
  assertEquals(await owned(), [130]);
  assertEquals(await owned(), []);
});
