import { assert, assertStringIncludes } from "@std/assert";
import { HELP, welcome } from "../../src/cli/help.ts";

Deno.test("the help names every option and where the executable comes from", () => {
  for (
    const part of [
      "serve",
      "--executable ABSOLUTE_PATH",
      "CLAUDE_CODE_EXECUTABLE",
      "--oversized-frames skip|fail",
      "--sync-budget SECONDS",
      "--log-level error|warn|info|debug",
      "--version",
      "SIGTERM",
    ]
  ) assertStringIncludes(HELP, part);
  assert(HELP.split("\n").every((line) => line.length <= 100), "fits a terminal");
});

Deno.test("the welcome shows a host configuration that is JSON", () => {
  const text = welcome({ command: "/opt/deno", args: ["run", "mod.ts", "serve"] });
  const json = text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1);
  const { mcpServers } = JSON.parse(json);
  assert(mcpServers["claude-code"].args.at(-1) === "serve");
});
