import { assertEquals, assertStringIncludes } from "@std/assert";

const ALL = [
  "--allow-run",
  "--allow-env",
  "--allow-read",
  "--allow-write",
  "--allow-net=127.0.0.1",
];

/** How a turn ends in a program with these flags. */
async function turnWith(
  flags: readonly string[],
  executable?: string,
  env: { readonly [name: string]: string } = {},
) {
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--no-check",
      "--no-prompt",
      ...flags,
      new URL("permissions_program.ts", import.meta.url).pathname,
      ...(executable === undefined ? [] : [executable]),
    ],
    env,
    stdin: "null",
  }).output();
  const text = new TextDecoder();
  const said = text.decode(stdout);
  if (said === "") throw new Error(text.decode(stderr));
  return JSON.parse(said) as { readonly code: string | null; readonly message: string };
}

Deno.test("a permission that is missing is said with its flag, and is no fault of this program", async () => {
  for (const flag of ALL) {
    const { code, message } = await turnWith(ALL.filter((each) => each !== flag), "/bin/sh");
    assertEquals(code, "invalid_configuration", `${flag}: ${message}`);
    assertStringIncludes(message, flag.split("=", 1)[0]!);
  }
});

Deno.test("without a permission to look for it the executable is hidden, not missing", async () => {
  const { code, message } = await turnWith(ALL.filter((each) => each !== "--allow-read"));
  assertEquals(code, "invalid_configuration");
  assertStringIncludes(message, "--allow-read");
});

Deno.test("a folder for temporary files that cannot be used is a matter of the configuration", async () => {
  for (const TMPDIR of ["/nowhere/at/all", "/dev/null"]) {
    const { code, message } = await turnWith(ALL, "/bin/sh", { TMPDIR });
    assertEquals(code, "invalid_configuration", message);
    assertStringIncludes(message, "TMPDIR");
  }
});

Deno.test("with all permissions the turn gets as far as the executable, which is none", async () => {
  const { code, message } = await turnWith(ALL, "/bin/sh");
  assertEquals(code, "incompatible_vendor", message);
});
