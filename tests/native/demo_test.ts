import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { installNative } from "../../scripts/native/install.ts";

Deno.test("the demo keeps its promises and prints no colour into a pipe", async () => {
  await installNative();
  const demo = decodeURIComponent(new URL("../../scripts/demo.ts", import.meta.url).pathname);
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--quiet", demo],
    stdin: "null",
  }).output();
  const said = new TextDecoder().decode(stdout);
  assertEquals(code, 0, said + new TextDecoder().decode(stderr));
  assertEquals(new TextDecoder().decode(stderr), "");
  for (
    const part of ["claude   Two things: bake the bread", "tool     Read: notes.txt", "cancelled"]
  ) {
    assertStringIncludes(said, part);
  }
  assertStringIncludes(said, "nothing is left running");
  assertStringIncludes(said, "All as promised");
  assert(!said.includes("\x1b"));
});
