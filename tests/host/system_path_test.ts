import { assertEquals } from "@std/assert";
import { systemPath } from "../../src/host/system_path.ts";

const SYSTEM = "/usr/bin:/bin:/usr/sbin:/sbin";
const TABLE: readonly (readonly [string | undefined, string])[] = [
  [undefined, SYSTEM],
  ["", SYSTEM],
  ["/opt/bin:/usr/bin", `${SYSTEM}:/opt/bin`],
  [".:/opt/bin::bin:../x:", `${SYSTEM}:/opt/bin`],
];

for (const [given, expected] of TABLE) {
  Deno.test(`systemPath(${given}) searches the system first and no relative folder`, () => {
    assertEquals(systemPath(given), expected);
  });
}

Deno.test("a shim in the user's PATH decides nothing, and a file of the working directory is not run", async () => {
  const folder = await Deno.makeTempDir();
  for (const name of ["grep", "bash", "perl", "python3", "readlink", "ps"]) {
    await Deno.writeTextFile(`${folder}/${name}`, `#!/bin/sh\necho x >> ${folder}/used\nexit 1\n`, {
      mode: 0o755,
    });
  }
  const { launchFake } = await import("../helpers/launch.ts");
  const env = { ...Deno.env.toObject(), PATH: `.:${folder}:${Deno.env.get("PATH")}` };
  const before = Deno.cwd();
  try {
    Deno.chdir(folder);
    const run = await launchFake("group_child", { argv: ["--", "end"], launcher: { env } });
    assertEquals((await run.finish())?.confirmed, true);
  } finally {
    Deno.chdir(before);
  }
  const used = await Deno.stat(`${folder}/used`).then(() => true, () => false);
  await Deno.remove(folder, { recursive: true });
  assertEquals(used, false);
});
