/**
 * The declaration that makes this program a plugin of Computer MCP: the native command tree, the MCP server and the
 * skill. That host's public reference of plugin packages defines the fields; it refuses unknown ones, and wants paths
 * relative to the package and programs that are not in it as dependencies.
 *
 * @module
 */
import type { HostCommand } from "../help.ts";
import { BINARY_NAME, type LaunchSource } from "./launch.ts";
import { tomlLine, type TomlValue } from "./toml_text.ts";

/** What the declaration is made from. */
export interface PluginInput {
  /** How the MCP server is started; the host finds the program itself. */
  readonly server: HostCommand;
  readonly from: LaunchSource;
  readonly version: string;
}

/** The text of `computer-mcp-plugin.toml`. */
export function pluginToml({ server, from, version }: PluginInput): string {
  const runtime = from === "binary"
    ? {
      id: "adapter",
      commands: [BINARY_NAME],
      instructions: `Put the binary ${BINARY_NAME} into a folder of the host's search path.`,
    }
    : {
      id: "deno",
      commands: ["deno"],
      instructions: "Install Deno 2 so that the host's search path has it.",
      documentation: "https://docs.deno.com/runtime/getting_started/installation/",
    };
  return table(null, {
    id: "claude-code",
    name: "Claude Code",
    version,
    description:
      "Bounded, supervised and cancellable runs of the user's own Claude Code, and its print command.",
  }) +
    table("dependencies", {
      id: "claude",
      commands: ["claude"],
      instructions:
        "Install Claude Code and log in with it once. This plugin never installs, updates or logs in.",
      documentation: "https://docs.anthropic.com/en/docs/claude-code/overview",
    }) +
    table("dependencies", runtime) +
    table("cli", {
      id: "print",
      executable: { dependency: "claude" },
      description: "One prompt in, one JSON result out, without any interaction.",
      tree: { kind: "file", path: "cli-tree.json" },
    }) +
    table("mcp", {
      id: "runs",
      transport: "stdio",
      executable: { dependency: runtime.id },
      args: server.args,
      prefix: "claude",
      capabilities: ["tools"],
    }) +
    table("skills", {
      id: "guide",
      path: "skills/claude-code",
      description: "When to use which tool, how to wait, how to resume, and what the errors mean.",
    });
}

/** One table of an array of tables; the first one has no header. */
function table(name: string | null, members: { readonly [key: string]: TomlValue }): string {
  const lines = Object.entries(members).map(([key, value]) => tomlLine(key, value)).join("");
  return name === null ? lines : `\n[[${name}]]\n${lines}`;
}
