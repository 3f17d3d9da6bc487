/**
 * The native session of a thread: the same id for the same path, everywhere and for ever.
 *
 * @module
 */
import { AdapterError } from "../base/errors.ts";
import { encodeUtf8 } from "../base/json.ts";

/** A thread path has at most so many UTF-16 units: longer than any path of a product, short enough for a message. */
export const MAX_THREAD_PATH_CHARS = 1_024;

/**
 * The namespace of thread paths. Itself the version 5 UUID of `claude-code-adapter/threads` in the DNS namespace of
 * RFC 9562, and never to change: with another one every thread would lose its conversation.
 */
export const THREAD_NAMESPACE = "38f99aa5-6b35-5f94-9435-657b587f4d1d";

/** Options of {@linkcode threadSessionId}. */
export interface ThreadSessionIdOptions {
  /**
   * A UUID. Two products, or two tenants, that use the same paths under one configuration folder need one each.
   *
   * @default {THREAD_NAMESPACE}
   */
  readonly namespace?: string;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether `text` is a UUID with its hyphens, of any version and in any case. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/**
 * The session id of a thread: the version 5 UUID of its path.
 *
 * A path is any text of 1 to 1,024 UTF-16 units that is not only white space, without NUL and without lone surrogates
 * (two of those would be one path in UTF-8). Nothing of it is normalised: `a/b` and `a//b` are two threads, and so are
 * two spellings of one accented letter.
 *
 * @throws {AdapterError} `invalid_arguments` when the path or the namespace is none.
 *
 * @example
 * ```ts
 * import { threadSessionId } from "./session_id.ts";
 *
 * const id = await threadSessionId("team/chat/42");
 * console.assert(id === await threadSessionId("team/chat/42"));
 * console.assert(id !== await threadSessionId("team/chat/43"));
 * ```
 */
export async function threadSessionId(
  path: string,
  { namespace = THREAD_NAMESPACE }: ThreadSessionIdOptions = {},
): Promise<string> {
  checkThreadPath(path);
  if (typeof namespace !== "string" || !isUuid(namespace)) {
    throw new AdapterError(
      "invalid_arguments",
      "The namespace of threads must be a UUID in the form xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx",
    );
  }
  return await uuidV5(namespace, path);
}

/**
 * Checks a thread path; see {@linkcode threadSessionId}.
 *
 * @throws {AdapterError} `invalid_arguments`.
 */
export function checkThreadPath(path: string): void {
  const fault = pathFault(path);
  if (fault !== null) throw new AdapterError("invalid_arguments", `Invalid thread path: ${fault}`);
}

function pathFault(path: unknown): string | null {
  if (typeof path !== "string") return "it must be text";
  if (path.trim() === "") return "it is empty; name the conversation, as in 'team/chat/42'";
  if (path.length > MAX_THREAD_PATH_CHARS) {
    return `it has ${path.length} characters, and the bound is ${MAX_THREAD_PATH_CHARS}; use a shorter name or a digest of it`;
  }
  if (path.includes("\0")) return "it contains a NUL character; remove it";
  if (!path.isWellFormed()) return "it contains half of a surrogate pair; give whole characters";
  return null;
}

/** The version 5 UUID of a name, as RFC 9562 5.5 says: SHA-1 of the namespace's bytes and the name's UTF-8. */
export async function uuidV5(namespace: string, name: string): Promise<string> {
  const space = Uint8Array.from(namespace.replaceAll("-", "").match(/../g) ?? [], (hex) => {
    return Number.parseInt(hex, 16);
  });
  const text = encodeUtf8(name);
  const input = new Uint8Array(space.length + text.length);
  input.set(space);
  input.set(text, space.length);
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-1", input)).subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x50;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
