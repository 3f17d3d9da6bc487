/**
 * Makes a value unchangeable.
 *
 * @module
 */

/** Freezes it and everything in it; returns it. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null) {
    for (const child of Object.values(value)) deepFreeze(child);
    Object.freeze(value);
  }
  return value;
}
