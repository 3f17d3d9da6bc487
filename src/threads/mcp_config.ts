/**
 * The MCP servers of a thread as the text of a configuration file. It may hold secrets: it belongs into a file that only
 * its owner reads, never into an argument.
 *
 * @module
 */
import { AdapterError } from "../base/errors.ts";
import { isObject, type JsonObject, utf8Length } from "../base/json.ts";

/** A server that the CLI starts and speaks to over its standard streams. */
export interface StdioMcpServer {
  /** Which kind of server it is. */
  readonly type: "stdio";
  /** The program. */
  readonly command: string;
  /** Its arguments. */
  readonly args?: readonly string[];
  /** Added to the environment that the CLI gives it. */
  readonly env?: { readonly [name: string]: string };
  /**
   * Give the model the server's tools at once. Else it has to find them with a search first (measured).
   *
   * @default {false}
   */
  readonly alwaysLoad?: boolean;
}

/** A server at an address. */
export interface HttpMcpServer {
  /** Which kind of server it is. */
  readonly type: "http";
  /** `http:` or `https:`, without a name and password in it. */
  readonly url: string;
  /** Such as `Authorization`. */
  readonly headers?: { readonly [name: string]: string };
  /** As in {@linkcode StdioMcpServer}. */
  readonly alwaysLoad?: boolean;
}

/** Servers by name. A tool of server `a` is `mcp__a__tool`. */
export type McpServers = { readonly [name: string]: StdioMcpServer | HttpMcpServer };

/** Servers of one thread. */
export const MAX_MCP_SERVERS = 64;
/** UTF-8 bytes of the file. */
export const MAX_MCP_CONFIG_BYTES = 256 * 1024;

/** With `__` in it a tool's full name could be read in two ways. */
const SERVER_NAME = /^(?!.*__)[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;
const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;
const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
const CONTROL = /\p{Cc}/u;

const MEMBERS: { readonly [type: string]: readonly string[] } = {
  stdio: ["type", "command", "args", "env", "alwaysLoad"],
  http: ["type", "url", "headers", "alwaysLoad"],
};

/**
 * The text of the file; equal servers give equal text.
 *
 * @throws {AdapterError} `invalid_arguments`, naming the server and what is wrong, never a value: it may be a secret.
 */
export function mcpConfigText(servers: McpServers): string {
  if (!isObject(servers)) wrong("it must be an object of servers by name");
  const names = Object.keys(servers).sort();
  if (names.length > MAX_MCP_SERVERS) {
    wrong(`there are ${names.length} servers, and the bound is ${MAX_MCP_SERVERS}`);
  }
  const checked: [string, JsonObject][] = names.map((name) => {
    if (!SERVER_NAME.test(name)) {
      wrong(
        "a server's name must be 1 to 64 letters, digits, hyphens and single underscores, as in 'my-server'",
      );
    }
    return [name, checkServer(servers[name], (reason) => wrong(`server '${name}': ${reason}`))];
  });
  const text = `${JSON.stringify({ mcpServers: Object.fromEntries(checked) }, null, 2)}\n`;
  if (utf8Length(text) > MAX_MCP_CONFIG_BYTES) {
    wrong(`as a file they have more than ${MAX_MCP_CONFIG_BYTES} bytes`);
  }
  return text;
}

type Refuse = (reason: string) => never;

function checkServer(server: unknown, refuse: Refuse): JsonObject {
  if (!isObject(server)) return refuse("it must be an object");
  const members = MEMBERS[String(server.type)];
  if (members === undefined || !Object.hasOwn(MEMBERS, String(server.type))) {
    return refuse("its 'type' must be stdio or http");
  }
  const unknown = Object.keys(server).find((name) => !members.includes(name));
  if (unknown !== undefined) return refuse(`it may have only ${members.join(", ")}`);
  const { alwaysLoad = false } = server;
  if (typeof alwaysLoad !== "boolean") return refuse("'alwaysLoad' must be true or false");
  const own = server.type === "stdio" ? stdio(server, refuse) : http(server, refuse);
  return { type: server.type!, ...own, ...(alwaysLoad ? { alwaysLoad } : {}) };
}

function stdio({ command, args = [], env = {} }: JsonObject, refuse: Refuse): JsonObject {
  const list = Array.isArray(args) ? args : refuse("'args' must be a list of texts");
  return {
    command: command === "" ? refuse("'command' is empty") : plain(command, "command", refuse),
    args: list.map((arg) => plain(arg, "args", refuse)),
    env: texts(env, { what: "env", names: VARIABLE_NAME, refuse }),
  };
}

function http({ url, headers = {} }: JsonObject, refuse: Refuse): JsonObject {
  const text = plain(url, "url", refuse);
  const parsed = URL.parse(text);
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) {
    return refuse("'url' must be an http or https address");
  }
  if (parsed.username !== "" || parsed.password !== "") {
    return refuse("'url' must not hold a name or password; put them into a header");
  }
  const checked = texts(headers, { what: "headers", names: HEADER_NAME, refuse });
  for (const value of Object.values(checked)) {
    if (CONTROL.test(String(value))) return refuse("a header holds a control character");
  }
  return { url: text, headers: checked };
}

interface Texts {
  readonly what: string;
  readonly names: RegExp;
  readonly refuse: Refuse;
}

function texts(value: unknown, { what, names, refuse }: Texts): JsonObject {
  if (!isObject(value)) return refuse(`'${what}' must be an object of texts`);
  const entries = Object.entries(value).map(([name, text]): [string, string] => {
    if (!names.test(name)) return refuse(`'${what}' has a name that is none`);
    return [name, plain(text, what, refuse)];
  });
  return Object.fromEntries(entries.sort(([a], [b]) => a < b ? -1 : 1));
}

/** The CLI puts variables of its environment, keys included, in the place of `${NAME}` (measured: in headers). */
function plain(value: unknown, what: string, refuse: Refuse): string {
  if (typeof value !== "string") return refuse(`'${what}' must be text`);
  if (value.includes("\0")) return refuse(`'${what}' holds a NUL character`);
  if (value.includes("${")) {
    return refuse(
      `'${what}' holds '\${', which the CLI replaces with variables of its environment; write the value itself`,
    );
  }
  return value;
}

function wrong(reason: string): never {
  throw new AdapterError("invalid_arguments", `Invalid argument 'mcpServers': ${reason}`);
}
