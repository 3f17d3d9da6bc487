/**
 * What to put into a host's configuration.
 *
 * @module
 */
import type { HostCommand } from "../help.ts";
import { type HostEntry, type HostId, HOSTS } from "./host_table.ts";
import { inFolder, type LaunchSource } from "./launch.ts";
import { pluginToml } from "./plugin_toml.ts";
import { tomlKey, tomlLine, type TomlValue } from "./toml_text.ts";

/** The name of the server in hosts' files. */
export const SERVER_NAME = "claude-code";

/** How long `claude.run` may take where a host gives up on a call after a minute. */
const IMPATIENT_BUDGET_SECONDS = 50;

/** What a snippet is made from. */
export interface SnippetInput {
  /** Up to and with `serve`. */
  readonly launch: HostCommand;
  /** What `launch` starts. */
  readonly from: LaunchSource;
  /** The native executable to name, or `null` to leave it to the host's environment. */
  readonly executable: string | null;
  /** The folder that runs work in, or `null` for wherever the host starts the server. */
  readonly project: string | null;
  readonly version: string;
}

/** The text for a host's file, with its last newline. */
export function snippet(id: HostId, input: SnippetInput): string {
  const host = HOSTS[id];
  const { project } = input;
  const full: HostCommand = {
    command: input.launch.command,
    args: [
      ...input.launch.args,
      ...(host.impatient ? ["--sync-budget", String(IMPATIENT_BUDGET_SECONDS)] : []),
      ...(input.executable === null ? [] : ["--executable", input.executable]),
    ],
  };
  if (id === "computer-mcp") return pluginToml({ ...input, server: full });
  const launch = project !== null && host.cwd === null ? inFolder(full, project) : full;
  const entry = entryOf(host, { launch, project });
  if (host.format !== "toml") {
    return `${JSON.stringify({ [host.servers]: { [SERVER_NAME]: entry } }, null, 2)}\n`;
  }
  const lines = Object.entries(entry).map(([key, value]) => tomlLine(key, value as TomlValue));
  return `[${host.servers}.${tomlKey(SERVER_NAME)}]\n${lines.join("")}`;
}

/** One server's entry, by the host's own names. */
function entryOf(
  host: HostEntry,
  { launch, project }: { readonly launch: HostCommand; readonly project: string | null },
): { readonly [name: string]: unknown } {
  const { type, ...rest } = host.extra;
  return {
    ...(type !== undefined && { type }),
    command: launch.command,
    args: launch.args,
    ...(host.cwd !== null && project !== null && { [host.cwd]: project }),
    ...rest,
  };
}
