/** A permission of Deno that is missing is a fault of the configuration, and its flag is named. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { makePlace } from "../../scripts/support/place.ts";

const PROGRAM = new URL("permission_program.ts", import.meta.url).pathname;
const ALL = ["run", "env", "read", "write"];

const TABLE: readonly (readonly [part: string, missing: string, code: string])[] = [
  ["executor", "run", "invalid_configuration"],
  ["executor", "env", "invalid_configuration"],
  ["executor", "read", "dependency_unavailable"],
  ["executor", "write", "invalid_configuration"],
  ["thread", "run", "invalid_configuration"],
  ["thread", "env", "invalid_configuration"],
  ["thread", "read", "invalid_configuration"],
  ["thread", "write", "invalid_configuration"],
  ["run", "run", "startup_failed"],
  ["run", "env", "invalid_configuration"],
  ["run", "read", "dependency_unavailable"],
];

for (const [part, missing, code] of TABLE) {
  Deno.test(`the library's ${part} without --allow-${missing} says so`, async () => {
    await using place = await makePlace({ prefix: "adapter-permissions-" });
    const flags = ALL.filter((name) => name !== missing).map((name) => `--allow-${name}`);
    const { stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "--no-prompt", "--cached-only", ...flags, PROGRAM, part, "/bin/true"],
      cwd: place.project,
      env: { CLAUDE_CONFIG_DIR: place.config, ANTHROPIC_API_KEY: "made-up" },
      stdin: "null",
      stderr: "null",
    }).output();
    const error = JSON.parse(new TextDecoder().decode(stdout));
    assertEquals(error.code, code, error.message);
    assertStringIncludes(error.message, `--allow-${missing}`);
  });
}
