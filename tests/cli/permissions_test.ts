/** The permissions of the server, over a real process. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { fakeClaude } from "../helpers/fake_claude.ts";
import { cleanEnv } from "./adapter.ts";

const ENTRY = decodeURIComponent(new URL("../../mod.ts", import.meta.url).pathname);
const ALL = ["--allow-run", "--allow-env", "--allow-read"];

async function serveWith(flags: readonly string[], ...args: string[]) {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-check", ...flags, ENTRY, "serve", ...args],
    clearEnv: true,
    env: cleanEnv(),
    stdin: "null",
  }).output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

for (const flag of ALL) {
  Deno.test(`without ${flag} the server ends with exit code 2 and a sentence that names it`, async () => {
    const scopes = flag === "--allow-read"
      ? [[], ["--allow-read=/nowhere"]]
      : [[], [`${flag}=ls`], [flag, `--deny-${flag.slice(8)}=ls`]];
    for (const scoped of scopes) {
      const others = ALL.filter((other) => other !== flag);
      const { code, stdout, stderr } = await serveWith([...others, ...scoped]);
      assertEquals([code, stdout], [2, ""], stderr);
      assertStringIncludes(stderr, `cannot serve without ${flag};`);
      assertEquals(stderr.trim().split("\n").length, 1, stderr);
    }
  });
}

Deno.test("without any permission the sentence names all of them", async () => {
  const { code, stderr } = await serveWith([]);
  assertEquals(code, 2);
  assertStringIncludes(stderr, `without ${ALL.join(" ")};`);
});

Deno.test("reading may be limited to the executable: the server warns and serves", async () => {
  const executable = fakeClaude("ok");
  const limited = ["--allow-run", "--allow-env", `--allow-read=${executable}`];
  const { code, stderr } = await serveWith(limited, `--executable=${executable}`);
  assertEquals(code, 0, stderr);
  assertStringIncludes(stderr, "--allow-read is limited");
});

Deno.test("with all permissions nothing is said", async () => {
  const { code, stderr } = await serveWith(ALL, `--executable=${fakeClaude("ok")}`);
  assertEquals([code, stderr], [0, ""]);
});
