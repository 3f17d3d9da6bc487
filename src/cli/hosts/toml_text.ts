/**
 * Values as TOML text, for what the snippets need.
 *
 * @module
 */

/** What can be written. */
export type TomlValue =
  | string
  | number
  | boolean
  | readonly string[]
  | { readonly [key: string]: string | readonly string[] };

/** `key = value` on a line. */
export function tomlLine(key: string, value: TomlValue): string {
  return `${tomlKey(key)} = ${tomlValue(value)}\n`;
}

/** A key; quoted unless it is made of letters, digits, hyphens and underscores. */
export function tomlKey(key: string): string {
  return /^[A-Za-z0-9_-]+$/.test(key) ? key : tomlString(key);
}

function tomlValue(value: TomlValue): string {
  if (typeof value === "string") return tomlString(value);
  if (typeof value !== "object") return String(value);
  if (Array.isArray(value)) return `[${value.map(tomlString).join(", ")}]`;
  const members = Object.entries(value).map(([key, one]) => `${tomlKey(key)} = ${tomlValue(one)}`);
  return `{ ${members.join(", ")} }`;
}

/** A basic string: JSON's escapes are TOML's, but for the delete character, which TOML wants escaped too. */
function tomlString(text: string): string {
  return JSON.stringify(text).replaceAll("\u007f", "\\u007f");
}
