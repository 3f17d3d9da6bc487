import { assert, assertEquals } from "@std/assert";
import { readBoundedFile } from "../../src/host/bounded_file.ts";

Deno.test("readBoundedFile() reads regular files up to the bound and says why it does not", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(`${folder}/ten`, "0123456789");
    await Deno.writeTextFile(`${folder}/empty`, "");
    await Deno.symlink(`${folder}/ten`, `${folder}/link`);
    await Deno.symlink(`${folder}/gone`, `${folder}/broken`);
    await Deno.symlink(`${folder}/circle`, `${folder}/circle`);
    // Opening it would wait for ever.
    await new Deno.Command("mkfifo", { args: [`${folder}/pipe`] }).output();
    for (const [name, text] of [["ten", "0123456789"], ["link", "0123456789"], ["empty", ""]]) {
      const file = await readBoundedFile(`${folder}/${name}`, 10);
      assert("bytes" in file, name);
      assertEquals(new TextDecoder().decode(file.bytes), text);
    }
    const problems = [
      ["gone", 10, "it does not exist"],
      ["broken", 10, "it does not exist"],
      ["", 10, "it is no regular file"],
      ["pipe", 10, "it is no regular file"],
      ["ten", 9, "it is larger than 9 bytes"],
      ["ten/x", 10, "it is below something that is not a folder"],
      ["circle", 10, "it is a symbolic link in a circle of links"],
      ["x".repeat(300), 10, "it cannot be read: File name too long"],
    ] as const;
    for (const [name, max, problem] of problems) {
      assertEquals(await readBoundedFile(`${folder}/${name}`, max), { problem }, name);
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test({
  name: "readBoundedFile() says that reading is not allowed",
  permissions: { read: false },
  fn: async () => {
    assertEquals(await readBoundedFile("/etc/hostname", 10), {
      problem: "it may not be read: allow it with --allow-read",
    });
  },
});
