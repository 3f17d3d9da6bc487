import { assertEquals } from "@std/assert";
import { findSessionFile, holdsMessage, putAside } from "../../src/host/session_file.ts";

Deno.test("a session's file is found by its directory, one with a long name too", async () => {
  const configDir = await Deno.makeTempDir({ prefix: "adapter-session-" });
  const id = "5a1f0f0e-0000-4000-8000-000000000001";
  const long = `/tmp/${"ä long/name ".repeat(30)}`;
  const folders = [["/home/a b.c", "-home-a-b-c"], [
    long,
    `${long.replace(/[^a-zA-Z0-9]/g, "-").slice(0, 200)}-1x2y3z`,
  ]] as const;
  assertEquals(await findSessionFile({ configDir, cwd: long, id }), null);
  for (const [cwd, name] of folders) {
    assertEquals(await findSessionFile({ configDir, cwd, id }), null);
    await Deno.mkdir(`${configDir}/projects/${name}`, { recursive: true });
    const path = `${configDir}/projects/${name}/${id}.jsonl`;
    await Deno.writeTextFile(path, "");
    assertEquals(await findSessionFile({ configDir, cwd, id }), path);
    assertEquals(await findSessionFile({ configDir, cwd: `${cwd}2`, id }) === path, cwd === long);
  }
  await Deno.remove(configDir, { recursive: true });
});

Deno.test("a file holds a message wherever it begins; one without is put aside, and nothing is lost", async () => {
  const folder = await Deno.makeTempDir({ prefix: "adapter-session-" });
  const path = `${folder}/one.jsonl`;
  const message = '{"parentUuid":null,"type":"user","message":{}}\n';
  for (const size of [0, 1, 16_383, 65_530, 65_536, 200_000]) {
    await Deno.writeTextFile(path, "x".repeat(size) + message);
    assertEquals(await holdsMessage(path), true, `after ${size}`);
    await Deno.writeTextFile(path, "x".repeat(size) + message.replace("user", "queue-operation"));
    assertEquals(await holdsMessage(path), false, `after ${size}`);
  }
  assertEquals(await putAside(path), `${path}.unusable-1`);
  await Deno.writeTextFile(path, "again");
  assertEquals(await putAside(path), `${path}.unusable-2`);
  assertEquals(await Deno.readTextFile(`${path}.unusable-2`), "again");
  await Deno.remove(folder, { recursive: true });
});
