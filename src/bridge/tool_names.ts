/**
 * Names of lent tools, as the caller, the bridge and the model see them. Pure.
 *
 * @module
 */
import { AdapterError } from "../base/errors.ts";
import { MAX_TOOL_NAME_CHARS } from "../base/limits.ts";
import { visible } from "../base/visible.ts";

/** The bridge's name among the CLI's MCP servers. Without `__`, so that a full name can be read in one way only. */
export const BRIDGE_SERVER = "tools";

const PREFIX = `mcp__${BRIDGE_SERVER}__`;
/** The longest name on the bridge. */
const MAX_CHARS = MAX_TOOL_NAME_CHARS - PREFIX.length;
const PLAIN = new RegExp(`^[A-Za-z0-9_-]{1,${MAX_CHARS}}$`);
/** The longest name that a caller can give a tool. */
const MAX_GIVEN_CHARS = 256;

/**
 * The name on the bridge for each given one, in order. The CLI writes `_` for every character that the API does not take
 * (measured), so that `a.b` and `a b` would be one tool. So a name that is not plain gets a spelling of its own: what of
 * it is plain, and eight digits made of the whole. It is the same in every turn.
 *
 * @throws {AdapterError} `invalid_arguments` for a name that is empty, too long, or there twice.
 */
export function bridgeNames(given: readonly string[]): readonly string[] {
  const taken = new Map<string, string>();
  return given.map((name) => {
    if (typeof name !== "string" || name === "" || name.length > MAX_GIVEN_CHARS) {
      refuse(`a tool's name must be text of 1 to ${MAX_GIVEN_CHARS} characters`);
    }
    const spelled = PLAIN.test(name) ? name : respelled(name);
    const other = taken.get(spelled);
    if (other === name) refuse(`two tools are called '${visible(name)}'`);
    if (other !== undefined) {
      refuse(`'${visible(name)}' and '${visible(other)}' cannot be told apart; rename one of them`);
    }
    taken.set(spelled, name);
    return spelled;
  });
}

/** The name that the model sees for a name on the bridge. */
export function modelName(bridgeName: string): string {
  return PREFIX + bridgeName;
}

/** The name on the bridge for a name that the model sees; `null` when it is no tool of the bridge. */
export function bridgeName(modelName: string): string | null {
  return modelName.startsWith(PREFIX) ? modelName.slice(PREFIX.length) : null;
}

function respelled(name: string): string {
  const plain = name.replace(/[^A-Za-z0-9_-]/g, "_");
  return `${plain.slice(0, MAX_CHARS - 9)}_${fnv1a(name).toString(16).padStart(8, "0")}`;
}

/** FNV-1a over UTF-16 units: spreads names, and is no secret. */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  }
  return hash >>> 0;
}

function refuse(reason: string): never {
  throw new AdapterError("invalid_arguments", `Invalid argument 'tools': ${reason}`);
}
