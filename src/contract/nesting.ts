/**
 * How deeply a value is nested.
 *
 * @module
 */

/** Whether `value` has more than `levels` levels; a value without members has none, a cycle has no end of them. */
export function isTooDeep(value: unknown, levels: number): boolean {
  // Level by level on no stack, and each object once a level, so that shared ones cannot multiply.
  let level = new Set<object>(isContainer(value) ? [value] : []);
  for (let depth = 1; level.size > 0; depth++) {
    if (depth > levels) return true;
    const next = new Set<object>();
    for (const container of level) {
      for (const child of Object.values(container)) {
        if (isContainer(child)) next.add(child);
      }
    }
    level = next;
  }
  return false;
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
