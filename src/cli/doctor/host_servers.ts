/**
 * Reads a host's configuration for servers that are this program. Only names, commands and arguments are looked at,
 * and nothing of the text goes into a message: such files hold keys.
 *
 * @module
 */
import { parse as parseJsonc } from "@std/jsonc/parse";
import {
  arrayMember,
  isObject,
  type JsonValue,
  objectMember,
  stringMember,
} from "../../base/json.ts";
import type { HostEntry } from "../hosts/host_table.ts";
import { BINARY_NAME, JSR_NAME } from "../hosts/launch.ts";

/** A server of a host that starts this program. */
export interface HostServer {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
}

/** The servers that are this program, or why they cannot be told. */
export type HostServers =
  | { readonly servers: readonly HostServer[] }
  /** A clause such as `it is not JSON (line 3)`; `mentions` whether the text has this program's name all the same. */
  | { readonly fault: string; readonly mentions: boolean };

/** Reads `text`, the content of a file of `host`; `cwd` chooses among servers that are kept by project. */
export function readHostServers(
  text: string,
  { host, cwd }: { readonly host: HostEntry; readonly cwd: string },
): HostServers {
  if (host.format === "toml") return { servers: tomlServers(text, host.servers).filter(isOurs) };
  if (text.trim() === "") return { servers: [] };
  let value: unknown;
  try {
    value = host.format === "json" ? JSON.parse(text) : parseJsonc(text);
  } catch (caught) {
    const message = caught instanceof Error ? caught.message : "";
    const position = /position (\d+)/.exec(message)?.[1];
    const line = position === undefined ? "" : ` (line ${lineAt(text, Number(position))})`;
    return { fault: `it is not JSON${line}`, mentions: namesUs(text) };
  }
  if (!isObject(value)) return { fault: "it is no JSON object", mentions: namesUs(text) };
  // Claude Code keeps the servers of one person in one project below the project's path.
  const own = objectMember(objectMember(value, "projects"), cwd);
  return {
    servers: [value, own].flatMap((part) => {
      const servers = objectMember(part, host.servers);
      return servers === null ? [] : Object.entries(servers).map(toServer);
    }).filter(isOurs),
  };
}

function toServer([name, entry]: [string, JsonValue]): HostServer {
  // Older settings of Zed nest the command.
  const nested = objectMember(entry, "command");
  const args = arrayMember(nested ?? entry, "args").filter((arg) => typeof arg === "string");
  const command = nested === null ? stringMember(entry, "command") : stringMember(nested, "path");
  return { name, command: command ?? "", args };
}

/**
 * The tables of a TOML file, read line by line: enough to find what starts this program, and no judgement of the rest.
 */
function tomlServers(text: string, table: string): readonly HostServer[] {
  const servers: { name: string; body: string }[] = [];
  let current: { name: string; body: string } | null = null;
  for (const line of text.split("\n")) {
    const header = /^\s*\[\s*([^\]]+?)\s*\]/.exec(line)?.[1];
    if (header !== undefined && !line.includes("=")) {
      const name = header.startsWith(`${table}.`) ? header.slice(table.length + 1) : null;
      const isOwn = name !== null && !/^[A-Za-z0-9_-]+\./.test(name);
      current = isOwn ? { name: name.replace(/^["']|["']$/g, ""), body: "" } : null;
      if (current !== null) servers.push(current);
    } else if (current !== null && !/^\s*#/.test(line)) current.body += `${line}\n`;
  }
  return servers.map(({ name, body }) => {
    const args = /^\s*args\s*=\s*\[([\s\S]*?)\]\s*(?:#.*)?$/m.exec(body)?.[1] ?? "";
    const command = /^\s*command\s*=\s*("(?:[^"\\]|\\.)*"|'[^']*')/m.exec(body)?.[1] ?? "";
    return { name, command: tomlStrings(command)[0] ?? "", args: tomlStrings(args) };
  });
}

function tomlStrings(text: string): readonly string[] {
  return [...text.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'/g)].map(([, basic, literal]) => {
    if (basic === undefined) return literal ?? "";
    try {
      return String(JSON.parse(`"${basic}"`));
    } catch {
      return basic;
    }
  });
}

function isOurs({ command, args }: HostServer): boolean {
  const words = [command, ...args];
  return words.some(namesUs) ||
    words.some((word, i) => word.endsWith("/mod.ts") && words[i + 1] === "serve");
}

function namesUs(text: string): boolean {
  return text.includes(BINARY_NAME) || text.includes(JSR_NAME);
}

function lineAt(text: string, position: number): number {
  return text.slice(0, position).split("\n").length;
}
