/**
 * The MCP hosts that `config` writes for and `doctor` looks at: where their files are and what is in them.
 *
 * @module
 */

/** The hosts, by the names people give to `config`. */
export type HostId =
  | "claude-desktop"
  | "claude-code"
  | "cursor"
  | "vscode"
  | "windsurf"
  | "zed"
  | "codex"
  | "gemini-cli"
  | "computer-mcp";

/** The systems this program runs on. */
export type HostOs = "linux" | "darwin";

/** A configuration file of a host. */
export interface HostFile {
  readonly scope: "user" | "project" | "package";
  /** `null` for every system. */
  readonly os: HostOs | null;
  /** `~` is the home; anything else that is relative starts from the project. */
  readonly path: string;
  /** A variable that names another folder for this file. */
  readonly folderVariable?: string;
}

/** One host. */
export interface HostEntry {
  readonly name: string;
  readonly format: "json" | "jsonc" | "toml";
  /** The member, or table, that holds the servers by name. */
  readonly servers: "mcpServers" | "servers" | "context_servers" | "mcp_servers" | "mcp";
  readonly files: readonly HostFile[];
  /** Whether the host is a desktop program: those do not have the PATH of a person's shell. */
  readonly desktop: boolean;
  /** What an entry has besides the command, in the host's own words. */
  readonly extra: { readonly [name: string]: string | number | { readonly [name: string]: never } };
  /** The member that names the server's directory; `null` when the host has none. */
  readonly cwd: "cwd" | null;
  /** Whether calls end after about a minute and nothing in the file changes that. */
  readonly impatient: boolean;
  /** What to do with the snippet, in order. */
  readonly next: readonly string[];
}

/** The deadline of a run at most, for hosts that want a number. */
const LONGEST_SECONDS = 1_800;

const user = (path: string, os: HostOs | null = null): HostFile => ({ scope: "user", os, path });
const project = (path: string): HostFile => ({ scope: "project", os: null, path });

/** What is common: a JSON file with `mcpServers`. */
const COMMON = {
  format: "json",
  servers: "mcpServers",
  desktop: false,
  extra: {},
  cwd: null,
  impatient: false,
} as const;

/** Every host, in the order of the help. */
export const HOSTS: { readonly [id in HostId]: HostEntry } = {
  "claude-desktop": {
    ...COMMON,
    name: "Claude Desktop",
    desktop: true,
    impatient: true,
    files: [
      user("~/Library/Application Support/Claude/claude_desktop_config.json", "darwin"),
      user("~/.config/Claude/claude_desktop_config.json", "linux"),
    ],
    next: [
      "Merge it into the file, quit Claude Desktop completely and start it again.",
      "Claude Desktop starts servers in a folder of its own: give --project FOLDER to say where runs work.",
    ],
  },
  "claude-code": {
    ...COMMON,
    name: "Claude Code",
    extra: { type: "stdio" },
    files: [project(".mcp.json"), user("~/.claude.json")],
    next: [
      "Merge it into .mcp.json of the project (shared) or ~/.claude.json (yours), or run 'claude mcp add'.",
      "Start claude in the project and type /mcp to see the server.",
    ],
  },
  cursor: {
    ...COMMON,
    name: "Cursor",
    desktop: true,
    impatient: true,
    files: [user("~/.cursor/mcp.json"), project(".cursor/mcp.json")],
    next: [
      "Merge it into the file; Cursor asks to enable the new server, in Settings under MCP.",
      "Give --project FOLDER to say where runs work, unless the file is the project's own.",
    ],
  },
  vscode: {
    ...COMMON,
    name: "VS Code",
    format: "jsonc",
    servers: "servers",
    desktop: true,
    extra: { type: "stdio" },
    cwd: "cwd",
    files: [
      project(".vscode/mcp.json"),
      user("~/Library/Application Support/Code/User/mcp.json", "darwin"),
      user("~/.config/Code/User/mcp.json", "linux"),
    ],
    next: ["Merge it into the file and choose Start above the entry, or run 'MCP: List Servers'."],
  },
  windsurf: {
    ...COMMON,
    name: "Windsurf",
    desktop: true,
    impatient: true,
    files: [user("~/.codeium/windsurf/mcp_config.json")],
    next: [
      "Merge it into the file and press refresh in Cascade's list of MCP servers.",
      "Give --project FOLDER to say where runs work.",
    ],
  },
  zed: {
    ...COMMON,
    name: "Zed",
    format: "jsonc",
    servers: "context_servers",
    desktop: true,
    impatient: true,
    extra: { env: {} },
    files: [user("~/.config/zed/settings.json"), project(".zed/settings.json")],
    next: [
      "Merge it into the file (zed: open settings); the agent panel's settings show a green dot when it runs.",
      "Give --project FOLDER to say where runs work, unless the file is the project's own.",
    ],
  },
  codex: {
    ...COMMON,
    name: "Codex",
    format: "toml",
    servers: "mcp_servers",
    // Its defaults are 10 s for the start and 60 s for a call.
    extra: { startup_timeout_sec: 30, tool_timeout_sec: LONGEST_SECONDS },
    cwd: "cwd",
    files: [
      { ...user("~/.codex/config.toml"), folderVariable: "CODEX_HOME" },
      project(".codex/config.toml"),
    ],
    next: ["Append it to the file, start codex and type /mcp to see the server."],
  },
  "gemini-cli": {
    ...COMMON,
    name: "Gemini CLI",
    format: "jsonc",
    // Milliseconds.
    extra: { timeout: LONGEST_SECONDS * 1_000 },
    cwd: "cwd",
    files: [user("~/.gemini/settings.json"), project(".gemini/settings.json")],
    next: ["Merge it into the file, start gemini and type /mcp to see the server."],
  },
  "computer-mcp": {
    ...COMMON,
    name: "Computer MCP",
    format: "toml",
    servers: "mcp",
    files: [{ scope: "package", os: null, path: "computer-mcp-plugin.toml" }],
    next: [
      "Put it into the root of a package folder, beside cli-tree.json and skills/claude-code of this program.",
      "Choose that folder as a plugin's source in Computer MCP, then run 'computer-mcp plugins doctor claude-code'.",
    ],
  },
};

/** Whether `text` names a host. */
export function isHostId(text: string): text is HostId {
  return Object.hasOwn(HOSTS, text);
}

/** The files of a host on one system. */
export function filesOn(id: HostId, os: string): readonly HostFile[] {
  return HOSTS[id].files.filter((file) => file.os === null || file.os === os);
}

/** Where a file is, absolute; `null` when there is no home, or it belongs to no place in particular. */
export function placeOf(
  file: HostFile,
  { env, cwd }: { readonly env: { readonly [name: string]: string }; readonly cwd: string },
): string | null {
  if (file.scope === "package") return null;
  if (!file.path.startsWith("~/")) return `${cwd}/${file.path}`;
  const folder = file.folderVariable === undefined ? "" : env[file.folderVariable] ?? "";
  if (folder.startsWith("/")) return `${folder}/${file.path.slice(file.path.lastIndexOf("/") + 1)}`;
  const home = env["HOME"] ?? "";
  return home.startsWith("/") ? `${home.replace(/\/+$/, "")}/${file.path.slice(2)}` : null;
}
