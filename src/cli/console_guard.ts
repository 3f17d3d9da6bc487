/**
 * Keeps standard output for the protocol.
 *
 * @module
 */

/** Where guarded console output goes instead. */
export type WriteText = (text: string) => void;

const METHODS = [
  "log",
  "info",
  "debug",
  "dir",
  "dirxml",
  "table",
  "warn",
  "error",
  "trace",
] as const;
const QUIET = [
  "group",
  "groupCollapsed",
  "groupEnd",
  "count",
  "countReset",
  "time",
  "timeEnd",
] as const;

/**
 * Rebinds every `console` method that can print, so that no dependency can break the protocol by
 * logging: one stray line on standard output and the host drops the connection.
 */
export function guardConsole(write: WriteText): void {
  const print = (...values: unknown[]): void => write(`${values.map(text).join(" ")}\n`);
  const target = globalThis.console;
  for (const method of METHODS) target[method] = print;
  for (const method of QUIET) target[method] = () => {};
  target.timeLog = print;
  target.assert = (condition?: boolean, ...values: unknown[]) => {
    if (condition !== true) print("Assertion failed:", ...values);
  };
}

function text(value: unknown): string {
  if (typeof value === "string") return value;
  if (value instanceof Error) return `${value.name}: ${value.message}`;
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return String(value);
  }
}
