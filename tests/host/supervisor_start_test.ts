import { assertEquals, assertMatch } from "@std/assert";
import { CANNOT_CLOSE_CODE, SUPERVISOR_START } from "../../src/host/supervisor_start.ts";

/** Opens descriptors 3, 9 and 57 with bash, as a host may have, and then runs the script under a shell. */
async function descriptorsSeen(
  shell: string,
  path: string,
): Promise<{ code: number; said: string }> {
  const list = "ls /proc/self/fd 2>/dev/null || ls /dev/fd";
  const output = await new Deno.Command("/bin/bash", {
    args: [
      "-c",
      'exec 3</dev/null 9</dev/null 57</dev/null; exec "$@"',
      "bash",
      "/usr/bin/env",
      "-i",
      `PATH=${path}`,
      shell,
      "-c",
      SUPERVISOR_START,
      "sh",
      "/bin/sh",
      "-c",
      `PATH=/usr/bin:/bin; ${list}; echo "$@"`,
      "sh",
      "two  words",
      "",
      "é",
    ],
    stdin: "null",
  }).output();
  const text = new TextDecoder();
  return { code: output.code, said: text.decode(output.stdout) + text.decode(output.stderr) };
}

/** A folder with links to some programs only. */
async function withPrograms(
  names: readonly string[],
  act: (path: string) => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    for (const name of names) await Deno.symlink(`/usr/bin/${name}`, `${folder}/${name}`);
    await act(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

// ls itself holds the folder it lists as 3.
const ONLY_STANDARD = "0\n1\n2\n3\ntwo  words  é\n";

for (const shell of ["/bin/sh", "/bin/bash"]) {
  Deno.test(`descriptors: 3, 9 and 57 are closed by ${shell}`, async () => {
    assertEquals(await descriptorsSeen(shell, "/usr/bin:/bin"), { code: 0, said: ONLY_STANDARD });
  });
}

for (const helper of ["bash", "perl", "python3"]) {
  Deno.test(`descriptors: 3, 9 and 57 are closed where only ${helper} can`, async () => {
    await withPrograms([helper], async (path) => {
      assertEquals(await descriptorsSeen("/bin/sh", path), { code: 0, said: ONLY_STANDARD });
    });
  });
}

Deno.test("descriptors: what nothing can close is a reason not to start", async () => {
  await withPrograms([], async (path) => {
    const { code, said } = await descriptorsSeen("/bin/sh", path);
    if (code === 0) return assertEquals(said, ONLY_STANDARD, "this sh closes two digits by itself");
    assertEquals(code, CANNOT_CLOSE_CODE);
    assertMatch(
      said,
      /^Cannot close the inherited descriptors( \d+)* 57( \d+)*: install bash or perl\n$/,
    );
  });
});
