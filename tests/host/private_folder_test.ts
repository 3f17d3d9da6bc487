import { assert, assertEquals, assertRejects } from "@std/assert";
import { makePrivateFolder, sweepPrivateFolders } from "../../src/host/private_folder.ts";
import { createProcessTable } from "../../src/host/process_table.ts";

const log = { write: () => {} };

Deno.test("a private folder and its files are the owner's alone, and go with everything in it", async () => {
  const folder = await makePrivateFolder({ table: createProcessTable(), id: "test" });
  const file = await folder.write("secret.json", "{}");
  const mode = async (path: string) => (await Deno.stat(path)).mode! & 0o777;
  assertEquals([await mode(folder.path), await mode(file)], [0o700, 0o600]);
  const inner = await folder.subfolder("work");
  assertEquals([inner, await mode(inner)], [`${folder.path}/work`, 0o700]);
  await assertRejects(() => folder.write("secret.json", "again"), Deno.errors.AlreadyExists);
  await Deno.mkdir(`${folder.path}/config/deep`, { recursive: true });
  assertEquals([await folder.remove(), await folder.remove()], [true, true]);
  await assertRejects(() => Deno.stat(folder.path), Deno.errors.NotFound);
});

Deno.test("only folders of programs that are gone are swept", async () => {
  const root = await Deno.realPath(await Deno.makeTempDir());
  const table = createProcessTable();
  const { namespace, identity } = await table.self();
  const prefix = `claude-code-adapter-${namespace}.`;
  const gone = [
    `${prefix}${identity.pid}.${identity.start + 1}.abc-1`, // another program had this pid
    `${prefix}4194301.5.abc-2`,
  ];
  const stay = [
    `${prefix}${identity.pid}.${identity.start}.abc-3`,
    `claude-code-adapter-${namespace + 1}.4194301.5.abc-4`, // of another container
    "claude-code-adapter-notes",
    "other",
  ];
  for (const name of [...gone, ...stay]) await Deno.mkdir(`${root}/${name}`);
  await Deno.symlink("/", `${root}/${prefix}4194301.5.link-5`);
  assertEquals(await sweepPrivateFolders(`${root}/x`, { table, log }), gone.length);
  const left = (await Array.fromAsync(Deno.readDir(root))).map(({ name }) => name).sort();
  assertEquals(left, [...stay, `${prefix}4194301.5.link-5`].sort());
  const failing = { self: () => table.self(), look: () => Promise.reject(new Error("no look")) };
  await Deno.mkdir(`${root}/${gone[0]}`);
  assertEquals(await sweepPrivateFolders(`${root}/x`, { table: failing, log }), 0);
  assert((await Deno.stat(`${root}/${gone[0]}`)).isDirectory, "nothing goes without a look");
  await Deno.remove(root, { recursive: true });
});
